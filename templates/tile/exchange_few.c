{# Exchanges among rows that are few enough to be in registers. #}
{% import "tile/register_tile.c" as t %}
{# The exchanges of the last panel, whose rows are few, in all columns before each. #}
{% macro exchange_last(A, m, k, last) %}
{% set pivots = [k, m - 1] | min - last %}
{% if pivots %}
            bb_vec {{ t.names("with", pivots) }};
{% for q in range(pivots) %}
            BB_GET_LOCAL(with{{ q }}, with[{{ q }}]);
{% endfor %}
            for (int64_t c = 0; c < {{ last }}; c++) {
{{ exchange_few(A, m, last, pivots, 0, "c") }}
            }
{% for c in range(1, pivots) %}
            {
{{ exchange_few(A, m, last, pivots, c, last + c - 1) }}
            }
{% endfor %}
{% endif %}
{% endmacro %}
{% macro exchange_few(A, m, last, pivots, first, col) %}
                bb_elem {{ t.names("x", m - last, first) }};
                bb_mask taken;
{% for i in range(first, m - last) %}
                BB_GET(x{{ i }}, A + {{ A.at(last + i, col) }}, {{ A.im }});
{% endfor %}
{% for q in range(first, pivots) %}
                {
                    const bb_elem top = x{{ q }};
{% for i in range(q + 1, m - last) %}
                    BB_EQUAL(taken, with{{ q }}, BB_ZEROS + {{ last + i }});
                    BB_TAKE_ELEM(x{{ q }}, taken, x{{ i }});
                    BB_TAKE_ELEM(x{{ i }}, taken, top);
{% endfor %}
                }
{% endfor %}
{% for i in range(first, m - last) %}
                BB_PUT(A + {{ A.at(last + i, col) }}, {{ A.im }}, x{{ i }});
{% endfor %}
{% endmacro %}
