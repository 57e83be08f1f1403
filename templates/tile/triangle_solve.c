{# T with L T = Y overwrites Y, both lower triangles: columns of tiles. L is that of B, the inverses of its diagonal are
   in an array. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/triangle_loops.c" import columns with context %}
{% macro inverse(i, p) %}BB_RE(inverse[{{ (i, p) | index }}]){% endmacro %}
{% macro solve(A, B, n, step) %}
{# The rows of a tile, each from those above it there. #}
{% macro solved(i, rows, cols, lower) %}
{% for p in range(rows) %}
{% for c in range(p + 1 if lower else cols) %}
            BB_TIMES_REAL(c{{ c }}_{{ p }}, {{ inverse(i, p) }});
{% endfor %}
{% for r in range(p + 1, rows) %}
            {
                bb_elem a;
                BB_GET(a, B + {{ B.at((i, r), (i, p)) }}, {{ B.im }});
{% for c in range(p + 1 if lower else cols) %}
                BB_FMS(c{{ c }}_{{ r }}, a, c{{ c }}_{{ p }}, 0, 0);
{% endfor %}
            }
{% endfor %}
{% endfor %}
{% endmacro %}
{% macro diagonal(j, size) %}
        {
{{ t.load("A", A, size, size, j, j, true) }}
{{ solved(j, size, size, true) }}
{{ t.store("A", A, size, size, j, j, true) }}
        }
{% endmacro %}
{% macro below(i, j, rows, size) %}
{{ t.load("A", A, rows, size, i, j) }}
{% for s in range(size) %}
            {
                bb_elem {{ t.names("a", rows) }}, b;
{% for r in range(rows) %}
                BB_GET(a{{ r }}, B + {{ B.at((i, r), (j, s)) }}, {{ B.im }});
{% endfor %}
{% for c in range(s + 1) %}
                BB_GET(b, A + {{ A.at((j, s), (j, c)) }}, {{ A.im }});
{% for r in range(rows) %}
                BB_FMS(c{{ c }}_{{ r }}, a{{ r }}, b, 0, 0);
{% endfor %}
{% endfor %}
            }
{% endfor %}
{{ t.products("FMS", "B", B, "A", A, rows, size, i, j, (j, size), i) }}
{{ solved(i, rows, size, false) }}
{{ t.store("A", A, rows, size, i, j) }}
{% endmacro %}
{{ columns(n, n, step, diagonal, below) }}
{% endmacro %}
