{# L* A L = L* Y + Y* L with Y = T L, A = T + T*, T lower: Y column after column, then rows of the result from the top,
   for those below do not need them. The terms of a sum have one order, whatever the tiles. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/loop.c" import along, loop %}
{% from "tile/triangle_loops.c" import columns with context %}
{% macro transform(A, B) %}
{% set n, step = body.size.n, body.tile.rows %}
{% macro diagonal(j, size) %}
        {
{{ t.zero(size, size, true) }}
{% for s in range(size) %}
            {
                bb_elem a, {{ t.names("b", s + 1) }};
{% for c in range(s + 1) %}
                BB_GET(b{{ c }}, B + {{ B.at((j, s), (j, c)) }}, {{ B.im }});
{% endfor %}
{% for r in range(s, size) %}
                BB_GET(a, A + {{ A.at((j, r), (j, s)) }}, {{ A.im }});
{% for c in range(s + 1) %}
                BB_FMA(c{{ c }}_{{ r }}, a, b{{ c }}, 0, 0);
{% endfor %}
{% endfor %}
            }
{% endfor %}
{{ t.store("A", A, size, size, j, j, true) }}
        }
{% endmacro %}
{# The terms of step (k, s), where one factor is a triangle: rows from `row` on of columns up to `last`. #}
{% macro corner(i, j, k, s, row, rows, last) %}
            {
                bb_elem {{ t.names("a", rows, row) }}, b;
{% for r in range(row, rows) %}
                BB_GET(a{{ r }}, A + {{ A.at((i, r), (k, s)) }}, {{ A.im }});
{% endfor %}
{% for c in range(last) %}
                BB_GET(b, B + {{ B.at((k, s), (j, c)) }}, {{ B.im }});
{% for r in range(row, rows) %}
                BB_FMA(c{{ c }}_{{ r }}, a{{ r }}, b, 0, 0);
{% endfor %}
{% endfor %}
            }
{% endmacro %}
{% macro below(i, j, rows, size) %}
{{ t.zero(rows, size) }}
{% for s in range(size) %}
{{ corner(i, j, j, s, 0, rows, s + 1) }}
{% endfor %}
{{ t.products("FMA", "A", A, "B", B, rows, size, i, j, (j, size), i) }}
{% for s in range(rows) %}
{{ corner(i, j, i, s, s, rows, size) }}
{% endfor %}
{{ t.store("A", A, rows, size, i, j) }}
{% endmacro %}
{# The terms conj(X(l, i..)) Z(l, j..) of a tile, in rows up to `last`. #}
{% macro term(x, X, z, Z, l, i, j, last, cols, lower) %}
                {
                    bb_elem {{ t.names("a", last) }}, b;
{% for r in range(last) %}
                    BB_GET(a{{ r }}, {{ x }} + {{ X.at(l, (i, r)) }}, {{ X.im }});
{% endfor %}
{% for c in range(last if lower else cols) %}
                    BB_GET(b, {{ z }} + {{ Z.at(l, (j, c)) }}, {{ Z.im }});
{% for r in range(c if lower else 0, last) %}
                    BB_FMA(c{{ c }}_{{ r }}, a{{ r }}, b, 1, 0);
{% endfor %}
{% endfor %}
                }
{% endmacro %}
{% macro tile(i, j, rows, cols, lower) %}
{{ t.zero(rows, cols, lower) }}
{% for s in range(rows) %}
{{ term("B", B, "A", A, (i, s), i, j, s + 1, cols, lower) }}
{{ term("A", A, "B", B, (i, s), i, j, s + 1, cols, lower) }}
{% endfor %}
{% call(l) loop("l", (i, rows), n) %}
{{ term("B", B, "A", A, l, i, j, rows, cols, lower) }}
{{ term("A", A, "B", B, l, i, j, rows, cols, lower) }}
{% endcall %}
{% for p in range(rows if lower else 0) %}
            BB_REAL(c{{ p }}_{{ p }});
{% endfor %}
{{ t.store("A", A, rows, cols, i, j, lower) }}
{% endmacro %}
    for (int64_t i = 0; i < {{ n }}; i++) {
        bb_elem x;
        BB_GET(x, A + {{ A.at("i", "i") }}, {{ A.im }});
        BB_REAL(x);
        BB_TIMES_REAL(x, BB_ZEROS + (bb_real)0.5);
        BB_PUT(A + {{ A.at("i", "i") }}, {{ A.im }}, x);
    }
{{ columns(n, n, step, diagonal, below) }}
{% call(i, down) along(segments(n, step), "i", even=false) %}
{% call(j) loop("j", 0, i, step) %}
{{ tile(i, j, down.size, step, false) }}
{% endcall %}
        {
{{ tile(i, i, down.size, down.size, true) }}
        }
{% endcall %}
{% endmacro %}
