{# Reflections I - tau v v* of vectors in an array, whose elements lie some way apart; the first element of v is one.
   All lanes of a team add up alike, and have some of the vectors, or elements, that become others. #}
{% from "tile/shared_work.c" import first_lane, meet, own as each_own, team with context %}
{% from "tile/singular.c" import apart, by, const_elements, elements, values, vectors with context %}
{% from "tile/singular_product.c" import forming with context %}
{% set together = 4 %}
{# A reflection done to some vectors y: each less v times `turn` v* y, which the zero rounds. #}
{% macro several(count, first) %}
{% for q in range(count) %}
            bb_elem w{{ q }} = y[{{ first }} + {{ q }} * next], t{{ q }};
{% endfor %}
            for (int64_t i = 1; i < length; i++) {
{% for q in range(count) %}
                BB_FMA(w{{ q }}, v[i * step], y[i * step + {{ first }} + {{ q }} * next], 1, 0);
{% endfor %}
            }
{% for q in range(count) %}
            BB_ZERO(t{{ q }});
            BB_FMA(t{{ q }}, w{{ q }}, turn, 0, 0);
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
static {{ apart }} void {{ body.name }}_reflect({{ by ~ const_elements }}const v, {{ elements }}const y,
                                                const bb_elem turn, const int64_t length, const int64_t step,
                                                const int64_t count, const int64_t next)
{
{% if team %}
    {{ each_own("j", 0, "count") }} {
{{ several(1, "j * next") }}
    }
    {{ meet() }}
{% else %}
    int64_t j = 0;
    for (; j + {{ together }} <= count; j += {{ together }}) {
{{ several(together, "j * next") }}
    }
    for (; j < count; j++) {
{{ several(1, "j * next") }}
    }
{% endif %}
}
{% endmacro %}
{# A vector becomes the v of the reflection that makes zeros of all but its first element, which becomes `value`; `tau`
   is conjugated, as the reflection is done to others then. The square of the first element is rounded: where compilers
   know the sum of the others to be zero, the sum of both is found on a way of its own, apart from the square. #}
{% macro making() %}
static {{ apart }} void {{ body.name }}_make({{ by ~ elements }}const x, {{ elements }}const tau,
                                             {{ values }}const value, const int64_t length, const int64_t step)
{
    bb_elem shrink = x[0], zero;
    bb_vec sum = BB_ZEROS, all, inverse;
    BB_ZERO(zero);
    BB_ADD_IM_SQUARE(sum, x[0]);
    for (int64_t i = 1; i < length; i++)
        BB_ADD_SQUARE(sum, x[i * step]);
    all = BB_ZEROS + BB_RE(x[0]) * BB_RE(x[0]);
    all += sum;
    const bb_ints on = sum > BB_TINY;
    all = BB_SELECT(on, all, BB_ZEROS + 1);
    bb_inverse_root(&inverse, &all);
    all *= inverse;
    const bb_ints negative = BB_RE(x[0]) < 0;
    all = BB_SELECT(negative, all, -all);
    inverse = BB_SELECT(negative, -inverse, inverse);
    {{ first_lane() }}
    *value = BB_SELECT(on, all, BB_RE(x[0]));
    BB_SET_REAL(shrink, BB_RE(shrink) - all);
    bb_elem times = shrink;
    BB_SCALED(times, inverse);
    BB_CONJ(times);
    BB_REPLACE(times, on == 0, zero);
    {{ first_lane() }}
    *tau = times;
    bb_elem safe = zero;
    BB_SET_REAL(safe, BB_ZEROS + 1);
    BB_REPLACE(shrink, on == 0, safe);
    BB_INVERT(shrink, 0);
    BB_REPLACE(shrink, on == 0, zero);
    {{ meet() }}
    {{ each_own("i", 1, "length") }}
        BB_TIMES(x[i * step], shrink);
    {{ meet() }}
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
