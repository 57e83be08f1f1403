{# In which order the rows of a block would be if its pivots had exchanged them: `slot` m, the row that pivot m found
   on top, is in `place` m. Rows stay, so these numbers alone are exchanged. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/lu_block_ahead.c" import prefetched with context %}
{% set by = body.blocks %}
{# The place of pivot q, in the row of number `pivot`, and the row that goes there. #}
{% macro placed(q) %}
                place{{ q }} = pivot;
                slot{{ q }} = BB_ZEROS + {{ q }};
{% if q %}
                {
                    bb_mask moved;
{% for m in range(q) %}
                    BB_EQUAL(moved, pivot, slot{{ m }});
                    BB_TAKE(place{{ q }}, moved, place{{ m }});
{% endfor %}
{% for m in range(q) %}
                    BB_EQUAL(moved, place{{ m }}, BB_ZEROS + {{ q }});
                    BB_TAKE(slot{{ q }}, moved, slot{{ m }});
{% endfor %}
                }
{% endif %}
{% endmacro %}
{# Row i behind the last pivot, q: its L, and its right-hand sides as x of a `suffix`. #}
{% macro behind(i, q, cols, suffix="") %}
                bb_vec l{{ suffix }};
                BB_LOAD(l{{ suffix }}, panel + {{ by.tiles(cols).at(i, q) }});
                BB_TIMES(l{{ suffix }}, inverse);
                BB_STORE(panel + {{ by.tiles(cols).at(i, q) }}, l{{ suffix }});
{% for c in range(by.beside) %}
                bb_vec x{{ c }}{{ suffix }};
                BB_LOAD(x{{ c }}{{ suffix }}, y + {{ by.right.at(i, c) }});
                BB_FMS(x{{ c }}{{ suffix }}, l{{ suffix }}, u{{ cols + c }}, 0, 0);
{% endfor %}
{% endmacro %}
{# The pass behind the last pivot, q, whose row nobody reads again: the numbers of rows below those of all pivots in
   that order, and right-hand sides in it. #}
{% macro ordered(q, cols) %}
                bb_mask moved;
{% for m in range(cols) %}
{{ behind(m, q, cols, "_" ~ m) }}
{% for before in range(m if by.beside else 0) %}
                BB_EQUAL(moved, place{{ before }}, BB_ZEROS + {{ m }});
{% for c in range(by.beside) %}
                BB_TAKE(x{{ c }}_{{ m }}, moved, x{{ c }}_{{ before }});
{% endfor %}
{% endfor %}
{% endfor %}
                number = BB_ZEROS + {{ cols }};
                for (int64_t i = {{ cols }}; i < rows; i++) {
{{ prefetched() if q % by.every == 0 }}
                    bb_vec row = number;
{{ behind("i", q, cols) }}
{% for m in range(cols) %}
                    BB_EQUAL(moved, place{{ m }}, number);
                    BB_TAKE(row, moved, slot{{ m }});
{% for c in range(by.beside) %}
                    BB_TAKE(x{{ c }}, moved, x{{ c }}_{{ m }});
{% endfor %}
{% endfor %}
                    BB_PUT_LOCAL(order[i], row);
{% for c in range(by.beside) %}
                    BB_STORE(y + {{ by.right.at("i", c) }}, x{{ c }});
{% endfor %}
                    number += 1;
                }
{% endmacro %}
