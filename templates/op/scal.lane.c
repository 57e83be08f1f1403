{# X := alpha X #}
{% set X = body.views[0] %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    for (int64_t i = 0; i < (alpha_is == 1 ? 0 : {{ body.size.n }}); i++) {
        bb_elem x;
        BB_ZERO(x);
        if (alpha_is) {
            BB_GET(x, X + {{ X.at("i", 0) }}, {{ X.im }});
            BB_SCALE(x, alpha);
        }
        BB_PUT(X + {{ X.at("i", 0) }}, {{ X.im }}, x);
    }
}
