{# The reflection that makes zeros of a column below the diagonal: see reflection. #}
{% from "tile/multiples.c" import multiples with context %}
{% from "tile/shared_work.c" import first_lane, meet, own, team with context %}
{# The element of column p in its row p, the squares below it and of its imaginary part, and all; perhaps of a multiple.
   The square of what is real is rounded before it is added: compilers have more than one way through this, in which
   it would stand beside that sum or apart from it, and so would be fused or not. #}
{% macro squares(a, A, p, m, scale="") %}
                BB_GET(head, {{ a }} + {{ A.at(p, p) }}, {{ A.im }});
{% if scale %}
                BB_TIMES_REAL(head, {{ scale }});
{% endif %}
                rest = BB_ZEROS;
                BB_ADD_IM_SQUARE(rest, head);
                for (int64_t i = {{ (p, 1) | index }}; i < {{ m }}; i++) {
                    bb_elem x;
                    BB_GET(x, {{ a }} + {{ A.at("i", p) }}, {{ A.im }});
{% if scale %}
                    BB_TIMES_REAL(x, {{ scale }});
{% endif %}
                    BB_ADD_SQUARE(rest, x);
                }
                all = BB_ZEROS + BB_RE(head) * BB_RE(head);
                all += rest;
{% endmacro %}
{# Column p of A becomes, below row p, the v of the reflection that makes zeros of it, and in row p what that leaves. A
   column whose squares cannot be added is scaled first, by a power of two: rare enough for a branch. A team scales it
   as it goes. All of its lanes add up alike, and write when all have read. #}
{% macro annihilate(a, A, p, m) %}
        bb_elem tau;
        {
            bb_elem head, shrink, result;
            bb_vec rest, all, norm, inverse, rough, excess, unscale = BB_ZEROS + 1;
            bb_mask small, large, negative, none;
{% if team %}
            bb_vec factor = unscale;
{% endif %}
{{ squares(a, A, p, m) }}
            BB_GREATER(small, BB_ZEROS + (bb_real){{ compute.squares[0] }}, all);
            BB_GREATER(large, all, BB_ZEROS + (bb_real){{ compute.squares[1] }});
            if (BB_SOME(small) || BB_SOME(large)) {
{{ multiples() }}
{% if team %}
                factor = scale;
{{ squares(a, A, p, m, "factor") }}
{% else %}
                for (int64_t i = {{ p }}; i < {{ m }}; i++) {
                    bb_elem x;
                    BB_GET(x, {{ a }} + {{ A.at("i", p) }}, {{ A.im }});
                    BB_TIMES_REAL(x, scale);
                    BB_PUT({{ a }} + {{ A.at("i", p) }}, {{ A.im }}, x);
                }
{{ squares(a, A, p, m) }}
{% endif %}
            }
            BB_EQUAL(none, rest, BB_ZEROS);
            BB_GREATER(negative, BB_ZEROS, BB_RE(head));
            bb_root(&all, &inverse, &rough, &excess);
            norm = -all;
            BB_TAKE(norm, negative, all);
            BB_TAKE(inverse, negative, -inverse);
            shrink = head;
            BB_SET_REAL(shrink, BB_RE(head) - norm);
            tau = shrink;
            BB_TIMES_REAL(tau, inverse);
            BB_INVERT(shrink, 0);
            BB_ZERO(result);
            BB_TAKE_ELEM(tau, none, result);
            BB_SET_REAL(result, BB_ZEROS + 1);
            BB_TAKE_ELEM(shrink, none, result);
            BB_SET_REAL(result, norm);
            BB_TAKE_ELEM(result, none, head);
            BB_TIMES_REAL(result, unscale);
            {{ meet() }}
            {{ first_lane() }}
            BB_PUT({{ a }} + {{ A.at(p, p) }}, {{ A.im }}, result);
            {{ own("i", (p, 1), m) }} {
                bb_elem x;
                BB_GET(x, {{ a }} + {{ A.at("i", p) }}, {{ A.im }});
{% if team %}
                BB_TIMES_REAL(x, factor);
{% endif %}
                BB_TIMES(x, shrink);
                BB_PUT({{ a }} + {{ A.at("i", p) }}, {{ A.im }}, x);
            }
            {{ meet() }}
        }
{% endmacro %}
