{# R := sqrt(X* X), squares taken of multiples of the largest part, so that none overflows or vanishes. #}
{% set X, R = body.views %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    bb_vec largest = BB_ZEROS, sum = BB_ZEROS;
    for (int64_t i = 0; i < {{ body.size.n }}; i++) {
        bb_elem x;
        BB_GET(x, X + {{ X.at("i", 0) }}, {{ X.im }});
        BB_LARGER(largest, x);
    }
    /* zero and infinity are no scales */
    const bb_vec scale = BB_SELECT((largest > 0) & (largest <= {{ compute.largest }}), largest, BB_ZEROS + 1);
    for (int64_t i = 0; i < {{ body.size.n }}; i++) {
        bb_elem x;
        BB_GET(x, X + {{ X.at("i", 0) }}, {{ X.im }});
        BB_DIVIDE_REAL(x, scale);
        BB_ADD_SQUARE(sum, x);
    }
    bb_elem result;
    BB_ZERO(result);
    BB_SQRT(sum);
    BB_SET_REAL(result, sum * scale);
    BB_PUT(R + {{ R.at(0, 0) }}, {{ R.im }}, result);
}
