{# Exchanges of 9 to 16 rows of real matrices, in vectors of two halves, each of four lanes: four rows of a column are
   turned, so that a half holds them of one matrix, and all exchanges are one permutation. The caller exchanges x0..,
   once, where they are places. #}
{% macro exchange_turned(A, m, n, places) %}
    bb_vec from[{{ places }}];
    bb_mask beyond[{{ places }}];
    {
        const bb_ints half = { 0, 0, 0, 0, 4, 4, 4, 4 }, behind = half - half + 16;
{% for i in range(m) %}
        bb_vec x{{ i }} = (bb_vec)(half + {{ i % 4 + i // 4 * 8 }});
{% endfor %}
{{ caller() }}
{% for i in range(places) %}
        from[{{ i }}] = {{ "x" ~ i if i < m else "(bb_vec)half" }};
{% endfor %}
{% for i in range(0, places, 4) %}
        bb_transpose4(from + {{ i }});
{% endfor %}
{% for i in range(places) %}
        BB_HAS(beyond[{{ i }}], from[{{ i }}], behind);
{% endfor %}
    }
    for (int64_t j = 0; j < {{ n }}; j++) {
        bb_vec x[{{ places }}], y[{{ places }}];
{% for i in range(places) %}
{% if i < m %}
        BB_LOAD(x[{{ i }}], A + {{ A.at(i, "j") }});
{% else %}
        x[{{ i }}] = BB_ZEROS;
{% endif %}
{% endfor %}
{% for i in range(0, places, 4) %}
        bb_transpose4(x + {{ i }});
{% endfor %}
{% for i in range(places) %}
        {
            bb_vec other;
            BB_PERMUTE(y[{{ i }}], from[{{ i }}], x[{{ i % 4 }}], x[{{ 4 + i % 4 }}]);
            BB_PERMUTE(other, from[{{ i }}], x[{{ 8 + i % 4 }}], x[{{ (12 if m > 12 else 8) + i % 4 }}]);
            BB_TAKE(y[{{ i }}], beyond[{{ i }}], other);
        }
{% endfor %}
{% for i in range(0, places, 4) %}
        bb_transpose4(y + {{ i }});
{% endfor %}
{% for i in range(m) %}
        BB_STORE(A + {{ A.at(i, "j") }}, y[{{ i }}]);
{% endfor %}
    }
{% endmacro %}
