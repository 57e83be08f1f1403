{# Exchanges among rows that are few enough to be in registers. #}
{% import "tile/register_tile.c" as t with context %}
{# The exchanges of the last panel, whose rows are few, in all columns before each. #}
{% macro exchange_last(A, last) %}
{% if last.pivots %}
            bb_vec {{ t.names("with", last.pivots) }};
{% for q in range(last.pivots) %}
            BB_GET_LOCAL(with{{ q }}, with[{{ q }}]);
{% endfor %}
            for (int64_t c = 0; c < {{ last.first }}; c++) {
{{ exchange_few(A, last, 0, "c") }}
            }
{% for c in range(1, last.pivots) %}
            {
{{ exchange_few(A, last, c, last.first + c - 1) }}
            }
{% endfor %}
{% endif %}
{% endmacro %}
{% macro exchange_few(A, last, first, col) %}
                bb_elem {{ t.names("x", last.rows, first) }};
                bb_mask taken;
{% for i in range(first, last.rows) %}
                BB_GET(x{{ i }}, A + {{ A.at(last.first + i, col) }}, {{ A.im }});
{% endfor %}
{% for q in range(first, last.pivots) %}
                {
                    const bb_elem top = x{{ q }};
{% for i in range(q + 1, last.rows) %}
                    BB_EQUAL(taken, with{{ q }}, BB_ZEROS + {{ last.first + i }});
                    BB_TAKE_ELEM(x{{ q }}, taken, x{{ i }});
                    BB_TAKE_ELEM(x{{ i }}, taken, top);
{% endfor %}
                }
{% endfor %}
{% for i in range(first, last.rows) %}
                BB_PUT(A + {{ A.at(last.first + i, col) }}, {{ A.im }}, x{{ i }});
{% endfor %}
{% endmacro %}
