{# Reports the first element of the diagonal that is exactly zero. #}
{% set A = body.views[0] %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{% if not body.unit %}
    for (int64_t i = 0; i < {{ body.size.n }}; i++) {
        bb_elem x;
        BB_GET(x, A + {{ A.at("i", "i") }}, {{ A.im }});
        BB_REPORT_ZERO(x, *info, (bb_int)(i + 1));
    }
{% endif %}
}
