{# LU of one matrix in registers, all straight lines. The search for a pivot keeps the masks by which the row is found: they
   also bring it up. #}
{% import "tile/register_tile.c" as t %}
{% macro search(p, m) %}
        bb_vec largest, size;
        bb_mask {{ t.names("larger", m, p + 1) }}, {{ t.names("taken", m, p + 1) }};
        BB_CABS1(largest, c{{ p }}_{{ p }});
{% for i in range(p + 1, m) %}
        BB_CABS1(size, c{{ p }}_{{ i }});
        BB_GREATER(larger{{ i }}, size, largest);
        BB_MAX(largest, size);
        BB_TAKE(at, larger{{ i }}, BB_ZEROS + {{ i }});
{% endfor %}
{% for i in range(p + 1, m) %}
        BB_EQUAL(taken{{ i }}, at, BB_ZEROS + {{ i }});
{% endfor %}
{% endmacro %}
{% macro factor(A, IPIV, m, n) %}
{% set k = [m, n] | min %}
{{ t.load("A", A, m, n, 0, 0) }}
{% for p in range(k) %}
    { /* pivot {{ p }} */
        bb_vec at = BB_ZEROS + {{ p }};
{% if p + 1 < m %}
{{ search(p, m) }}
{% for j in range(n) %}
        {
            const bb_elem top = c{{ j }}_{{ p }};
{% for i in range(p + 1, m) %}
            BB_TAKE_ELEM(c{{ j }}_{{ p }}, larger{{ i }}, c{{ j }}_{{ i }});
            BB_TAKE_ELEM(c{{ j }}_{{ i }}, taken{{ i }}, top);
{% endfor %}
        }
{% endfor %}
{% endif %}
        BB_PUT_INDEX(IPIV + {{ IPIV.at(p, 0) }}, at + 1);
        bb_elem inverse = c{{ p }}_{{ p }};
        bb_vec lift;
        bb_mask small;
        BB_INVERT_PIVOT(inverse, small, lift, *info, {{ p + 1 }});
{% for i in range(p + 1, m) %}
        BB_TIMES_REAL(c{{ p }}_{{ i }}, lift);
        BB_TIMES(c{{ p }}_{{ i }}, inverse);
{% endfor %}
{% for j in range(p + 1, n) %}
{% for i in range(p + 1, m) %}
        BB_FMS(c{{ j }}_{{ i }}, c{{ p }}_{{ i }}, c{{ j }}_{{ p }}, 0, 0);
{% endfor %}
{% endfor %}
    }
{% endfor %}
{{ t.store("A", A, m, n, 0, 0) }}
{% endmacro %}
