/* Packing: reals of {{ width }} matrices, each found through its own pointer, to vectors of lanes and back. */
{% for w in pack_widths %}
{% include "frame/transpose.c" %}
{% if w in packs %}
/* {{ w }} real(s) of every matrix, from q[lane] + offset, to s. */
static BB_INLINE void bb_pack{{ w }}(const bb_real *const *q, int64_t offset, bb_real *s)
{
    for (int lane = 0; lane < {{ width }}; lane += {{ w }}) {
        bb_vec{{ w }} x[{{ w }}];
        BB_UNROLL({{ w }})
        for (int r = 0; r < {{ w }}; r++)
            x[r] = *(const bb_mem{{ w }} *)(q[lane + r] + offset);
{% if w > 1 %}
        bb_transpose{{ w }}(x);
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
{% if w > 1 %}
        bb_transpose{{ w }}(x);
{% endif %}
        BB_UNROLL({{ w }})
        for (int r = 0; r < {{ w }}; r++)
            if (lane + r < count)
                *(bb_mem{{ w }} *)(q[lane + r] + offset) = x[r];
    }
}
{% endif %}

{% endfor %}
