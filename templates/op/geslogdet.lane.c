{# The sign or the direction of det(A), and the logarithm of its size, by the factors of getrf. Of zero that is -Inf, of
   what is not finite itself. #}
{% from "tile/determinant.c" import determinant, normalize with context %}
{% set A, IPIV, R, E = body.views %}
{# Of reals these, NaN among them, are rare enough for a branch: `odd` is what has no logarithm, else zero, and
   `direction` what has the sign. #}
{% macro special() %}
        const bb_vec whole = BB_ABS(product), above = BB_ZEROS + (bb_real){{ compute.largest }};
        odd = BB_SELECT(whole == 0, -(above + above), BB_SELECT(whole <= above, BB_ZEROS, whole));
        direction = BB_SELECT(whole > 0, BB_ZEROS + 1, whole);
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    {{ "(void)IPIV;" if body.closed }}
{% if complex %}
    const bb_vec rest = BB_ZEROS;
{% else %}
    bb_vec odd = BB_ZEROS, direction = BB_ZEROS + 1;
{% endif %}
    bb_vec power = BB_ZEROS;
{% call determinant(A, IPIV, "" if complex else special()) %}
        BB_TAKE(power, tiny, exponent);
        BB_TAKE(power, huge, exponent);
{% endcall %}
{% if complex %}
{{ normalize("product", "power") }}
    const bb_vec re = BB_ABS(product.re), im = BB_ABS(product.im), last = BB_ZEROS + (bb_real){{ compute.largest }};
    const bb_vec most = BB_SELECT((re > im) | (re != re), re, im);
    const bb_vec odd = BB_SELECT(most == 0, -(last + last), most);
    bb_vec root, inverse, rough, excess;
    size = BB_ZEROS + product.re * product.re;
    size += product.im * product.im;
    size = BB_SELECT((most > 0) & (most <= {{ compute.largest }}), size, BB_ZEROS + 1);
    root = size;
    bb_root(&root, &inverse, &rough, &excess);
    BB_TIMES_REAL(product, inverse);
    BB_PUT(R + {{ R.at(0, 0) }}, {{ R.im }}, product);
    power *= 2;
    bb_log(&size, &rest, &power);
    BB_ZERO(product);
    BB_SET_REAL(product, BB_SELECT((most > 0) & (most <= {{ compute.largest }}), size * (bb_real)0.5, odd));
    BB_PUT(E + {{ E.at(0, 0) }}, {{ E.im }}, product);
{% else %}
    BB_BITS(all, product);
    BB_BITS(one, direction);
    BB_OF_BITS(direction, (all & ~{{ stored.magnitude }}) | one);
    size = BB_ABS(product);
    bb_log(&size, &odd, &power); /* whatever that is of what has none, this is added */
    BB_PUT(R + {{ R.at(0, 0) }}, {{ R.im }}, direction);
    BB_PUT(E + {{ E.at(0, 0) }}, {{ E.im }}, size);
{% endif %}
}
