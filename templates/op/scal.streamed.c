{# X := alpha X #}
{% set X = body.views[0] %}
{% set n = body.size.n %}
{% include "tile/streamed.c" %}
{% if origin %}

{% include "tile/streamed_copied.c" %}
{% endif %}

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

static BB_INLINE void bb_scale_one(const int alpha_is, const bb_scalar alpha, bb_real *x)
{
    bb_vec own = *(const bb_mem *)x;
    bb_scaled(alpha_is, alpha, &own);
    *(bb_mem *)x = own;
}

static BB_INLINE void bb_scale(const int alpha_is, const bb_scalar alpha, bb_real *x, const int64_t reals)
{
    bb_vec last = BB_ZEROS;
    int64_t i = 0;
    for (; i <= reals - {{ stream.two_lines + width }}; i += {{ stream.two_lines }}) {
{% for v in stream.vectors %}
        bb_scale_one(alpha_is, alpha, x + i + {{ v * width }});
{% endfor %}
    }
    for (; i <= reals - {{ stream.twice }}; i += {{ width }})
        bb_scale_one(alpha_is, alpha, x + i);
    bb_get_last(&last, x, reals);
    bb_scaled(alpha_is, alpha, &last);
    if (reals >= {{ width }})
        bb_scale_one(alpha_is, alpha, x + i);
    bb_put_last(x, &last, reals);
}

/* Elements first .. end - 1, which lie `step` reals apart. */
static BB_INLINE void bb_scale_all(const int alpha_is, const bb_scalar alpha, bb_real *X, const int64_t step,
                                   const int64_t first, const int64_t end)
{
    for (int64_t i = first, count; i < end; i += count) {
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

static BB_INLINE void {{ body.name }}({{ body.parameters }}{{ stream.declared(origin) }}, const int64_t first,
                               const int64_t last)
{
    (void){{ body.strides | join(", (void)") }}; /* of a vector one stride counts */
    const int64_t end = last * {{ schedule.block }} < {{ n }} ? last * {{ schedule.block }} : {{ n }};
    const int64_t incx = {{ X.at(1, 0) }}, begin = first * {{ schedule.block }};
{% if origin %}
    bb_copied(X + begin * incx, incx, from_cs, from + begin * from_rs, from_rs, from_cs, end - begin, 1);
{% endif %}
    if (!alpha_is)
        bb_scale_all(0, alpha, X, incx, begin, end);
    else if (alpha_is != 1)
        bb_scale_all(BB_ANY, alpha, X, incx, begin, end);
}
