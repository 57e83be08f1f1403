{# A := alpha A #}
{% set A = body.views[0] %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    for (int64_t j = 0; j < (alpha_is == 1 ? 0 : {{ body.size.n }}); j++) {
        for (int64_t i = 0; i < {{ body.size.m }}; i++) {
            bb_elem x;
            BB_ZERO(x);
            if (alpha_is) {
                BB_GET(x, A + {{ A.at("i", "j") }}, {{ A.im }});
                BB_SCALE(x, alpha);
            }
            BB_PUT(A + {{ A.at("i", "j") }}, {{ A.im }}, x);
        }
    }
}
