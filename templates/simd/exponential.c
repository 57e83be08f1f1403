{# Exponentials of reals: 2^k e^r, k whole and |r| at most half the logarithm of 2. #}
{% set double = compute.bytes == 8 %}
{% set whole = "0x1.8p52" if double else "0x1.8p23" %}
/* y := e^x. 2^k is the product of two powers, as it may be none that is stored while y is; beyond `most` both make
   infinity, or zero. */
static BB_INLINE void bb_exp(bb_vec *y, const bb_vec *x)
{
    const bb_vec most = BB_ZEROS + {{ 1400 if double else 170 }}, below = BB_SELECT(*x > most, most, *x);
    const bb_vec within = BB_SELECT(below < -most, -most, below);
    bb_vec k = within * (bb_real)0x1.71547652b82fep+0 + (bb_real){{ whole }}; /* rounded to a whole number */
    k -= (bb_real){{ whole }};
    bb_vec r = within - k * (bb_real){{ "0x1.62e42feep-1" if double else "0x1.63p-1" }};
    r -= k * (bb_real){{ "0x1.a39ef35793c76p-33" if double else "-0x1.bd0106p-13" }};
    bb_vec sum = BB_ZEROS + (bb_real)1 / {{ 6227020800 if double else 40320 }};
{% for c in ([479001600, 39916800, 3628800, 362880, 40320] if double else []) + [5040, 720, 120, 24, 6, 2, 1, 1] %}
    sum = sum * r + (bb_real)1 / {{ c }};
{% endfor %}
    bb_vec half = k * (bb_real)0.5 + (bb_real){{ whole }}, power;
    half -= (bb_real){{ whole }};
    BB_BITS(first, half + (bb_real){{ stored.lift }});
    BB_OF_BITS(power, first << {{ stored.fraction }});
    sum *= power;
    BB_BITS(second, k - half + (bb_real){{ stored.lift }});
    BB_OF_BITS(power, second << {{ stored.fraction }});
    *y = sum * power;
}
