/* Packing: reals of {{ width }} matrices, each found through its own pointer, to vectors of lanes and back. */
{% for x in operands %}
{% for chunk in x.chunks if not chunk.gapless %}
/* Where the vectors of {{ chunk.width }} reals of {{ x.name }} begin{{ " that hold something of its triangle" if x.wanted }}. */
static const int32_t bb_at_{{ x.name }}{{ chunk.width }}[] = { {{ chunk.starts | join(", ") }} };
{% endfor %}
{% endfor %}
{% from "simd/transpose.c" import transpose with context %}
{% set h = width // 2 %}
{% if halved %}
{% include "simd/vector_halves.c" %}
{{ transpose(h, width) }}
{% endif %}
{% for w in pack_widths %}
{% set joined = halved and w >= h %}
{% set v = width if joined else w %}
{% if not joined %}
{{ transpose(w, w) }}
{% endif %}
{% if w in packs %}
/* {{ w }} real(s) of every matrix, from q[lane] + offset, to s. */
static BB_INLINE void bb_pack{{ w }}(const bb_real *const *q, int64_t offset, bb_real *s)
{
    for (int lane = 0; lane < {{ width }}; lane += {{ v }}) {
        bb_vec{{ v }} x[{{ w }}];
{% if joined %}
        BB_UNROLL({{ h }})
        for (int r = 0; r < {{ h }}; r++) {
{% for o in range(0, w, h) %}
            bb_join(&x[r + {{ o }}], q[r] + offset + {{ o }}, q[r + {{ h }}] + offset + {{ o }});
{% endfor %}
        }
{% for o in range(0, w, h) if h > 1 %}
        bb_transpose{{ h }}(x + {{ o }});
{% endfor %}
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
            *(bb_mem{{ v }} *)(s + r * {{ width }} + lane) = x[r];
    }
}
{% endif %}
{% if w in unpacks %}

/* {{ w }} real(s) of the first `count` matrices, from s, to q[lane] + offset. */
static BB_INLINE void bb_unpack{{ w }}(bb_real *const *q, int64_t offset, const bb_real *s, const int count)
{
    for (int lane = 0; lane < {{ width }}; lane += {{ v }}) {
        bb_vec{{ v }} x[{{ w }}];
        BB_UNROLL({{ w }})
        for (int r = 0; r < {{ w }}; r++)
            x[r] = *(const bb_mem{{ v }} *)(s + r * {{ width }} + lane);
{% if joined %}
{% for o in range(0, w, h) if h > 1 %}
        bb_transpose{{ h }}(x + {{ o }});
{% endfor %}
        BB_UNROLL({{ h }})
        for (int r = 0; r < {{ h }}; r++) {
{% for part, above in (("low", ""), ("high", " + %d" % h)) %}
            if (r{{ above }} < count) {
{% for o in range(0, w, h) %}
                bb_{{ part }}(q[r{{ above }}] + offset + {{ o }}, &x[r + {{ o }}]);
{% endfor %}
            }
{% endfor %}
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
