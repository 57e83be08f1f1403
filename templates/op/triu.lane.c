{# R := the upper triangle of the first rows of A. #}
{% set A, R = body.views %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    bb_elem zero;
    BB_ZERO(zero);
    for (int64_t j = 0; j < {{ body.size.n }}; j++)
        for (int64_t i = 0; i < {{ least(body.size.m, body.size.n) }}; i++) {
            bb_elem x;
            if (i > j) {
                BB_PUT(R + {{ R.at("i", "j") }}, {{ R.im }}, zero);
            } else {
                BB_GET(x, A + {{ A.at("i", "j") }}, {{ A.im }});
                BB_PUT(R + {{ R.at("i", "j") }}, {{ R.im }}, x);
            }
        }
}
