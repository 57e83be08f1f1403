{# Slivers of a factor: `size` rows, or columns, in the order in which a tile reads them. #}
{% macro take(x) %}
{% set w, size = x.along or x.turned, x.size %}
{% set conj = "-" if x.conj else "" %}
/* A part of slivers of {{ size }} {{ x.what }}, which are `pitch` reals apart; zeros beyond the last
   {{- "; real parts before imaginary ones" if complex }}. */
static BB_NOINLINE void bb_take_{{ x.name }}(int64_t rest, const int64_t steps, const bb_real *from, const int64_t step,
                                     const int64_t next, bb_real *to, const int64_t pitch)
{
{% if x.along %}
    /* Some slivers together, so that neighbours are read one after the other. */
    while (rest >= {{ size }}) {
        const int64_t some = bb_whole_step(rest / {{ size }}, {{ packed_together }});
        for (int64_t l = 0; l < steps; l++)
            for (int64_t s = 0; s < some; s++) {
                const bb_real *const at = from + l * next + s * {{ size * parts }};
                bb_real *const there = to + s * pitch + l * {{ size * parts }};
{% for v in x.starts %}
{% if complex %}
                const bb_vec{{ w }} low{{ v }} = *(const bb_mem{{ w }} *)(at + {{ v * 2 }});
                const bb_vec{{ w }} high{{ v }} = *(const bb_mem{{ w }} *)(at + {{ v * 2 + w }});
                *(bb_mem{{ w }} *)(there + {{ v }}) =
                    BB_SHUFFLE(bb_mask{{ w }}, low{{ v }}, high{{ v }}, {{ x.parted[0] | join(", ") }});
                *(bb_mem{{ w }} *)(there + {{ v + size }}) =
                    {{ conj }}BB_SHUFFLE(bb_mask{{ w }}, low{{ v }}, high{{ v }},
                                {{ x.parted[1] | join(", ") }});
{% else %}
                *(bb_mem{{ w }} *)(there + {{ v }}) = *(const bb_mem{{ w }} *)(at + {{ v }});
{% endif %}
{% endfor %}
            }
        rest -= some * {{ size }};
        from += some * {{ size }} * step;
        to += some * pitch;
    }
{% endif %}
    for (; rest > 0; rest -= {{ size }}, from += {{ size }} * step, to += pitch) {
        const int64_t filled = rest < {{ size }} ? rest : {{ size }};
        bb_real *there = to;
        int64_t l = 0;
{% if x.turned %}
        for (; filled == {{ size }} && l + {{ w }} <= steps; l += {{ w }}, there += {{ w * size * parts }}) {
            BB_UNROLL(1)
            for (int v = 0; v < {{ size }}; v += {{ w }}) {
                bb_vec{{ w }} x[{{ w * parts }}];
                BB_UNROLL({{ w }})
                for (int r = 0; r < {{ w }}; r++) {
{% if complex %}
                    const bb_real *const at = from + (v + r) * step + l * 2;
                    const bb_vec{{ w }} low = *(const bb_mem{{ w }} *)at, high = *(const bb_mem{{ w }} *)(at + {{ w }});
                    x[r] = BB_SHUFFLE(bb_mask{{ w }}, low, high, {{ x.parted[0] | join(", ") }});
                    x[r + {{ w }}] = BB_SHUFFLE(bb_mask{{ w }}, low, high, {{ x.parted[1] | join(", ") }});
{% else %}
                    x[r] = *(const bb_mem{{ w }} *)(from + (v + r) * step + l);
{% endif %}
                }
                bb_transpose{{ w }}(x);
{% if complex %}
                bb_transpose{{ w }}(x + {{ w }});
{% endif %}
                BB_UNROLL({{ w }})
                for (int r = 0; r < {{ w }}; r++) {
                    *(bb_mem{{ w }} *)(there + r * {{ size * parts }} + v) = x[r];
{% if complex %}
                    *(bb_mem{{ w }} *)(there + r * {{ size * 2 }} + {{ size }} + v) = {{ conj }}x[r + {{ w }}];
{% endif %}
                }
            }
        }
{% endif %}
        for (; l < steps; l++, there += {{ size * parts }}) {
            for (int64_t r = 0; r < filled; r++) {
                there[r] = from[r * step + l * next];
{% if complex %}
                there[r + {{ size }}] = {{ conj }}from[r * step + l * next + 1];
{% endif %}
            }
            for (int64_t r = filled; r < {{ size }}; r++)
                there[r] = {{ "there[r + " ~ size ~ "] = " if complex }}0;
        }
    }
}

{% endmacro %}
