{# What is right of a block, where it lies: it is exchanged and reduced by vectors of a row, one matrix after another,
   with elements of L from lanes as factors. Exchanges, which wait for one another in each matrix, are done for all
   before. #}
{% from "tile/lu_block_ahead.c" import prefetched with context %}
{% set by = body.blocks %}
{% set source, w = body.sources.A, by.columns %}
{% set group = 4 %}
{% macro in_rows(i) %}{{ source.name }}[lane] + t + {{ i }} * {{ source.rows }}{% endmacro %}
{# The rows of one matrix in their order, and those of L, whose columns were not exchanged by later pivots. #}
{% macro exchanged(cols) %}
                bb_real *const l = panel + lane;
                int32_t *const order = orders[lane];
                for (int64_t i = 0; i < rows; i++)
                    order[i] = (int32_t)i;
{% for q in range(cols) %}
                {
                    const int64_t there = with[{{ q }}][lane];
                    const int32_t moved = order[{{ q }}];
                    order[{{ q }}] = order[there];
                    order[there] = moved;
{% for c in range(q) %}
                    const bb_real l{{ c }} = l[{{ by.tiles(cols).at(q, c) }}];
                    l[{{ by.tiles(cols).at(q, c) }}] = l[{{ by.tiles(cols).at("there", c) }}];
                    l[{{ by.tiles(cols).at("there", c) }}] = l{{ c }};
{% endfor %}
                }
{% endfor %}
{% endmacro %}
{% macro in_tiles(i) %}to + {{ by.tiles(w).at(i, 0) }}{% endmacro %}
{% macro old(i, given) %}*(const bb_mem{{ w }} *)({{ (in_rows if given else in_tiles)(i) }}){% endmacro %}
{# Vector t of rows; those that change places are read before they are written. #}
{% macro vectors(cols, given) %}
{% for q in range(cols) %}
                    bb_vec{{ w }} u{{ q }} = {{ old("order[" ~ q ~ "]", given) }};
{% for k in range(q) %}
                    BB_FMS(u{{ q }}, l[{{ by.tiles(cols).at(q, k) }}], u{{ k }}, 0, 0);
{% endfor %}
{% endfor %}
                    for (int64_t i = {{ cols }}; i < rows; i += {{ group }}) {
{% for r in range(group) %}
                        bb_vec{{ w }} x{{ r }} = {{ old("order[i + " ~ r ~ "]", given) }};
{% endfor %}
{% for k in range(cols) %}
{% for r in range(group) %}
                        BB_FMS(x{{ r }}, l[{{ by.tiles(cols).at(("i", r), k) }}], u{{ k }}, 0, 0);
{% endfor %}
{% endfor %}
{% for r in range(group) %}
                        *(bb_mem{{ w }} *)(to + {{ by.tiles(w).at(("i", r), 0) }}) = x{{ r }};
{% endfor %}
                    }
{% for q in range(cols) %}
                    *(bb_mem{{ w }} *)(to + {{ by.tiles(w).at(q, 0) }}) = u{{ q }};
{% endfor %}
{% endmacro %}
{% macro right_of(cols, given) %}
            int32_t orders[{{ width }}][{{ by.order }}];
            for (int lane = 0; lane < {{ width }}; lane++) {
{{ exchanged(cols) }}
            }
            for (int lane = 0; lane < {{ width }}; lane++) {
                const bb_real *const l = panel + lane;
                const int32_t *const order = orders[lane];
{{ prefetched() }}
                for (int64_t t = j + {{ cols }}; t < {{ by.order }}; t += {{ w }}) {
                    bb_real *const to = A + {{ by.begins("t", "j", w) }} + lane * {{ w }};
{{ vectors(cols, given) }}
                }
            }
{% endmacro %}
