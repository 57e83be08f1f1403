{# The lower triangle of C := alpha A A' + beta C, or A A* in the Hermitian case, whose diagonal is real. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/triangle_loops.c" import columns with context %}
{% set A, C = body.views %}
{% set B = A.transposed().conjugated() if body.hermitian else A.transposed() %}
{% macro diagonal(j, size) %}
        {
{{ "BB_FORGET;" if body.tile.apart }}
{{ t.prefetch(ahead) }}
{{ t.zero(size, size, true) }}
{{ t.products("FMA", "A", A, "A", B, size, size, j, j, 0, "steps", lower=true, same=true) }}
{{ t.update(C, size, size, j, j, lower=true, real_diagonal=body.hermitian) }}
        }
{% endmacro %}
{% macro below(i, j, rows, cols) %}
{{ "BB_FORGET;" if body.tile.apart }}
{{ t.prefetch(ahead) }}
{{ t.zero(rows, cols) }}
{{ t.products("FMA", "A", A, "A", B, rows, cols, i, j, 0, "steps") }}
{{ t.update(C, rows, cols, i, j) }}
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ t.prefetched(ahead) }}
    const int64_t steps = alpha_is ? {{ body.size.k }} : 0;
{{ columns(body.size.n, body.size.n, body.tile.rows, diagonal, below) }}
}
