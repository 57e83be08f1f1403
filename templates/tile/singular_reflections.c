{# Reflections I - tau v v* of vectors in an array, whose elements lie some way apart; the first element of v is one. #}
{% from "tile/singular.c" import apart, const_elements, elements, values, vectors with context %}
{% set together = 4 %}
{# A reflection done to some vectors y: each less v times `turn` v* y. #}
{% macro several(count, first) %}
{% for q in range(count) %}
            bb_elem t{{ q }} = y[{{ first }} + {{ q }} * next];
{% endfor %}
            for (int64_t i = 1; i < length; i++) {
{% for q in range(count) %}
                BB_FMA(t{{ q }}, v[i * step], y[i * step + {{ first }} + {{ q }} * next], 1, 0);
{% endfor %}
            }
{% for q in range(count) %}
            BB_TIMES(t{{ q }}, turn);
            BB_SUB(y[{{ first }} + {{ q }} * next], t{{ q }});
{% endfor %}
            for (int64_t i = 1; i < length; i++) {
{% for q in range(count) %}
                BB_FMS(y[i * step + {{ first }} + {{ q }} * next], v[i * step], t{{ q }}, 0, 0);
{% endfor %}
            }
{% endmacro %}
{# By the factor `turn`, to `count` vectors that are `next` apart, with elements `step` apart, as those of v are. #}
{% macro reflection() %}
static {{ apart }} void {{ body.name }}_reflect({{ const_elements }}const v, {{ elements }}const y, const bb_elem turn,
                                                const int64_t length, const int64_t step, const int64_t count,
                                                const int64_t next)
{
    int64_t j = 0;
    for (; j + {{ together }} <= count; j += {{ together }}) {
{{ several(together, "j * next") }}
    }
    for (; j < count; j++) {
{{ several(1, "j * next") }}
    }
}
{% endmacro %}
{# A vector becomes the v of the reflection that makes zeros of all but its first element, which becomes `value`; `tau`
   is conjugated, as the reflection is done to others then. #}
{% macro making() %}
static {{ apart }} void {{ body.name }}_make({{ elements }}const x, {{ elements }}const tau, {{ values }}const value,
                                             const int64_t length, const int64_t step)
{
    bb_elem shrink = x[0], zero;
    bb_vec sum = BB_ZEROS, all, inverse;
    BB_ZERO(zero);
    for (int64_t i = 1; i < length; i++)
        BB_ADD_SQUARE(sum, x[i * step]);
    all = sum;
    BB_ADD_IM_SQUARE(sum, x[0]);
    BB_ADD_SQUARE(all, x[0]);
    const bb_ints on = sum > BB_TINY;
    all = BB_SELECT(on, all, BB_ZEROS + 1);
    bb_inverse_root(&inverse, &all);
    all *= inverse;
    const bb_ints negative = BB_RE(x[0]) < 0;
    all = BB_SELECT(negative, all, -all);
    inverse = BB_SELECT(negative, -inverse, inverse);
    *value = BB_SELECT(on, all, BB_RE(x[0]));
    BB_SET_REAL(shrink, BB_RE(shrink) - all);
    *tau = shrink;
    BB_SCALED(*tau, inverse);
    BB_CONJ(*tau);
    BB_REPLACE(*tau, on == 0, zero);
    bb_elem safe = zero;
    BB_SET_REAL(safe, BB_ZEROS + 1);
    BB_REPLACE(shrink, on == 0, safe);
    BB_INVERT(shrink, 0);
    BB_REPLACE(shrink, on == 0, zero);
    for (int64_t i = 1; i < length; i++)
        BB_TIMES(x[i * step], shrink);
}
{% endmacro %}
{# The product of `count` reflections, in the place of their vectors. #}
{% macro forming() %}
static {{ apart }} void {{ body.name }}_form({{ elements }}const x, {{ const_elements }}const tau, const int64_t length,
                                             const int64_t count, const int64_t next)
{
    bb_elem zero, one;
    BB_ZERO(zero);
    one = zero;
    BB_SET_REAL(one, BB_ZEROS + 1);
    for (int64_t k = count - 1; k >= 0; k--) {
        {{ elements }}const v = x + k * next;
        bb_elem turn = tau[k], minus = zero;
        BB_CONJ(turn);
        {{ body.name }}_reflect(v + k, v + k + next, turn, length - k, 1, count - k - 1, next);
        BB_SUB(minus, turn);
        for (int64_t i = 0; i < k; i++)
            v[i] = zero;
        v[k] = one;
        BB_SUB(v[k], turn);
        for (int64_t i = k + 1; i < length; i++)
            BB_TIMES(v[i], minus);
    }
}
{% endmacro %}
{# What reflections need; products of them where there are `vectors`. #}
{% macro reflections() %}
{{ reflection() }}

{{ making() }}

{% if vectors %}
{{ forming() }}

{% endif %}
{% endmacro %}
