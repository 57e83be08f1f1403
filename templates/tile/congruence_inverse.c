{# L^-1 A L^-* = T + T*, T lower: Y = L T is found from A = Y L* + L Y*, column after column, then T from Y. The terms
   of a sum have one order, whatever the tiles. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/triangle_loops.c" import columns with context %}
{% from "tile/triangle_solve.c" import inverse, solve with context %}
{% macro transform(A, B) %}
{% set n, step = body.size.n, body.tile.rows %}
{# What column l of X and of Z has in a tile's sums: X(i.., l) conj(Z(j.., l)). #}
{% macro term(x, X, z, Z, i, j, rows, cols, lower) %}
                {
                    bb_elem {{ t.names("a", rows) }}, b;
{% for r in range(rows) %}
                    BB_GET(a{{ r }}, {{ x }} + {{ X.at((i, r), "l") }}, {{ X.im }});
{% endfor %}
{% for c in range(cols) %}
                    BB_GET(b, {{ z }} + {{ Z.at((j, c), "l") }}, {{ Z.im }});
{% for r in range(c if lower else 0, rows) %}
                    BB_FMS(c{{ c }}_{{ r }}, a{{ r }}, b, 0, 1);
{% endfor %}
{% endfor %}
                }
{% endmacro %}
{# Column p of a tile less what column q of L has in it, from row `first` on. #}
{% macro taken(i, j, p, q, rows, first, lower) %}
{% if first < rows %}
            {
                bb_elem a{{ ", y" if not lower }};
{% if not lower %}
                BB_GET(y, A + {{ A.at((j, p), (j, q)) }}, {{ A.im }});
{% endif %}
{% for r in range(first, rows) %}
                BB_GET(a, B + {{ B.at((i, r), (j, q)) }}, {{ B.im }});
                BB_FMS(c{{ p }}_{{ r }}, a, {{ "c" ~ q ~ "_" ~ p if lower else "y" }}, 0, 1);
{% endfor %}
            }
{% endif %}
{% endmacro %}
{# A tile of Y. Of the tile on the diagonal what its columns need of each other is in registers. #}
{% macro found(i, j, rows, cols, lower) %}
        {
{{ t.load("A", A, rows, cols, i, j, lower) }}
{% if 0 is before(j) %}
            for (int64_t l = 0; l < {{ j | index }}; l++) {
{{ term("A", A, "B", B, i, j, rows, cols, lower) }}
{{ term("B", B, "A", A, i, j, rows, cols, lower) }}
            }
{% endif %}
{% for p in range(cols) %}
{% for q in range(p) %}
            {
                bb_elem b;
                BB_GET(b, B + {{ B.at((j, p), (j, q)) }}, {{ B.im }});
{% for r in range(p if lower else 0, rows) %}
                BB_FMS(c{{ p }}_{{ r }}, c{{ q }}_{{ r }}, b, 0, 1);
{% endfor %}
            }
{{ taken(i, j, p, q, rows, p if lower else 0, lower) }}
{% endfor %}
{% if lower %}
            BB_REAL(c{{ p }}_{{ p }});
            BB_TIMES_REAL(c{{ p }}_{{ p }}, {{ inverse(j, p) }} * (bb_real)0.5);
{% endif %}
{{ taken(i, j, p, p, rows, p + 1 if lower else 0, lower) }}
{% for r in range(p + 1 if lower else 0, rows) %}
            BB_TIMES_REAL(c{{ p }}_{{ r }}, {{ inverse(j, p) }});
{% endfor %}
{% endfor %}
{{ t.store("A", A, rows, cols, i, j, lower) }}
        }
{% endmacro %}
{% macro diagonal(j, size) %}
{{ found(j, j, size, size, true) }}
{% endmacro %}
{% macro below(i, j, rows, size) %}
{{ found(i, j, rows, size, false) }}
{% endmacro %}
    {{ body.array("inverse", "BB_ALIGNED" if width > 1 else "") }}
    for (int64_t i = 0; i < {{ n }}; i++) {
        bb_elem x;
        BB_GET(x, B + {{ B.at("i", "i") }}, {{ B.im }});
        bb_reciprocal(&BB_RE(inverse[i]), &BB_RE(x));
    }
{{ columns(n, n, step, diagonal, below) }}
{{ solve(A, B, n, step) }}
    for (int64_t i = 0; i < {{ n }}; i++) {
        bb_elem x;
        BB_GET(x, A + {{ A.at("i", "i") }}, {{ A.im }});
        BB_TIMES_REAL(x, BB_ZEROS + 2);
        BB_PUT(A + {{ A.at("i", "i") }}, {{ A.im }}, x);
    }
{% endmacro %}
