{# The lower triangle of C := alpha A B' + alpha B A' + beta C, or alpha A B* + conj(alpha) B A* + beta C. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/loop.c" import loop %}
{% from "tile/triangle_loops.c" import columns with context %}
{% set A, B, C = body.views %}
{% set P = B.transposed().conjugated() if body.hermitian else B.transposed() %}
{% set Q = A.transposed().conjugated() if body.hermitian else A.transposed() %}
{% set second = "d" if body.hermitian else "c" %}
{# Rows of A and B at a step; the former times alpha where it has two places in the sum, so it cannot scale sums. #}
{% macro rows_of(a, b, size, i, l) %}
                bb_elem {{ t.names(a, size) }}, {{ t.names(b, size) }};
{% for r in range(size) %}
                BB_GET({{ a }}{{ r }}, A + {{ A.at((i, r), l) }}, {{ A.im }});
                BB_GET({{ b }}{{ r }}, B + {{ B.at((i, r), l) }}, {{ B.im }});
{% endfor %}
{% if body.hermitian %}
                if (alpha_is == BB_ANY) {
{% for r in range(size) %}
                    BB_SCALE{{ "_CONJ" if body.transposed_output != A.conj }}({{ a }}{{ r }}, alpha);
{% endfor %}
                }
{% endif %}
{% endmacro %}
{# Both products step by step: a thread of a GPU has all of C as its tile, and reads each element of A and B once. #}
{% macro together(i, j, rows, cols, lower) %}
{% call(l) loop("l", 0, "steps", pragma="BB_STEPS") %}
{{ rows_of("a", "b", rows, i, l) }}
{{ rows_of("x", "y", cols, j, l) if not lower }}
{% set x, y = ("a", "b") if lower else ("x", "y") %}
{% call(r, c) t.each(rows, cols, lower) %}
                BB_FMA(c{{ c }}_{{ r }}, a{{ r }}, {{ y }}{{ c }}, {{ A.conj | int }}, {{ P.conj | int }});
                BB_FMA(c{{ c }}_{{ r }}, b{{ r }}, {{ x }}{{ c }}, {{ B.conj | int }}, {{ Q.conj | int }});
{% endcall %}
{% endcall %}
{% endmacro %}
{# One after the other, which needs fewer registers beside a tile of a few columns. #}
{% macro apart(i, j, rows, cols, lower) %}
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
{% endmacro %}
{% macro tile(i, j, rows, cols, lower) %}
{{ t.prefetch(ahead) }}
{{ t.zero(rows, cols, lower) }}
{{ (apart if target.simd else together)(i, j, rows, cols, lower) }}
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
