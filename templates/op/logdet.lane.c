{# R := 2 sum of log |a_ii|: the logarithm of a product, kept to twice the precision, and its exponent apart. #}
{% set A, R = body.views %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    bb_vec product = BB_ZEROS + 1, rest = BB_ZEROS, exponent = BB_ZEROS;
    bb_vec odd = BB_ZEROS + 1; /* the product of zeros, infinities and NaN */
    for (int64_t i = 0; i < {{ body.size.n }}; i++) {
        bb_vec x;
        BB_LOAD(x, A + {{ A.at("i", "i") }});
        BB_MAGNITUDE(x);
        odd *= BB_SELECT((x > 0) & (x <= {{ compute.largest }}), BB_ZEROS + 1, x);
        x = BB_SELECT((x > 0) & (x <= {{ compute.largest }}), x, BB_ZEROS + 1);
        bb_split(&x, &exponent);
        bb_multiply(&product, &rest, &x);
{% if 64 is before(body.size.n) %}
        if (i % 64 == 63) { /* before it overflows */
            rest /= product;
            bb_split(&product, &exponent);
            rest *= product;
        }
{% endif %}
    }
    rest /= product;
    bb_log(&product, &rest, &exponent);
    bb_elem result;
    BB_ZERO(result);
    BB_SET_REAL(result, 2 * product + (odd - 1 / odd)); /* which is zero, but -Inf of zero */
    BB_PUT(R + {{ R.at(0, 0) }}, {{ R.im }}, result);
}
