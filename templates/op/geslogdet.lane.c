{# The sign or the direction of det(A), and the logarithm of its size, by the factors of getrf. Of zero that is -Inf, of
   what is not finite itself. #}
{% from "tile/determinant.c" import determinant, normalize with context %}
{% set A, IPIV, R, E = body.views %}
{# Of reals these, but for NaN, are rare enough for a branch: `odd` is what has no logarithm, else zero. #}
{% macro special() %}
        const bb_vec size = BB_ABS(product), above = BB_ZEROS + (bb_real){{ compute.largest }};
        odd = BB_SELECT(size == 0, -(above + above), BB_SELECT(size <= above, BB_ZEROS, size));
        product = BB_SELECT(size > above, BB_SELECT(product < 0, BB_ZEROS - 1, BB_ZEROS + 1), product);
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    {{ "(void)IPIV;" if body.closed }}
    const bb_vec rest = BB_ZEROS;
    bb_vec power = BB_ZEROS{{ ", odd = BB_ZEROS" if not complex }};
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
    bb_mask ordinary;
    bb_vec sign;
    odd += product;
    BB_EQUAL(ordinary, odd, product);
    BB_BITS(all, product);
    BB_OF_BITS(sign, (all & ~{{ stored.magnitude }}) | {{ stored.power(0) }});
    size = BB_ABS(product);
    bb_log(&size, &rest, &power);
    BB_TAKE(product, ordinary, sign);
    BB_PUT(R + {{ R.at(0, 0) }}, {{ R.im }}, product);
    BB_TAKE(odd, ordinary, size);
    BB_PUT(E + {{ E.at(0, 0) }}, {{ E.im }}, odd);
{% endif %}
}
