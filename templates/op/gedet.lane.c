{# R := det(A) by the factors of getrf. #}
{% from "tile/determinant.c" import determinant with context %}
{% set A, IPIV, R = body.views %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    {{ "(void)IPIV;" if body.closed }}
{% call determinant(A, IPIV) %}
        /* twice a power of two, of which each is a number: what is lost is lost by the second */
        bb_vec power, left, taken = BB_ZEROS;
        bb_power(&power, &exponent);
        BB_TIMES_REAL(product, power);
        bb_split(&power, &taken);
        left = exponent - taken;
        bb_power(&power, &left);
        BB_TIMES_REAL(product, power);
{% endcall %}
    BB_PUT(R + {{ R.at(0, 0) }}, {{ R.im }}, product);
}
