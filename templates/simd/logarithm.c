{# Logarithms of products of many factors. Of a real: the bits of its fraction, what is added to its exponent, the bits
   of its lower half. #}
{% set double = compute.bytes == 8 %}
{% set fraction = stored.fraction %}
{% set root = "0x1.6a09e667f3bcdp+0" if double else "0x1.6a09e6p+0" %}
#define BB_MAGNITUDE(x)                                                                                                \
    do {                                                                                                               \
        BB_BITS(bits, x);                                                                                              \
        BB_OF_BITS(x, bits & {{ stored.magnitude }});                                                                  \
    } while (0)
/* x, positive and finite, is mantissa 2^more, 1 <= mantissa < 2; more is added to the exponent. */
static BB_INLINE void bb_split(bb_vec *x, bb_vec *exponent)
{
    const bb_vec smallest = BB_ZEROS + (bb_real){{ compute.smallest }};
    const bb_vec normal = BB_SELECT(*x < smallest, *x * (bb_real)0x1p{{ fraction }}, *x);
    const bb_vec lifted = BB_SELECT(*x < smallest, BB_ZEROS + {{ fraction }}, BB_ZEROS);
    bb_vec number; /* 2^{{ fraction }} and the exponent as it is stored */
    BB_BITS(all, normal);
    BB_OF_BITS(number, (all >> {{ fraction }}) | {{ stored.power(fraction) }});
    BB_OF_BITS(*x, (all & {{ stored.lowest(fraction) }}) | {{ stored.power(0) }});
    *exponent += number - (bb_real){{ stored.lift }} - lifted;
}

/* 2^x, x whole; less and more than the exponents of normal numbers count as the last of these. */
static BB_INLINE void bb_power(bb_vec *power, const bb_vec *x)
{
    const bb_vec least = BB_ZEROS + {{ 1 - stored.bias }}, most = BB_ZEROS + {{ stored.bias }};
    const bb_vec above = BB_SELECT(*x > least, *x, least), within = BB_SELECT(above < most, above, most);
    BB_BITS(sum, within + (bb_real){{ stored.lift }});
    BB_OF_BITS(*power, sum << {{ stored.fraction }});
}

/* x + rest times y, x rounded; rest is what x lacks. */
static BB_INLINE void bb_multiply(bb_vec *x, bb_vec *rest, const bb_vec *y)
{
    bb_vec product, lack;
    bb_exact(&product, &lack, x, y);
    *rest = *rest * *y + lack;
    *x = product;
}

/* log((x + rest) 2^exponent), x positive and normal, where `relative` is rest / x. A power of two goes from x to the
   exponent, so that x is sqrt(1/2) to sqrt(2): with f = x - 1 and s = f / (2 + f) it is f - f^2/2 + s (f^2/2 + series),
   as 2 s + 2 s^3/3 + ... is the logarithm of 1 + f. */
static BB_INLINE void bb_log(bb_vec *x, const bb_vec *relative, bb_vec *exponent)
{
    bb_vec number, within, root = BB_ZEROS + (bb_real){{ root }}; /* what is added carries where x is more than that */
    BB_BITS(all, *x);
    BB_BITS(limit, root);
    const bb_bits least = limit - {{ stored.power(1) }} + {{ stored.power(0) }};
    const bb_bits above = all - least + {{ stored.power(0) }};
    BB_OF_BITS(number, (above >> {{ fraction }}) | {{ stored.power(fraction) }});
    BB_OF_BITS(within, (above & {{ stored.lowest(fraction) }}) + least);
    *exponent = *exponent - (bb_real){{ stored.lift }} + number; /* exact, and a constant is left of zero */
    const bb_vec f = within - 1;
    const bb_vec s = f / (2 + f), z = s * s, half = BB_ZEROS + f * (bb_real)0.5 * f;
{% if double %}
    bb_vec series = BB_ZEROS + (bb_real)0x1.2b5900de53b32p-3;
{% for c in ["0x1.39fe51a7c18f9p-3", "0x1.7462b51cb66b1p-3", "0x1.c71c62e3f11e6p-3",
          "0x1.2492492df281ap-2", "0x1.99999999952d7p-2", "0x1.5555555555558p-1"] %}
    series = series * z + (bb_real){{ c }};
{% endfor %}
{% else %}
    bb_vec series = BB_ZEROS + (bb_real)0x1.ddcf72p-3;
{% for c in ["0x1.245c4p-2", "0x1.9999ecp-2", "0x1.555556p-1"] %}
    series = series * z + (bb_real){{ c }};
{% endfor %}
{% endif %}
    series = BB_ZEROS + series * z;
    const bb_vec sum = half + series;
    bb_vec y = *exponent * (bb_real){{ "0x1.a39ef35793c76p-33" if double else "-0x1.bd0106p-13" }} + *relative;
    y = s * sum + y;
    y = y - half + f;
    *x = *exponent * (bb_real){{ "0x1.62e42feep-1" if double else "0x1.63p-1" }} + y;
}
