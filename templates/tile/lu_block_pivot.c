{# The pivots of a block of columns in lanes, `panel`, from the diagonal down, with right-hand sides `y` beside them.
   Rows of U that are read later take the places of these, with inverses on the diagonal. A pass over the rows below a
   pivot exchanges and reduces them and finds the next pivot, whose row is `best`: a column after the other, so that few
   are in registers; columns before are not exchanged. #}
{% from "tile/lu_pivot.c" import inverted with context %}
{% from "tile/lu_block_ahead.c" import prefetched with context %}
{% import "tile/register_tile.c" as t with context %}
{% set by = body.blocks %}
{% macro here(i, c, cols) -%}
{{ "panel + " ~ by.tiles(cols).at(i, c) if c < cols else "y + " ~ by.right.at(i, c - cols) }}
{%- endmacro %}
{# Element x of column c as one of the next pivot's row: there is one from the `first` row on. #}
{% macro found(x, c, q, first) %}
{% if c == q %}
                        BB_CABS1(size, {{ x }});
{% if first %}
                        largest = size;
                        at = number;
{% else %}
                        BB_GREATER(larger, size, largest);
                        BB_MAX(largest, size);
                        BB_TAKE(at, larger, number);
{% endif %}
{% endif %}
{% if first %}
                        best{{ c }} = {{ x }};
{% else %}
                        BB_TAKE(best{{ c }}, larger, {{ x }});
{% endif %}
{% endmacro %}
{% macro first_pivot(i, cols, all, first) %}
{% for c in range(all) %}
                    {
                        bb_vec x;
                        BB_LOAD(x, {{ here(i, c, cols) }});
{{ found("x", c, 0, first) }}
                    }
{% endfor %}
                    number += 1;
{% endmacro %}
{% macro below(i, q, cols, all, first) %}
                {
                    bb_mask taken;
                    bb_vec l;
                    BB_EQUAL(taken, pivot, number);
                    BB_LOAD(l, {{ here(i, q, cols) }});
                    BB_TAKE(l, taken, top{{ q }});
                    BB_TIMES(l, inverse);
                    BB_STORE({{ here(i, q, cols) }}, l);
{% for c in range(q + 1, all) %}
                    {
                        bb_vec x;
                        BB_LOAD(x, {{ here(i, c, cols) }});
                        BB_TAKE(x, taken, top{{ c }});
                        BB_FMS(x, l, u{{ c }}, 0, 0);
{% if q + 1 < cols %}
{{ found("x", c, q + 1, first) }}
{% endif %}
                        BB_STORE({{ here(i, c, cols) }}, x);
                    }
{% endfor %}
                    number += 1;
                }
{% endmacro %}
{% macro pivot(IPIV, q, cols, all, more) %}
            {
                const bb_vec pivot = at;
                bb_vec {{ t.names("top", all, q) }}, {{ t.names("u", all, q) }}, inverse;
                bb_vec number = BB_ZEROS + {{ q + 1 }};
                bb_mask small;
{% if "IPIV" not in body.unread %}
                BB_PUT_INDEX(IPIV + {{ IPIV.at(("j", q), 0) }}, pivot + (bb_real)(j + 1));
{% endif %}
                BB_PUT_LOCAL(with[{{ q }}], pivot);
{% for c in range(q, all) %}
                u{{ c }} = best{{ c }};
                BB_LOAD(top{{ c }}, {{ here(q, c, cols) }});
                {{ "BB_STORE(" ~ here(q, c, cols) ~ ", u" ~ c ~ ");" if by.beside and c > q }}
{% endfor %}
                {{ "BB_STORE(diagonal + " ~ by.column.at(("j", q), 0) ~ ", u" ~ q ~ ");" if by.diagonal }}
{% set kept = here(q, q, cols) if by.beside %}
{% call(i) inverted(q, ("j", q + 1) | index, q + 1, "rows", 0, kept) %}{{ here(i, q, cols) }}{% endcall %}
{{ prefetched(" && rows > " ~ cols) if more }}
                if (rows > {{ q + 1 }}) {
                    {{ "bb_mask larger;" if q + 1 < cols }}
{{ below(q + 1, q, cols, all, true) }}
                    for (int64_t i = {{ q + 2 }}; i < rows; i++)
{{ below("i", q, cols, all, false) }}
                }
            }
{% endmacro %}
{# All of them. #}
{% macro pivots(IPIV, cols, more) %}
{% set all = by.all(cols) %}
            bb_vec size, largest, at, {{ t.names("best", all) }};
            {
                bb_vec number = BB_ZEROS;
                bb_mask larger;
{{ first_pivot(0, cols, all, true) }}
                for (int64_t i = 1; i < rows; i++) {
{{ first_pivot("i", cols, all, false) }}
                }
            }
{% for q in range(cols) %}
{{ pivot(IPIV, q, cols, all, more) }}
{% endfor %}
{% endmacro %}
