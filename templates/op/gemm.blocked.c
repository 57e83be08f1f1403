{# C := alpha op(A) op(B) + beta C of large matrices: blocks of both factors are packed to slivers, so that all that is
   read while a tile of C stays in registers follows in memory. #}
{% from "simd/transpose.c" import transpose with context %}
{% from "tile/blocked_edge.c" import edge with context %}
{% from "tile/blocked_tile.c" import tile with context %}
{% set kc, mr, nr = schedule.kc, schedule.mr, schedule.nr %}
{% set kinds, C = "const int alpha_is, const int beta_is", "bb_real *C, const int64_t rsc, const int64_t csc" %}
{% for size in packed | map(attribute="turned") | unique if size %}
{{ transpose(size, size) }}
{% endfor %}
{% for x in packed %}
{% set w, size = x.along or x.turned, x.size %}
/* Slivers of {{ size }} {{ x.what }}, zeros beyond the last{{ "; real parts before imaginary ones" if complex }}. */
static BB_NOINLINE void bb_pack_{{ x.what }}(int64_t rest, const int64_t steps, const bb_real *from, const int64_t step,
                                      const int64_t next, bb_real *to)
{
{% if x.along %}
    /* Some slivers together, so that neighbours are read one after the other. */
    while (rest >= {{ size }}) {
        const int64_t some = bb_whole_step(rest / {{ size }}, {{ packed_together }});
        for (int64_t l = 0; l < steps; l++)
            for (int64_t s = 0; s < some; s++) {
                const bb_real *const at = from + l * next + s * {{ size * parts }};
                bb_real *const there = to + (s * steps + l) * {{ size * parts }};
{% for v in x.starts %}
{% if complex %}
                const bb_vec{{ w }} low{{ v }} = *(const bb_mem{{ w }} *)(at + {{ v * 2 }});
                const bb_vec{{ w }} high{{ v }} = *(const bb_mem{{ w }} *)(at + {{ v * 2 + w }});
                *(bb_mem{{ w }} *)(there + {{ v }}) =
                    BB_SHUFFLE(bb_mask{{ w }}, low{{ v }}, high{{ v }}, {{ x.parted[0] | join(", ") }});
                *(bb_mem{{ w }} *)(there + {{ v + size }}) =
                    {{ "-" if x.conj }}BB_SHUFFLE(bb_mask{{ w }}, low{{ v }}, high{{ v }},
                                {{ x.parted[1] | join(", ") }});
{% else %}
                *(bb_mem{{ w }} *)(there + {{ v }}) = *(const bb_mem{{ w }} *)(at + {{ v }});
{% endif %}
{% endfor %}
            }
        rest -= some * {{ size }};
        from += some * {{ size }} * step;
        to += some * {{ size * parts }} * steps;
    }
{% endif %}
    for (; rest > 0; rest -= {{ size }}, from += {{ size }} * step) {
        const int64_t filled = rest < {{ size }} ? rest : {{ size }};
        int64_t l = 0;
{% if x.turned %}
        for (; filled == {{ size }} && l + {{ w }} <= steps; l += {{ w }}, to += {{ w * size }}) {
            BB_UNROLL(1)
            for (int v = 0; v < {{ size }}; v += {{ w }}) {
                bb_vec{{ w }} x[{{ w }}];
                BB_UNROLL({{ w }})
                for (int r = 0; r < {{ w }}; r++)
                    x[r] = *(const bb_mem{{ w }} *)(from + (v + r) * step + l);
                bb_transpose{{ w }}(x);
                BB_UNROLL({{ w }})
                for (int r = 0; r < {{ w }}; r++)
                    *(bb_mem{{ w }} *)(to + r * {{ size }} + v) = x[r];
            }
        }
{% endif %}
        for (; l < steps; l++, to += {{ size * parts }}) {
            for (int64_t r = 0; r < filled; r++) {
                to[r] = from[r * step + l * next];
{% if complex %}
                to[r + {{ size }}] = {{ "-" if x.conj }}from[r * step + l * next + 1];
{% endif %}
            }
            for (int64_t r = filled; r < {{ size }}; r++)
                to[r] = {{ "to[r + " ~ size ~ "] = " if complex }}0;
        }
    }
}

{% endfor %}
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
