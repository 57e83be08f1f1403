{# The lower triangle of C := alpha A B' + alpha B A' + beta C, or alpha A B* + conj(alpha) B A* + beta C. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/triangle_loops.c" import columns with context %}
{% set A, B, C = body.views %}
{% set P = B.transposed().conjugated() if body.hermitian else B.transposed() %}
{% set Q = A.transposed().conjugated() if body.hermitian else A.transposed() %}
{% set second = "d" if body.hermitian else "c" %}
{% macro tile(i, j, rows, cols, lower) %}
{{ t.prefetch(ahead) }}
{{ t.zero(rows, cols, lower) }}
{% if body.hermitian %}
{{ t.zero(rows, cols, lower, "d") }}
{% endif %}
{{ t.products("FMA", "A", A, "B", P, rows, cols, i, j, 0, "steps", lower) }}
{{ t.products("FMA", "B", B, "A", Q, rows, cols, i, j, 0, "steps", lower, tile=second) }}
{% if body.hermitian %}
            if (alpha_is == BB_ANY) {
{% call(r, c) t.each(rows, cols, lower) %}
                BB_SCALE{{ "_CONJ" if body.transposed_output }}(c{{ c }}_{{ r }}, alpha);
                BB_SCALE{{ "_CONJ" if not body.transposed_output }}(d{{ c }}_{{ r }}, alpha);
{% endcall %}
            }
{% call(r, c) t.each(rows, cols, lower) %}
            BB_ADD(c{{ c }}_{{ r }}, d{{ c }}_{{ r }});
{% endcall %}
{% endif %}
{{ t.update(C, rows, cols, i, j, lower, real_diagonal=lower and body.hermitian, scaled=body.hermitian) }}
{% endmacro %}
{% macro diagonal(j, size) %}
        {
{{ tile(j, j, size, size, true) }}
        }
{% endmacro %}
{% macro below(i, j, rows, cols) %}
{{ tile(i, j, rows, cols, false) }}
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ t.prefetched(ahead) }}
    const int64_t steps = alpha_is ? {{ body.size.k }} : 0;
{{ columns(body.size.n, body.size.n, body.tile.rows, diagonal, below) }}
}
