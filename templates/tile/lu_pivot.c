{# One pivot of the panel: the row is found from below, so that the first of several wins, then exchanged with the top one
   while the rows below are reduced and the next column's largest is found. Columns before it are exchanged later. #}
{% import "tile/register_tile.c" as t %}
{% macro pivot(P, IPIV, m, q, cols) %}
            {
                const int64_t p = j + {{ q }};
                bb_vec at = BB_ZEROS + (bb_real)p, i_here = BB_ZEROS + {{ m - 1 }}, size, lift;
                bb_mask taken, small;
                bb_elem {{ t.names("top", cols, q) }}, {{ t.names("u", cols, q) }}, inverse;
{% for c in range(q, cols) %}
                BB_GET(top{{ c }}, panel + {{ P.at("p", c) }}, {{ P.im }});
                u{{ c }} = top{{ c }};
{% endfor %}
{% if width == 1 %}
                for (int64_t i = p; i < {{ m }}; i++) { /* a compiler may round what it stored otherwise than what it kept */
                    bb_elem x;
                    BB_GET(x, panel + {{ P.at("i", q) }}, {{ P.im }});
                    BB_CABS1(size, x);
                    if (i == p)
                        largest = size;
                    else
                        BB_MAX(largest, size);
                }
{% endif %}
                for (int64_t i = {{ m - 1 }}; i >= p; i--, i_here -= 1) {
                    bb_elem {{ t.names("x", cols, q) }};
{% for c in range(q, cols) %}
                    BB_GET(x{{ c }}, panel + {{ P.at("i", c) }}, {{ P.im }});
{% endfor %}
                    BB_CABS1(size, x{{ q }});
                    BB_EQUAL(taken, size, largest);
                    BB_TAKE(at, taken, i_here);
{% for c in range(q, cols) %}
                    BB_TAKE_ELEM(u{{ c }}, taken, x{{ c }});
{% endfor %}
                }
                BB_PUT_INDEX(IPIV + {{ IPIV.at("p", 0) }}, at + 1);
                BB_PUT_LOCAL(with[{{ q }}], at);
{% for c in range(q, cols) %}
                BB_PUT(panel + {{ P.at("p", c) }}, {{ P.im }}, u{{ c }});
{% endfor %}
                inverse = u{{ q }};
                BB_INVERT_PIVOT(inverse, small, lift, *info, (bb_int)(p + 1));
                i_here = BB_ZEROS + (bb_real)(p + 1);
                if (BB_SOME(small)) {
                    BB_TIMES_REAL(top{{ q }}, lift);
                    for (int64_t i = p + 1; i < {{ m }}; i++) {
                        bb_elem x;
                        BB_GET(x, panel + {{ P.at("i", q) }}, {{ P.im }});
                        BB_TIMES_REAL(x, lift);
                        BB_PUT(panel + {{ P.at("i", q) }}, {{ P.im }}, x);
                    }
                }
                for (int64_t i = p + 1; i < {{ m }}; i++, i_here += 1) {
                    bb_elem {{ t.names("x", cols, q) }};
                    BB_EQUAL(taken, at, i_here);
{% for c in range(q, cols) %}
                    BB_GET(x{{ c }}, panel + {{ P.at("i", c) }}, {{ P.im }});
                    BB_TAKE_ELEM(x{{ c }}, taken, top{{ c }});
{% endfor %}
                    BB_TIMES(x{{ q }}, inverse);
{% for c in range(q + 1, cols) %}
                    BB_FMS(x{{ c }}, x{{ q }}, u{{ c }}, 0, 0);
{% endfor %}
{% if q + 1 < cols %}
                    BB_CABS1(size, x{{ q + 1 }});
                    if (i == p + 1)
                        largest = size;
                    else
                        BB_MAX(largest, size);
{% endif %}
{% for c in range(q, cols) %}
                    BB_PUT(panel + {{ P.at("i", c) }}, {{ P.im }}, x{{ c }});
{% endfor %}
                }
            }
{% endmacro %}
