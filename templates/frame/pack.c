/* Packing: reals of {{ width }} matrices, each found through its own pointer, to vectors of lanes and back. */
{% for x in operands %}
{% for chunk in x.chunks if not chunk.gapless %}
{% set what = " that hold something of its triangle" if x.wanted else "" %}
/* Where the vectors of {{ chunk.width }} reals of {{ x.name }} begin{{ what }}. */
static const int32_t bb_at_{{ x.name }}{{ chunk.width }}[] = { {{ chunk.starts | join(", ") }} };
{% endfor %}
{% endfor %}
{% if coming %}
/* The same line of matrices to come, as one is moved: all of one at once would wait for a memory. */
static BB_INLINE void bb_coming(const bb_real *const *q, int64_t offset)
{
    for (int lane = 0; lane < {{ width }}; lane++)
        BB_PREFETCH(q[lane] + offset, 0);
}

{% endif %}
{% from "simd/transpose.c" import transpose with context %}
{% set h = halves.reals %}
{% if halved %}
{% include "simd/vector_halves.c" %}
{{ transpose(h, width) }}
{{ transpose(h, width, suffix="_crossed", crossed=true) if halves.crossed }}
{% endif %}
{% set row, apart = halves.first, halves.apart %}
{% for x in packings %}
{% set w, v = x.width, x.wide %}
{{ transpose(w, w) if not x.joined }}
{% if x.reads %}
/* {{ w }} real(s) of every matrix, from q[lane] + offset, to s. */
static BB_INLINE void bb_pack{{ w }}(const bb_real *const *q, int64_t offset, bb_real *s)
{
    for (int lane = 0; lane < {{ width }}; lane += {{ v }}) {
        bb_vec{{ v }} x[{{ w }}];
{% if x.joined %}
        BB_UNROLL({{ h }})
        for (int r = 0; r < {{ h }}; r++) {
{% for o in x.offsets %}
            bb_join(&x[r + {{ o }}], q[{{ row }}] + offset + {{ o }}, q[{{ row }} + {{ apart }}] + offset + {{ o }});
{% endfor %}
        }
{% for o in x.offsets if h > 1 %}
        bb_transpose{{ h }}{{ "_crossed" if halves.crossed }}(x + {{ o }});
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
{% for verb, suffix in (("unpack", ""), ("past", "_past"))[: x.past + 1] if x.writes %}

/* {{ w }} real(s) of the first `count` matrices, from s, to q[lane] + offset{{ ", past the caches" if suffix }}. */
static BB_INLINE void bb_{{ verb }}{{ w }}(bb_real *const *q, int64_t offset, const bb_real *s, const int count)
{
    for (int lane = 0; lane < {{ width }}; lane += {{ v }}) {
        bb_vec{{ v }} x[{{ w }}];
        BB_UNROLL({{ w }})
        for (int r = 0; r < {{ w }}; r++)
            x[r] = *(const bb_mem{{ v }} *)(s + r * {{ width }} + lane);
{% if x.joined %}
{% for o in x.offsets if h > 1 %}
        bb_transpose{{ h }}(x + {{ o }});
{% endfor %}
        BB_UNROLL({{ h }})
        for (int r = 0; r < {{ h }}; r++) {
{% for part, matrix in (("low", "r"), ("high", "r + " ~ h)) %}
            if ({{ matrix }} < count) {
{% for o in x.offsets %}
                bb_{{ part }}{{ suffix }}(q[{{ matrix }}] + offset + {{ o }}, &x[r + {{ o }}]);
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
{% endfor %}

{% endfor %}
