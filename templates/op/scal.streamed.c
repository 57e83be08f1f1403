{# X := alpha X #}
{% set X = body.views[0] %}
{% set n = body.size.n %}
{% include "tile/streamed.c" %}

{% include "tile/streamed_each.c" %}

static BB_INLINE void bb_scaled(const int alpha_is, const bb_scalar alpha, bb_vec *x)
{
    const bb_vec old = *x;
    *x = BB_ZEROS;
    if (alpha_is) {
{% if complex %}
        BB_ADD_TIMES{{ width }}(*x, old, alpha);
{% else %}
        *x = old * alpha; /* which some machines do faster than a sum with zero */
{% endif %}
    }
}

static BB_INLINE void bb_scale(const int alpha_is, const bb_scalar alpha, bb_real *x, const int64_t reals)
{
    bb_vec last = BB_ZEROS, own;
    int64_t i = 0;
    BB_UNROLL(4)
    for (; i <= reals - {{ stream.twice }}; i += {{ width }}) {
        own = *(const bb_mem *)(x + i);
        bb_scaled(alpha_is, alpha, &own);
        *(bb_mem *)(x + i) = own;
    }
    bb_get_last(&last, x, reals);
    bb_scaled(alpha_is, alpha, &last);
    if (reals >= {{ width }}) {
        own = *(const bb_mem *)(x + i);
        bb_scaled(alpha_is, alpha, &own);
        *(bb_mem *)(x + i) = own;
    }
    bb_put_last(x, &last, reals);
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
            const int64_t left = (end - i){{ " * 2" if complex }}, before = bb_before(x, left, {{ stream.aligned[1] }});
            count = before ? before{{ " / 2" if complex }} : end - i;
            bb_scale(alpha_is, alpha, x, count{{ " * 2" if complex }});
        } else {
            count = end - i < {{ stream.piece // parts }} ? end - i : {{ stream.piece // parts }};
            if (alpha_is)
                bb_fetch(piece, x, step, count{{ " * 2" if complex }});
            bb_scale(alpha_is, alpha, piece, count{{ " * 2" if complex }});
            bb_bring(x, piece, step, count{{ " * 2" if complex }});
        }
    }
}
