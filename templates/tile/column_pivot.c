{# Columns as pivots, and their norms: those that are left of each, and what they were when they were last added up. #}
{% from "tile/multiples.c" import multiples with context %}
{% from "tile/shared_work.c" import first_lane, meet, own, team with context %}
{% macro norm(j) %}norms + 2 * {{ j }} * {{ width }}{% endmacro %}
{% macro first_norm(j) %}norms + (2 * {{ j }} + 1) * {{ width }}{% endmacro %}
{# The norm of column j from a row on; squares that cannot be added are those of a multiple. #}
{% macro length(size, A, m, j, from) %}
            bb_vec {{ size }}, unscale = BB_ZEROS + 1;
            {
                bb_mask small, large;
{{ squares(size, A, m, j, from, "") }}
                BB_GREATER(small, BB_ZEROS + (bb_real){{ compute.squares[0] }}, {{ size }});
                BB_GREATER(large, {{ size }}, BB_ZEROS + (bb_real){{ compute.squares[1] }});
                if (BB_SOME(small) || BB_SOME(large)) {
{{ multiples() }}
{{ squares(size, A, m, j, from, "scale") }}
                }
            }
            BB_SQRT({{ size }});
            {{ size }} *= unscale;
{% endmacro %}
{% macro squares(sum, A, m, j, from, scale) %}
                {{ sum }} = BB_ZEROS;
                for (int64_t i = {{ from }}; i < {{ m }}; i++) {
                    bb_elem x;
                    BB_GET(x, A + {{ A.at("i", j) }}, {{ A.im }});
{% if scale %}
                    BB_TIMES_REAL(x, {{ scale }});
{% endif %}
                    BB_ADD_SQUARE({{ sum }}, x);
                }
{% endmacro %}
{# Lanes whose next pivot is column j exchange it with column p. #}
{% macro exchange(A, m, j) %}
            {{ meet() }}
            {{ own("i", 0, m) }} {
                bb_elem here, there, moved;
                BB_GET(here, A + {{ A.at("i", "p") }}, {{ A.im }});
                BB_GET(there, A + {{ A.at("i", j) }}, {{ A.im }});
                moved = here;
                BB_TAKE_ELEM(here, taken, there);
                BB_TAKE_ELEM(there, taken, moved);
                BB_PUT(A + {{ A.at("i", "p") }}, {{ A.im }}, here);
                BB_PUT(A + {{ A.at("i", j) }}, {{ A.im }}, there);
            }
            {{ first_lane() ~ " {" if team }}
            bb_vec left, old, number, other, kept;
            BB_LOAD(left, {{ norm(j) }});
            BB_LOAD(old, {{ norm("p") }});
            BB_TAKE(left, taken, old);
            BB_STORE({{ norm(j) }}, left);
            BB_LOAD(left, {{ first_norm(j) }});
            BB_LOAD(old, {{ first_norm("p") }});
            BB_TAKE(left, taken, old);
            BB_STORE({{ first_norm(j) }}, left);
            BB_GET_LOCAL(number, column + p * {{ width }});
            BB_GET_LOCAL(other, column + {{ j }} * {{ width }});
            kept = number;
            BB_TAKE(number, taken, other);
            BB_TAKE(other, taken, kept);
            BB_PUT_LOCAL(column + p * {{ width }}, number);
            BB_PUT_LOCAL(column + {{ j }} * {{ width }}, other);
            {{ "}" if team }}
            {{ meet() }}
{% endmacro %}
