{# X and S with X^(2^S) = exp(A). With t, the mean of the diagonal, or its real part, and B = (A - t I) / 2^S, whose
   powers are small, X is e^(t / 2^S) times a Taylor polynomial of exp at B. What is done to B commutes with scaling by
   powers of two, so a large norm is that of B balanced, and B stays as it is. #}
{% from "tile/named_products.c" import put with context %}
{% from "tile/balance.c" import balance, norm_of, sizes_of with context %}
{% from "tile/shared_work.c" import first_lane, lead, meet, own with context %}
{% import "tile/" ~ body.way ~ ".c" as way with context %}
{% set A, X, S = body.views %}
{% set n = body.size.n %}
{# Element (i, j) of A - t I. #}
{% macro centred(x, i, j) %}
            BB_GET({{ x }}, A + {{ A.at(i, j) }}, {{ A.im }});
            if ({{ i }} == {{ j }})
                BB_SET_REAL({{ x }}, BB_RE({{ x }}) - mean);
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    bb_vec times = BB_ZEROS;
{% if n %}
{{ way.arrays() }}
    bb_vec mean = BB_ZEROS, norm = BB_ZEROS, power;
    for (int64_t i = 0; i < {{ n }}; i++) {
        bb_elem x;
        BB_GET(x, A + {{ A.at("i", "i") }}, {{ A.im }});
        mean += BB_RE(x) * ((bb_real)1 / {{ n }});
    }
{% call(x, i, j) norm_of("norm") %}
{{ centred(x, i, j) }}
{% endcall %}
    norm *= (bb_real)1 / 3;
    const bb_vec large = BB_SELECT((norm > 6) & (norm <= {{ compute.largest }}), norm, BB_ZEROS);
    bb_mask some;
    BB_GREATER(some, large, BB_ZEROS);
    if (__builtin_expect(BB_SOME(some), 0)) {
        bb_vec least = BB_ZEROS;
{% call(x, i, j) sizes_of("p1") %}
{{ centred(x, i, j) }}
{% endcall %}
{% call(i, up) balance("p1", "large") %}{% endcall %}
{% call(x, i, j) norm_of("least") %}
            {{ x }} = p1[{{ j }} * {{ lead(n) }} + {{ i }}];
{% endcall %}
        least *= (bb_real)1 / 3;
        norm = BB_SELECT(least < large, least, norm);
    }
    norm = BB_SELECT((norm > 1) & (norm <= {{ compute.largest }}), norm, BB_ZEROS + 1);
    BB_BITS(all, norm);
    const bb_bits up = (all + {{ stored.lowest(stored.fraction) }}) & {{ stored.exponent }}; /* 2^S */
    BB_OF_BITS(times, (up >> {{ stored.fraction }}) | {{ stored.power(stored.fraction) }});
    BB_OF_BITS(power, {{ stored.inverse }} - up);
    times -= (bb_real){{ stored.lift }};
    {{ meet() }}
    {{ own("j", 0, n) }}
        for (int64_t i = 0; i < {{ n }}; i++) {
            bb_elem x;
{{ centred("x", "i", "j") }}
            BB_SCALED(x, power);
{{ put("x", "p1", "i", "j") }}
        }
{{ way.powers() }}
    mean *= power;
    bb_exp(&mean, &mean);
{{ way.polynomial(taylor_coefficients(compute)) }}
{% endif %}
    bb_elem result;
    BB_ZERO(result);
    BB_SET_REAL(result, times);
    {{ first_lane() }}
    BB_PUT(S + {{ S.at(0, 0) }}, {{ S.im }}, result);
}
