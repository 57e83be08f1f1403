{# LU of one matrix in registers, all straight lines; `rhs` columns behind it are brought along, and solved for. The
   search for a pivot keeps the masks by which it is found: they also bring it up, before its number is known. Other
   columns have masks of that number alone, of which there are as many as registers. What is not `kept` stays. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/lu_search.c" import search with context %}
{# What later columns want of the pivots, and, where they are `numbered`, of the last one its row. #}
{% macro pivots(k, numbered=true) %}
{% if numbered or k > 1 %}
    bb_vec {{ t.names("at", k if numbered else k - 1) }};
{% endif %}
    bb_elem {{ t.names("inverse", k) }};
{% endmacro %}
{# Rows below pivot p that are to be the next one, or where that was, in column j. #}
{% macro exchanged(p, j, m) %}
{% if p + 1 < m %}
        {
            const bb_elem top = c{{ j }}_{{ p }};
{% for i in range(p + 1, m) %}
            BB_TAKE_ELEM(c{{ j }}_{{ p }}, {{ "larger" if j == p else "taken" }}{{ i }}, c{{ j }}_{{ i }});
            BB_TAKE_ELEM(c{{ j }}_{{ i }}, taken{{ i }}, top);
{% endfor %}
        }
{% endif %}
{% endmacro %}
{% macro factor(m, n, rhs=0, kept=true, numbered=true, first=0) %}
{% for p in range([m, n] | min) %}
{{ reduced(p, m, n, rhs, kept, numbered, first=first) }}
{% endfor %}
{% endmacro %}
{# Pivot p. Where it is `signed` it has the sign of its exchange in the end. #}
{% macro reduced(p, m, n, rhs, kept, numbered, signed=false, first=0) %}
    { /* pivot {{ p }} */
        bb_mask small;
        bb_vec largest;
        BB_CABS1(largest, c{{ p }}_{{ p }});
{% if numbered or p + 1 < m %}
        at{{ p }} = BB_ZEROS + {{ p }};
{% endif %}
{% if p + 1 < m %}
{{ search(p, m, signed) }}
{{ exchanged(p, p, m) }}
{% endif %}
        inverse{{ p }} = c{{ p }}_{{ p }};
        BB_INVERT(inverse{{ p }}, 0);
        BB_SMALL(small, largest);
        bb_elem times = inverse{{ p }};
        if (BB_SOME(small)) {
            bb_vec lift;
            times = c{{ p }}_{{ p }};
            BB_INVERT_SMALL(times, small, lift, *info, {{ first + p + 1 }});
{% for i in range(p + 1, m) %}
            BB_TIMES_REAL(c{{ p }}_{{ i }}, lift);
{% else %}
            (void)lift;
{% endfor %}
        }
{% for i in range(p + 1, m) %}
        BB_TIMES(c{{ p }}_{{ i }}, times);
{% else %}
        (void)times;
{% endfor %}
{% for j in range(p + 1, n + rhs) %}
{{ exchanged(p, j, m) }}
{% for i in range(p + 1, m) %}
        BB_FMS(c{{ j }}_{{ i }}, c{{ p }}_{{ i }}, c{{ j }}_{{ p }}, 0, 0);
{% endfor %}
{% endfor %}
{% for j in range(p if kept else 0) %}
{{ exchanged(p, j, m) }}
{% endfor %}
{% if signed %}
        bb_elem other = c{{ p }}_{{ p }};
        BB_TIMES_REAL(other, BB_ZEROS - 1);
        BB_TAKE_ELEM(c{{ p }}_{{ p }}, moved, other);
{% endif %}
    }
{% endmacro %}
{# Columns `first` to `last` are multiplied with the inverse of U. #}
{% macro solve_upper(n, first, last) %}
{% for j in range(first, last) %}
{% for p in range(n - 1, -1, -1) %}
    BB_TIMES(c{{ j }}_{{ p }}, inverse{{ p }});
{% for i in range(p) %}
    BB_FMS(c{{ j }}_{{ i }}, c{{ p }}_{{ i }}, c{{ j }}_{{ p }}, 0, 0);
{% endfor %}
{% endfor %}
{% endfor %}
{% endmacro %}
{# Column `n` has its rows exchanged and is multiplied with the inverse of L. #}
{% macro solve_lower(n) %}
{% for p in range(n - 1) %}
        {
            const bb_elem top = c{{ n }}_{{ p }};
            bb_mask taken;
{% for i in range(p + 1, n) %}
            BB_EQUAL(taken, at{{ p }}, BB_ZEROS + {{ i }});
            BB_TAKE_ELEM(c{{ n }}_{{ p }}, taken, c{{ n }}_{{ i }});
            BB_TAKE_ELEM(c{{ n }}_{{ i }}, taken, top);
{% endfor %}
        }
{% endfor %}
{% for p in range(n) %}
{% for i in range(p + 1, n) %}
        BB_FMS(c{{ n }}_{{ i }}, c{{ p }}_{{ i }}, c{{ n }}_{{ p }}, 0, 0);
{% endfor %}
{% endfor %}
{% endmacro %}
