{# Reflections I - tau v v*: v is zero above row p, one there, and below what stands in column p of V. #}
{% from "tile/multiples.c" import multiples with context %}
{% set together = 4 %}
{# One of them done to some columns of a matrix at once, from j on: each less v times tau v* c. The zero leaves those
   compilers that fuse multiplications and additions one way only. #}
{% macro several(v, V, c, C, p, m, j, count, tau, conj) %}
            bb_elem {% for q in range(count) %}w{{ q }}, t{{ q }}{{ ", " if not loop.last }}{% endfor %};
{% for q in range(count) %}
            BB_GET(w{{ q }}, {{ c }} + {{ C.at(p, (j, q)) }}, {{ C.im }});
{% endfor %}
            for (int64_t i = {{ (p, 1) | index }}; i < {{ m }}; i++) {
                bb_elem v;
                BB_GET(v, {{ v }} + {{ V.at("i", p) }}, {{ V.im }});
{% for q in range(count) %}
                {
                    bb_elem c;
                    BB_GET(c, {{ c }} + {{ C.at("i", (j, q)) }}, {{ C.im }});
                    BB_FMA(w{{ q }}, v, c, {{ 1 - V.conj }}, 0);
                }
{% endfor %}
            }
{% for q in range(count) %}
            BB_ZERO(t{{ q }});
            BB_FMA(t{{ q }}, w{{ q }}, {{ tau }}, 0, {{ conj | int }});
            BB_GET(w{{ q }}, {{ c }} + {{ C.at(p, (j, q)) }}, {{ C.im }});
            BB_SUB(w{{ q }}, t{{ q }});
            BB_PUT({{ c }} + {{ C.at(p, (j, q)) }}, {{ C.im }}, w{{ q }});
{% endfor %}
            for (int64_t i = {{ (p, 1) | index }}; i < {{ m }}; i++) {
                bb_elem v;
                BB_GET(v, {{ v }} + {{ V.at("i", p) }}, {{ V.im }});
{% for q in range(count) %}
                {
                    bb_elem c;
                    BB_GET(c, {{ c }} + {{ C.at("i", (j, q)) }}, {{ C.im }});
                    BB_FMS(c, v, t{{ q }}, {{ V.conj | int }}, 0);
                    BB_PUT({{ c }} + {{ C.at("i", (j, q)) }}, {{ C.im }}, c);
                }
{% endfor %}
            }
{% endmacro %}
{# The same for all columns from `first` to n. #}
{% macro reflect(v, V, c, C, p, m, first, n, tau, conj) %}
        {
            int64_t j = {{ first | index }};
            for (; j + {{ together }} <= {{ n }}; j += {{ together }}) {
{{ several(v, V, c, C, p, m, "j", together, tau, conj) }}
            }
            for (; j < {{ n }}; j++) {
{{ several(v, V, c, C, p, m, "j", 1, tau, conj) }}
            }
        }
{% endmacro %}
{# The element of column p in its row p, the sum of squares below it, and with it. #}
{% macro squares(a, A, p, m) %}
                BB_GET(head, {{ a }} + {{ A.at(p, p) }}, {{ A.im }});
                rest = BB_ZEROS;
                for (int64_t i = {{ (p, 1) | index }}; i < {{ m }}; i++) {
                    bb_elem x;
                    BB_GET(x, {{ a }} + {{ A.at("i", p) }}, {{ A.im }});
                    BB_ADD_SQUARE(rest, x);
                }
                all = rest;
                BB_ADD_SQUARE(all, head);
{% endmacro %}
{# Column p of A becomes, below row p, the v of the reflection that makes zeros of it, and in row p what that leaves. A
   column whose squares cannot be added is scaled first, by a power of two: rare enough for a branch. #}
{% macro annihilate(a, A, p, m) %}
        bb_elem tau;
        {
            bb_elem head, shrink, result;
            bb_vec rest, all, norm, inverse, rough, excess, unscale = BB_ZEROS + 1;
            bb_mask small, large, negative, none;
{{ squares(a, A, p, m) }}
            BB_GREATER(small, BB_ZEROS + (bb_real){{ compute.squares[0] }}, all);
            BB_GREATER(large, all, BB_ZEROS + (bb_real){{ compute.squares[1] }});
            if (BB_SOME(small) || BB_SOME(large)) {
{{ multiples() }}
                for (int64_t i = {{ p }}; i < {{ m }}; i++) {
                    bb_elem x;
                    BB_GET(x, {{ a }} + {{ A.at("i", p) }}, {{ A.im }});
                    BB_TIMES_REAL(x, scale);
                    BB_PUT({{ a }} + {{ A.at("i", p) }}, {{ A.im }}, x);
                }
{{ squares(a, A, p, m) }}
            }
            BB_ADD_IM_SQUARE(rest, head);
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
            BB_PUT({{ a }} + {{ A.at(p, p) }}, {{ A.im }}, result);
            for (int64_t i = {{ (p, 1) | index }}; i < {{ m }}; i++) {
                bb_elem x;
                BB_GET(x, {{ a }} + {{ A.at("i", p) }}, {{ A.im }});
                BB_TIMES(x, shrink);
                BB_PUT({{ a }} + {{ A.at("i", p) }}, {{ A.im }}, x);
            }
        }
{% endmacro %}
