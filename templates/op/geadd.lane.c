{# B := alpha op(A) + beta B #}
{% set A, B = body.views %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    for (int64_t j = 0; j < {{ body.size.n }}; j++) {
        for (int64_t i = 0; i < {{ body.size.m }}; i++) {
            bb_elem x;
            BB_ZERO(x);
            if (alpha_is) {
                BB_GET(x, A + {{ A.at("i", "j") }}, {{ A.im }});
{% if A.conj %}
                BB_CONJ(x);
{% endif %}
                if (alpha_is == BB_ANY)
                    BB_SCALE(x, alpha);
            }
            if (BB_NONZERO(beta_is, beta))
                BB_ADD_OLD(x, B + {{ B.at("i", "j") }}, {{ B.im }});
            BB_PUT(B + {{ B.at("i", "j") }}, {{ B.im }}, x);
        }
    }
}
