{# A := alpha I + A #}
{% set A = body.views[0] %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    for (int64_t i = 0; i < (alpha_is ? {{ body.size.n }} : 0); i++) {
        bb_elem x;
        BB_GET(x, A + {{ A.at("i", "i") }}, {{ A.im }});
        BB_SHIFT(x, alpha);
        BB_PUT(A + {{ A.at("i", "i") }}, {{ A.im }}, x);
    }
}
