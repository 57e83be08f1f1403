{# The rotations of a step are done to columns. #}
{% from "tile/singular.c" import apart with context %}
{% set together = 4 %}
{# To some rows, of which what one rotation leaves for the next stays in registers. #}
{% macro rows(count) %}
            bb_elem {% for r in range(count) %}w{{ r }} = x[{{ r }}]{{ ", " if not loop.last }}{% endfor %};
            for (int64_t k = 0; k < last; k++) {
                const bb_vec c = cosines[k], s = sines[k];
{% for r in range(count) %}
                bb_elem u{{ r }} = x[(k + 1) * length + {{ r }}];
                BB_TURN(u{{ r }}, w{{ r }}, c, s);
                x[k * length + {{ r }}] = w{{ r }};
                w{{ r }} = u{{ r }};
{% endfor %}
            }
{% for r in range(count) %}
            x[last * length + {{ r }}] = w{{ r }};
{% endfor %}
{% endmacro %}
{# To columns up to the `last`, all of one `length`: rotation k to columns k and k + 1. #}
{% macro turning() %}
static {{ apart }} void {{ body.name }}_turn(bb_elem *x, const bb_vec *const cosines, const bb_vec *const sines,
                                             const int64_t length, const int64_t last)
{
    int64_t i = 0;
    for (; i + {{ together }} <= length; i += {{ together }}, x += {{ together }}) {
{{ rows(together) }}
    }
    for (; i < length; i++, x++) {
{{ rows(1) }}
    }
}
{% endmacro %}
