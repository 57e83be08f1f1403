{# Right-hand sides for an LU factorization by panels. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/substitution.c" import solve with context %}
{% from "tile/exchange.c" import fetch with context %}
{% from "tile/loop.c" import along, named %}
{% from "tile/lu_panels.c" import P with context %}
{% macro of_row(i, p) %}inverse[{{ (i, p) | index }}]{% endmacro %}
{# X from the right-hand side, a panel of columns at a time, where matrices are `regular`. #}
{% macro solve_by_panels(A, B, from, n, nrhs) %}
{% set U, X = A.reversed(n, n), P.reversed(n, none) %}
    {{ body.array("inverse") }}
    for (int64_t i = 0; i < {{ n }}; i++) {
        BB_GET(inverse[i], A + {{ U.at("i", "i") }}, {{ A.im }});
        BB_INVERT(inverse[i], 0);
    }
{% call(across) named(segments(nrhs, body.panel), "j") %}
{% set cols = across.size %}
{% call(down) named(segments(n, panel_rows), "i", most=narrow(panel_rows)) %}
{{ fetch(from, "panel", P, down.size, cols) }}
{{ t.products("FMS", "A", A, "panel", P, down.size, cols, "i", 0, 0, "i") }}
{{ solve(A, down.size, cols, "i", true, none) }}
{{ t.store("panel", P, down.size, cols, "i", 0) }}
{% endcall %}
{% call(i, down) along(segments(n, panel_rows), "i", most=narrow(panel_rows)) %}
{{ t.load("panel", X, down.size, cols, i, 0) }}
{{ t.products("FMS", "A", U, "panel", X, down.size, cols, i, 0, 0, i) }}
{{ solve(U, down.size, cols, i, false, of_row) }}
{{ t.store("panel", X, down.size, cols, i, 0) }}
{% endcall %}
    for (int64_t i = 0; i < {{ n }}; i++) {
        bb_elem x, solved;
{% for c in range(cols) %}
        BB_GET(x, {{ from.name }} + {{ from.view.at("i", ("j", c)) }}, {{ from.view.im }});
        BB_GET(solved, panel + {{ P.at("i", c) }}, {{ P.im }});
        BB_TAKE_ELEM(x, regular, solved);
        BB_PUT(B + {{ B.at("i", ("j", c)) }}, {{ B.im }}, x);
{% endfor %}
    }
{% endcall %}
{% endmacro %}
