{# Y := alpha X + Y #}
{% set X, Y = body.views %}
{% set n = body.size.n %}
{% include "tile/streamed.c" %}
{% if origin %}

{% include "tile/streamed_copied.c" %}
{% endif %}

{% include "tile/streamed_each.c" %}

static BB_INLINE void bb_added(const int alpha_is, const bb_scalar alpha, const bb_vec *x, bb_vec *y)
{
    if (alpha_is == 1) {
        *y += *x;
    } else {
{% if complex %}
        BB_ADD_TIMES{{ width }}(*y, *x, alpha);
{% else %}
        *y += *x * alpha;
{% endif %}
    }
}

static BB_INLINE void bb_add_one(const int alpha_is, const bb_scalar alpha, const bb_real *x, bb_real *y)
{
    bb_vec own = *(const bb_mem *)y;
    const bb_vec found = *(const bb_mem *)x;
    bb_added(alpha_is, alpha, &found, &own);
    *(bb_mem *)y = own;
}

static BB_INLINE void bb_add(const int alpha_is, const bb_scalar alpha, const bb_real *x, bb_real *y,
                             const int64_t reals)
{
    bb_vec more, last;
    int64_t i = 0;
    for (; i <= reals - {{ stream.two_lines + width }}; i += {{ stream.two_lines }}) {
{% for v in stream.vectors %}
        bb_add_one(alpha_is, alpha, x + i + {{ v * width }}, y + i + {{ v * width }});
{% endfor %}
    }
    for (; i <= reals - {{ stream.twice }}; i += {{ width }})
        bb_add_one(alpha_is, alpha, x + i, y + i);
    bb_get_last(&more, x, reals);
    bb_get_last(&last, y, reals);
    bb_added(alpha_is, alpha, &more, &last);
    if (reals >= {{ width }})
        bb_add_one(alpha_is, alpha, x + i, y + i);
    bb_put_last(y, &last, reals);
}

static BB_INLINE void {{ body.name }}({{ body.parameters }}{{ stream.declared(origin) }}, const int64_t first,
                               const int64_t last)
{
    (void){{ body.strides | join(", (void)") }}; /* of a vector one stride counts */
    const int64_t end = last * {{ schedule.block }} < {{ n }} ? last * {{ schedule.block }} : {{ n }};
    const int64_t incx = {{ X.at(1, 0) }}, incy = {{ Y.at(1, 0) }}, begin = first * {{ schedule.block }};
{% if origin %}
    bb_copied(Y + begin * incy, incy, from_cs, from + begin * from_rs, from_rs, from_cs, end - begin, 1);
{% endif %}
    if (!alpha_is)
        return;
    for (int64_t i = begin, count; i < end; i += count) {
        bb_real from_x[{{ stream.piece }}] BB_ALIGNED, from_y[{{ stream.piece }}] BB_ALIGNED;
        const bb_real *const x = X + i * incx;
        bb_real *const y = Y + i * incy;
        if (incx == {{ parts }} && incy == {{ parts }}) {
            const int64_t left = (end - i){{ " * 2" if complex }}, before = bb_before(y, left, {{ stream.aligned[1] }});
            count = before ? before{{ " / 2" if complex }} : end - i;
            bb_add(alpha_is, alpha, x, y, count{{ " * 2" if complex }});
        } else {
            count = end - i < {{ stream.piece // parts }} ? end - i : {{ stream.piece // parts }};
            bb_fetch(from_x, x, incx, count{{ " * 2" if complex }});
            bb_fetch(from_y, y, incy, count{{ " * 2" if complex }});
            bb_add(alpha_is, alpha, from_x, from_y, count{{ " * 2" if complex }});
            bb_bring(y, from_y, incy, count{{ " * 2" if complex }});
        }
    }
}
