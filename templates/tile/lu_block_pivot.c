{# The pivots of a block of columns in lanes, `panel`, from the diagonal down, with right-hand sides `y` beside them.
   Rows stay where they are: a pass over all of them reduces them and finds the next pivot, whose row is `best`. The row
   of a pivot is one times itself, so it leaves zeros, which no search takes. `upper` has rows of U and of y. #}
{% from "tile/lu_pivot.c" import inverted with context %}
{% from "tile/lu_block_ahead.c" import prefetched with context %}
{% from "tile/lu_block_order.c" import ordered, placed with context %}
{% from "tile/lu_block_search.c" import decided, found, none_found with context %}
{% import "tile/register_tile.c" as t with context %}
{% set by = body.blocks %}
{% macro here(i, c, cols) -%}
{{ "panel + " ~ by.tiles(cols).at(i, c) if c < cols else "y + " ~ by.right.at(i, c - cols) }}
{%- endmacro %}
{# Row i of the pass behind pivot q; those that may have been moved are the `last`. #}
{% macro reduced(q, cols, all, last) %}
                    bb_mask larger, taken;
                    bb_vec l;
                    BB_EQUAL(taken, pivot, number);
                    BB_LOAD(l, {{ here("i", q, cols) }});
                    BB_TIMES(l, inverse);
                    BB_TAKE(l, taken, BB_ZEROS + 1);
                    BB_STORE({{ here("i", q, cols) }}, l);
{% for c in range(q + 1, all) %}
                    {
                        bb_vec x;
                        BB_LOAD(x, {{ here("i", c, cols) }});
                        BB_FMS(x, l, u{{ c }}, 0, 0);
{{ found("x", c, q + 1, last) }}
                        BB_STORE({{ here("i", c, cols) }}, x);
                    }
{% endfor %}
                    number += 1;
{% endmacro %}
{% macro pass(q, cols, all) %}
                {{ none_found(q + 1, all) }}
                number = BB_ZEROS + {{ q + 1 }};
                for (int64_t i = {{ q + 1 }}; i < rows; i++) {
{{ prefetched() if q % by.every == 0 }}
{{ reduced(q, cols, all, false) }}
                }
                number = BB_ZEROS;
                for (int64_t i = 0; i <= {{ q }}; i++) {
{{ reduced(q, cols, all, true) }}
                }
{% endmacro %}
{% macro pivot(IPIV, q, cols, all) %}
            {
                bb_vec {{ t.names("u", all, q) }}, inverse;
                bb_mask small;
{{ decided(q, cols, all, here(q, q, cols)) }}
                const bb_vec pivot = at;
{{ placed(q) }}
{% if "IPIV" not in body.unread %}
                BB_PUT_INDEX(IPIV + {{ IPIV.at(("j", q), 0) }}, place{{ q }} + (bb_real)(j + 1));
{% endif %}
                BB_PUT_LOCAL(order[{{ q }}], pivot);
{% for c in range(q, all) %}
                u{{ c }} = best{{ c }};
                {{ "BB_STORE(upper + " ~ by.upper_at(("j", q), c, cols) ~ ", u" ~ c ~ ");" if by.beside and c > q }}
{% endfor %}
                {{ "BB_STORE(diagonal + " ~ by.column.at(("j", q), 0) ~ ", u" ~ q ~ ");" if by.diagonal }}
{% call(i) inverted(q, ("j", q + 1) | index, 0, "rows", 0, by.kept(q, cols), false) %}
{{ here(i, q, cols) }}
{%- endcall %}
{{ pass(q, cols, all) if q + 1 < cols else ordered(q, cols) }}
            }
{% endmacro %}
{# All of them, of rows that the caller brings to lanes. #}
{% macro pivots(IPIV, cols) %}
{% set all = by.all(cols) %}
            bb_vec size, largest, at, unsure, number = BB_ZEROS, {{ t.names("best", all) }};
            bb_vec {{ t.names("place", cols) }}, {{ t.names("slot", cols) }};
            {{ none_found(0, all) }}
            for (int64_t i = 0; i < rows; i++) {
                bb_mask larger;
{{ caller() }}
{% for c in range(all) %}
                {
                    bb_vec x;
                    BB_LOAD(x, {{ here("i", c, cols) }});
{{ found("x", c, 0, false) }}
                }
{% endfor %}
                number += 1;
            }
{% for q in range(cols) %}
{{ pivot(IPIV, q, cols, all) }}
{% endfor %}
{% endmacro %}
