{# What is right of a block, where it lies: it is reduced by vectors of a row, some side by side, one matrix after
   another, with elements of L from lanes as factors. Rows of A and of L are looked for by their numbers, and come to
   their places: those of the pivots, which were where others come from, are written last. #}
{% from "tile/lu_block_ahead.c" import prefetched with context %}
{% set by = body.blocks %}
{% set source, w = body.sources.A, by.columns %}
{% macro in_tiles(i, v) %}(bb_mem{{ w }} *)(to + {{ by.tiles(w).at(i, 0) }} + {{ v * by.next }}){% endmacro %}
{% macro there(i, v) %}(const bb_mem{{ w }} *)(from + {{ v * w }} + {{ i }} * {{ source.rows }}){% endmacro %}
{% macro old(i, v, given) %}*{{ there(i, v) if given else in_tiles(i, v) }}{% endmacro %}
{# So many vectors of rows from column t on. #}
{% macro vectors(cols, given, many) %}
{% for q in range(cols) %}
                    const int64_t row{{ q }} = order[{{ q }}][lane];
{% for v in range(many) %}
                    bb_vec{{ w }} u{{ q }}_{{ v }} = {{ old("row" ~ q, v, given) }};
{% for k in range(q) %}
                    BB_FMS(u{{ q }}_{{ v }}, l[{{ by.tiles(cols).at("row" ~ q, k) }}], u{{ k }}_{{ v }}, 0, 0);
{% endfor %}
{% endfor %}
{% endfor %}
                    for (int64_t i = {{ cols }}; i < rows; i += {{ by.group }}) {
{% for r in range(by.group) %}
                        const int64_t from{{ r }} = order[i + {{ r }}][lane];
{% for v in range(many) %}
                        bb_vec{{ w }} x{{ r }}_{{ v }} = {{ old("from" ~ r, v, given) }};
{% endfor %}
{% endfor %}
{% for k in range(cols) %}
{% for r in range(by.group) %}
                        {
                            const bb_real f = l[{{ by.tiles(cols).at("from" ~ r, k) }}];
{% for v in range(many) %}
                            BB_FMS(x{{ r }}_{{ v }}, f, u{{ k }}_{{ v }}, 0, 0);
{% endfor %}
                        }
{% endfor %}
{% endfor %}
{% for r in range(by.group) %}
{% for v in range(many) %}
                        *{{ in_tiles(("i", r), v) }} = x{{ r }}_{{ v }};
{% endfor %}
{% endfor %}
                    }
{% for q in range(cols) %}
{% for v in range(many) %}
                    *{{ in_tiles(q, v) }} = u{{ q }}_{{ v }};
{% endfor %}
{% endfor %}
{% endmacro %}
{% macro right_of(cols, given) %}
            for (int lane = 0; lane < {{ width }}; lane++) {
                const bb_real *const l = panel + lane;
                int64_t t = j + {{ cols }};
{{ prefetched() }}
{% for many in by.side_by_side(cols) %}
                for (; t + {{ many * w }} <= {{ by.order }}; t += {{ many * w }}) {
                    bb_real *const to = A + {{ by.begins("t", "j", w) }} + lane * {{ w }};
                    {{ "const bb_real *const from = " ~ source.name ~ "[lane] + t;" if given }}
{{ vectors(cols, given, many) }}
                }
{% endfor %}
            }
{% endmacro %}
