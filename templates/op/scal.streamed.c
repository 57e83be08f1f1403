{# X := alpha X #}
{% set X = body.views[0] %}
{% set n = body.size.n %}
{% include "tile/streamed.c" %}

{% include "tile/streamed_each.c" %}

static BB_INLINE void bb_scaled(const int alpha_is, const bb_scalar alpha, bb_real *x, const int64_t reals)
{
    BB_UNROLL(4)
    for (int64_t i = 0; i < reals; i += {{ width }}) {
        bb_vec old, new = BB_ZEROS;
        if (alpha_is) {
            bb_get(&old, x + i, reals - i);
{% if complex %}
            BB_ADD_TIMES{{ width }}(new, old, alpha);
{% else %}
            new += old * alpha;
{% endif %}
        }
        bb_put(x + i, &new, reals - i);
    }
}

static BB_INLINE void {{ body.name }}({{ body.parameters }}, const int64_t first, const int64_t last)
{
    (void){{ body.strides | join(", (void)") }}; /* of a vector one stride counts */
    const int64_t end = last * {{ schedule.block }} < {{ n }} ? last * {{ schedule.block }} : {{ n }};
    const int64_t step = {{ X.at(1, 0) }};
    if (alpha_is == 1)
        return;
    for (int64_t i = first * {{ schedule.block }}, count; i < end; i += count) {
        bb_real piece[{{ stream.piece }}] BB_ALIGNED, *const x = X + i * step;
        if (step == {{ parts }}) {
            count = end - i;
            bb_scaled(alpha_is, alpha, x, count{{ " * 2" if complex }});
        } else {
            count = end - i < {{ stream.piece // parts }} ? end - i : {{ stream.piece // parts }};
            if (alpha_is)
                bb_fetch(piece, x, step, count{{ " * 2" if complex }});
            bb_scaled(alpha_is, alpha, piece, count{{ " * 2" if complex }});
            bb_bring(x, piece, step, count{{ " * 2" if complex }});
        }
    }
}
