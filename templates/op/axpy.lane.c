{# Y := alpha X + Y #}
{% set X, Y = body.views %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    for (int64_t i = 0; i < (alpha_is ? {{ body.size.n }} : 0); i++) {
        bb_elem x, y;
        BB_GET(x, X + {{ X.at("i", 0) }}, {{ X.im }});
        BB_GET(y, Y + {{ Y.at("i", 0) }}, {{ Y.im }});
        if (alpha_is == 1)
            BB_ADD(y, x);
        else
            BB_AXPY(y, alpha, x);
        BB_PUT(Y + {{ Y.at("i", 0) }}, {{ Y.im }}, y);
    }
}
