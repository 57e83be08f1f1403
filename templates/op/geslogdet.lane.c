{# The sign or the direction of det(A), and the logarithm of its size, by the factors of getrf. Of zero that is -Inf, of
   what is not finite itself. #}
{% from "tile/determinant.c" import determinant, normalize with context %}
{% set A, IPIV, R, E = body.views %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    bb_vec power = BB_ZEROS;
{% call determinant(A, IPIV) %}
        BB_TAKE(power, tiny, exponent);
        BB_TAKE(power, huge, exponent);
{% endcall %}
{% if complex %}
{{ normalize("product", "power") }}
    const bb_vec re = BB_ABS(product.re), im = BB_ABS(product.im);
    const bb_vec most = BB_SELECT((re > im) | (re != re), re, im);
{% else %}
    const bb_vec most = BB_ABS(product);
{% endif %}
    const bb_vec last = BB_ZEROS + (bb_real){{ compute.largest }}, rest = BB_ZEROS;
    const bb_vec odd = BB_SELECT(most == 0, -(last + last), most);
    bb_vec size;
{% if complex %}
    bb_vec root, inverse, rough, excess;
    size = BB_ZEROS + product.re * product.re;
    size += product.im * product.im;
    size = BB_SELECT((most > 0) & (most <= {{ compute.largest }}), size, BB_ZEROS + 1);
    root = size;
    bb_root(&root, &inverse, &rough, &excess);
    BB_TIMES_REAL(product, inverse);
    power *= 2;
{% else %}
    size = BB_SELECT((most > 0) & (most <= {{ compute.largest }}), most, BB_ZEROS + 1);
    product = BB_SELECT(product < 0, BB_ZEROS - 1, BB_SELECT(product > 0, BB_ZEROS + 1, product));
{% endif %}
    BB_PUT(R + {{ R.at(0, 0) }}, {{ R.im }}, product);
    bb_log(&size, &rest, &power);
    {{ "size *= (bb_real)0.5;" if complex }}
    BB_ZERO(product);
    BB_SET_REAL(product, BB_SELECT((most > 0) & (most <= {{ compute.largest }}), size, odd));
    BB_PUT(E + {{ E.at(0, 0) }}, {{ E.im }}, product);
}
