{# The rotations of two steps are done to columns at once: what the first has turned goes to the second in registers, so
   each element is read and written once. #}
{% from "tile/several.c" import several %}
{% from "tile/shared_work.c" import own as each_own, team with context %}
{% from "tile/singular.c" import apart, by, elements, values with context %}
{% set next = "next" if team else "length" %}
{# Rotation k of a step. #}
{% macro rotation(t, s, k, step) %}
const bb_vec {{ t }} = turns[{{ 2 * step }} * cols + {{ k }}], {{ s }} = turns[{{ 2 * step + 1 }} * cols + {{ k }}];
{%- endmacro %}
{# To some rows: of each, w waits for the next rotation of the first step, y for that of the second. #}
{% macro rows(count) %}
            {{ rotation("t", "s", 0, 0) }}
{% for r in range(count) %}
            bb_elem y{{ r }} = x[{{ r }}], w{{ r }} = x[{{ next }} + {{ r }}];
            BB_TURN(w{{ r }}, y{{ r }}, t, s);
{% endfor %}
            for (int64_t k = 1; k < last; k++) {
                {{ rotation("t", "s", "k", 0) }}
                {{ rotation("tt", "ss", "k - 1", 1) }}
{% for r in range(count) %}
                {
                    bb_elem u = x[(k + 1) * {{ next }} + {{ r }}], z = w{{ r }};
                    BB_TURN(u, z, t, s);
                    w{{ r }} = u;
                    BB_TURN(z, y{{ r }}, tt, ss);
                    x[(k - 1) * {{ next }} + {{ r }}] = y{{ r }};
                    y{{ r }} = z;
                }
{% endfor %}
            }
            {{ rotation("tt", "ss", "last - 1", 1) }}
{% for r in range(count) %}
            BB_TURN(w{{ r }}, y{{ r }}, tt, ss);
            x[(last - 1) * {{ next }} + {{ r }}] = y{{ r }};
            x[last * {{ next }} + {{ r }}] = w{{ r }};
{% endfor %}
{% endmacro %}
{# The second step goes to row `then` and no further: so a lane of a team tells all. #}
{% macro idle(then) %}
    for (int64_t k = {{ then }}; k < last; k++) {
        turns[2 * cols + k] = turns[3 * cols + k] = BB_ZEROS;
        turns[6 * cols + k] = turns[7 * cols + k] = BB_ZEROS;
    }
{% endmacro %}
{# To columns up to the `last`, all of one `length`. Tangents and sines of a step lie `cols` apart. #}
{% macro turning() %}
{% if team %}
static {{ apart }} void {{ body.name }}_turn({{ by ~ elements }}x, {{ values }}const turns, const int64_t length,
                                             const int64_t next, const int64_t cols, const int64_t last)
{
    x = x + lane;
    {{ each_own("i", 0, "length") }} {
{{ rows(1) }}
        x = x + {{ schedule.lanes }};
    }
}
{% else %}
static {{ apart }} void {{ body.name }}_turn({{ elements }}x, {{ values }}const turns, const int64_t length,
                                             const int64_t cols, const int64_t last, const int64_t then)
{
    for (int64_t k = then; k < last; k++)
        turns[2 * cols + k] = turns[3 * cols + k] = BB_ZEROS;
{% call(count) several("i", 0, "length", column_rows) %}
{{ rows(count) }}
                x = x + {{ count }};
{% endcall %}
}
{% endif %}
{% endmacro %}
