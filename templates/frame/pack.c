/* Packing: reals of {{ width }} matrices, each found through its own pointer, to vectors of lanes and back. */
{% for x in operands if x.runs %}
/* The reals of {{ x.name }} that hold something of its triangle. */
static const int32_t bb_runs_{{ x.name }}[][2] = { {% for first, end in x.runs %}{ {{ first }}, {{ end }} }{{ ", " if not loop.last }}{% endfor %} };
{% endfor %}
{% set unit = 1 %}
{% for w in pack_widths %}
{% include "frame/halves.c" if w >= 8 else "frame/transpose.c" %}
{% if w in packs %}
/* {{ w }} real(s) of every matrix, from q[lane] + offset, to s. */
static BB_INLINE void bb_pack{{ w }}(const bb_real *const *q, int64_t offset, bb_real *s)
{
    for (int lane = 0; lane < {{ width }}; lane += {{ w }}) {
        bb_vec{{ w }} x[{{ w }}];
{% if w >= 8 %}
{% set h = w // 2 %}
        BB_UNROLL({{ h }})
        for (int r = 0; r < {{ h }}; r++) {
            bb_join{{ w }}(&x[r], q[lane + r] + offset, q[lane + r + {{ h }}] + offset);
            bb_join{{ w }}(&x[r + {{ h }}], q[lane + r] + offset + {{ h }}, q[lane + r + {{ h }}] + offset + {{ h }});
        }
        bb_transpose_halves{{ w }}(x);
{% else %}
        BB_UNROLL({{ w }})
        for (int r = 0; r < {{ w }}; r++)
            x[r] = *(const bb_mem{{ w }} *)(q[lane + r] + offset);
{% if w > 1 %}
        bb_transpose{{ w }}(x);
{% endif %}
{% endif %}
        BB_UNROLL({{ w }})
        for (int r = 0; r < {{ w }}; r++)
            *(bb_mem{{ w }} *)(s + r * {{ width }} + lane) = x[r];
    }
}
{% endif %}
{% if w in unpacks %}

/* {{ w }} real(s) of the first `count` matrices, from s, to q[lane] + offset. */
static BB_INLINE void bb_unpack{{ w }}(bb_real *const *q, int64_t offset, const bb_real *s, const int count)
{
    for (int lane = 0; lane < {{ width }}; lane += {{ w }}) {
        bb_vec{{ w }} x[{{ w }}];
        BB_UNROLL({{ w }})
        for (int r = 0; r < {{ w }}; r++)
            x[r] = *(const bb_mem{{ w }} *)(s + r * {{ width }} + lane);
{% if w >= 8 %}
{% set h = w // 2 %}
        bb_transpose_halves{{ w }}(x);
        BB_UNROLL({{ h }})
        for (int r = 0; r < {{ h }}; r++) {
            if (lane + r < count) {
                bb_low{{ w }}(q[lane + r] + offset, &x[r]);
                bb_low{{ w }}(q[lane + r] + offset + {{ h }}, &x[r + {{ h }}]);
            }
            if (lane + r + {{ h }} < count) {
                bb_high{{ w }}(q[lane + r + {{ h }}] + offset, &x[r]);
                bb_high{{ w }}(q[lane + r + {{ h }}] + offset + {{ h }}, &x[r + {{ h }}]);
            }
        }
{% else %}
{% if w > 1 %}
        bb_transpose{{ w }}(x);
{% endif %}
        BB_UNROLL({{ w }})
        for (int r = 0; r < {{ w }}; r++)
            if (lane + r < count)
                *(bb_mem{{ w }} *)(q[lane + r] + offset) = x[r];
{% endif %}
    }
}
{% endif %}

{% endfor %}
