{# C := alpha A B + beta C of large matrices: blocks of both factors are packed to slivers, so that all that is read
   while a tile of C stays in registers follows in memory. #}
{% from "simd/transpose.c" import transpose with context %}
{% from "tile/blocked_edge.c" import edge with context %}
{% from "tile/blocked_slivers.c" import slivers with context %}
{% from "tile/blocked_tile.c" import tile with context %}
{% set kc, mr, nr = schedule.kc, schedule.mr, schedule.nr %}
{% set kinds, C = "const int alpha_is, const int beta_is", "bb_real *C, const int64_t rsc, const int64_t csc" %}
{% for size in turned_by %}
{{ transpose(size, size) }}
{% endfor %}
{% if symmetric %}
/* x, but no less than 0 and no more than `most`. */
static BB_INLINE int64_t bb_between(const int64_t x, const int64_t most)
{
    return x < 0 ? 0 : bb_whole_step(x, most);
}

{% endif %}
{% for x in packed %}
{{ slivers(x) }}
{%- endfor %}
{{ edge() }}
{% for rows, lines in heights %}
{{ tile(body.views[2].unit_rows and (width > 1 or not complex), rows, lines) }}
{% endfor %}
/* A block of C: slivers of op(B) stay in the level-1 cache while those of op(A) pass by. The last tiles are no higher
   than they must be. */
static BB_NOINLINE void bb_block({{ kinds }}, const int64_t m, const int64_t n, const int64_t steps,
                                 const bb_scalar alpha, const bb_real *A, const bb_real *B, const bb_scalar beta,
                                 {{ C }})
{
    for (int64_t j = 0; j < n; j += {{ nr }})
        for (int64_t i = 0; i < m; i += {{ mr }}) {
            const bb_real *const a = A + i * steps{{ " * 2" if complex }};
            const bb_real *const b = B + j * steps{{ " * 2" if complex }};
            bb_real *const c = C + i * rsc + j * csc;
{% for rows, _ in heights %}
            {{ "else " if not loop.first }}{{ "if (m - i > " ~ (rows - 1) * width ~ ")" if not loop.last }}
                bb_tile_{{ rows }}(alpha_is, beta_is, m - i, n - j, steps, alpha, a, b, beta, c, rsc, csc);
{% endfor %}
        }
}

{% include "tile/blocked_panels.c" %}
