{# One pivot of the panel. `best` is its row as it stands in the panel, `at` the number of that row: they were found
   while the panel was last gone through. The row is exchanged with the top one while those below are reduced, and the
   next pivot is found in them. Columns before it are exchanged later. #}
{% import "tile/register_tile.c" as t with context %}
{# Row `number` of the panel as the next pivot, where its element in column q is larger than all before it; the `first`
   is to begin with. The caller names its elements. #}
{% macro candidate(q, cols, number, first) %}
                BB_CABS1(size, {{ caller(q) }});
{% if first %}
                if ({{ first }}) {
                    largest = size;
                    at = {{ number }};
{% for c in range(q, cols) %}
                    best{{ c }} = {{ caller(c) }};
{% endfor %}
                }
                else
{%- endif %} {
                    bb_mask larger;
                    BB_GREATER(larger, size, largest);
                    BB_MAX(largest, size);
                    BB_TAKE(at, larger, {{ number }});
{% for c in range(q, cols) %}
                    BB_TAKE_ELEM(best{{ c }}, larger, {{ caller(c) }});
{% endfor %}
                }
{% endmacro %}
{# The inverse of pivot q, which is reported by its `number`; if it is so small that it has none, its column is lifted,
   rows `first` to `end`, whose places the caller names, and the row on top where rows are `exchanged`. The inverse as
   it is goes `to` where it is wanted. #}
{% macro inverted(q, number, first, end, im, to="", exchanged=true) %}
                inverse = u{{ q }};
                BB_INVERT(inverse, 0);
                {{ "BB_PUT(" ~ to ~ ", " ~ im ~ ", inverse);" if to }}
                BB_SMALL(small, largest);
                if (BB_SOME(small)) {
                    bb_vec lift;
                    inverse = u{{ q }};
                    BB_INVERT_SMALL(inverse, small, lift, *info, (bb_int)({{ number }}));
                    {{ "BB_TIMES_REAL(top" ~ q ~ ", lift);" if exchanged }}
                    for (int64_t i = {{ first }}; i < {{ end }}; i++) {
                        bb_elem x;
                        BB_GET(x, {{ caller("i") }}, {{ im }});
                        BB_TIMES_REAL(x, lift);
                        BB_PUT({{ caller("i") }}, {{ im }}, x);
                    }
                }
{% endmacro %}
{% macro pivot(P, IPIV, m, q, cols) %}
            {
                const int64_t p = j + {{ q }};
                bb_vec {{ "size, " if width == 1 or q + 1 < cols }}i_here = BB_ZEROS + (bb_real)(p + 1);
                bb_mask taken, small;
                bb_elem {{ t.names("top", cols, q) }}, {{ t.names("u", cols, q) }}, inverse;
{% if width == 1 %}
                /* only here: a compiler may round what it stored otherwise than what it kept */
                for (int64_t i = p; i < {{ m }}; i++) {
                    bb_elem {{ t.names("x", cols, q) }};
{% for c in range(q, cols) %}
                    BB_GET(x{{ c }}, panel + {{ P.at("i", c) }}, {{ P.im }});
{% endfor %}
{% call(c) candidate(q, cols, "(bb_real)i", "i == p") %}x{{ c }}{% endcall %}
                }
{% endif %}
                const bb_vec pivot = at;
                BB_PUT_INDEX(IPIV + {{ IPIV.at("p", 0) }}, pivot + 1);
                BB_PUT_LOCAL(with[{{ q }}], pivot);
{% for c in range(q, cols) %}
                u{{ c }} = best{{ c }};
                BB_GET(top{{ c }}, panel + {{ P.at("p", c) }}, {{ P.im }});
                BB_PUT(panel + {{ P.at("p", c) }}, {{ P.im }}, u{{ c }});
{% endfor %}
{% call(i) inverted(q, "p + 1", "p + 1", m, P.im) %}panel + {{ P.at(i, q) }}{% endcall %}
                for (int64_t i = p + 1; i < {{ m }}; i++, i_here += 1) {
                    bb_elem {{ t.names("x", cols, q) }};
                    BB_EQUAL(taken, pivot, i_here);
{% for c in range(q, cols) %}
                    BB_GET(x{{ c }}, panel + {{ P.at("i", c) }}, {{ P.im }});
                    BB_TAKE_ELEM(x{{ c }}, taken, top{{ c }});
{% endfor %}
                    BB_TIMES(x{{ q }}, inverse);
{% for c in range(q + 1, cols) %}
                    BB_FMS(x{{ c }}, x{{ q }}, u{{ c }}, 0, 0);
{% endfor %}
{% if q + 1 < cols and width > 1 %}
{% call(c) candidate(q + 1, cols, "i_here", "i == p + 1") %}x{{ c }}{% endcall %}
{% endif %}
{% for c in range(q, cols) %}
                    BB_PUT(panel + {{ P.at("i", c) }}, {{ P.im }}, x{{ c }});
{% endfor %}
                }
            }
{% endmacro %}
