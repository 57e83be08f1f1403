{# LU by panels of a few columns from the left. A panel is fetched with all exchanges before it done, reduced by the
   columns left of it, factored, and stored; then its exchanges are done in those columns. `row` says which row of what was
   given stands where, lane by lane. #}
{% import "tile/register_tile.c" as t %}
{% from "tile/exchange.c" import exchange, fetch, lanes with context %}
{% from "tile/loop.c" import along, named %}
{% from "tile/lu_pivot.c" import candidate, pivot with context %}
{% set P = local(body.panel).transposed() %}
{% set step = [1, (4 if width * compute.bytes == 64 else 2) // parts] | max %}
{# The tile times the inverse of the unit triangle of L in its rows. #}
{% macro reduce_triangle(A, rows, cols) %}
{{ t.solve(A, rows, cols, "i", true, none) }}
{% endmacro %}
{# Rows i.. of the panel reduced by the columns left of it; above the `done` pivots they are rows of U then, below
   the first pivot is found. #}
{% macro reduce(A, rows, cols) %}
{{ fetch(body.sources.A, "panel", P, rows, cols) }}
{{ t.products("FMS", "A", A, "panel", P, rows, cols, "i", 0, 0, "end") }}
            if (i < done) {
{{ reduce_triangle(A, rows, cols) }}
            }{{ " else {" if width > 1 }}
{% if width > 1 %}
                bb_vec size;
{% for r in range(rows) %}
{% call(c) candidate(0, cols, "BB_ZEROS + (bb_real)" ~ (("(i + %d)" % r) if r else "i"), "i == done" if not r else "") %}c{{ c }}_{{ r }}{% endcall %}
{% endfor %}
            }
{% endif %}
{{ t.store("panel", P, rows, cols, "i", 0) }}
{% endmacro %}
{% macro panel(A, IPIV, m, k, across) %}
        const int64_t done = j < {{ m }} ? j : {{ m }};
        bb_vec largest = BB_ZEROS, at = BB_ZEROS;
        bb_elem {{ t.names("best", across.size) }};
{% for c in range(across.size) %}
        BB_ZERO(best{{ c }});
{% endfor %}
{% call(down) named(segments(m, step), "i") %}
            const int64_t end = i < done ? i : done;
{{ reduce(A, down.size, across.size) }}
{% endcall %}
{% for q in range(across.size) %}
{% if across.stop > k %}
        if (j + {{ q }} < {{ k }})
{% endif %}
{{ pivot(P, IPIV, m, q, across.size) }}
{% endfor %}
        for (int64_t i = 0; i < {{ m }}; i++) {
            bb_elem x;
{% for c in range(across.size) %}
            BB_GET(x, panel + {{ P.at("i", c) }}, {{ P.im }});
            BB_PUT(A + {{ A.at("i", ("j", c)) }}, {{ A.im }}, x);
{% endfor %}
        }
        const int64_t pivots = {{ k }} - done < {{ across.size }} ? {{ k }} - done : {{ across.size }};
        for (int64_t q = 0; q < pivots; q++)
            for (int lane = 0; lane < {{ width }}; lane++) {
                const int64_t here = (done + q) * {{ width }} + lane, there = {{ lanes("with[q]") }} * {{ width }} + lane;
                const int32_t moved = row[here];
                row[here] = row[there];
                row[there] = moved;
            }
{% set last = (k - 1) // body.panel * body.panel %}
{% set few = width > 1 and (m - last) * parts <= 8 %}
{% if few %}
        if (done == {{ last }}) {
{{ exchange_last(A, m, k, last) }}
        } else
{% endif %}
        for (int64_t q = 0; q < pivots; q++)
            for (int64_t c = 0; c < done + q; c++) {
                const int64_t p = done + q;
{{ exchange(A, m, "p", "c", "with[q]", trusted=true) }}
            }
{% endmacro %}
{# The exchanges of the last panel, whose rows are few, in all columns before each. #}
{% macro exchange_last(A, m, k, last) %}
{% set pivots = [k, m - 1] | min - last %}
{% if pivots %}
            bb_vec {{ t.names("with", pivots) }};
{% for q in range(pivots) %}
            BB_GET_LOCAL(with{{ q }}, with[{{ q }}]);
{% endfor %}
            for (int64_t c = 0; c < {{ last }}; c++) {
{{ exchange_few(A, m, last, pivots, 0, "c") }}
            }
{% for c in range(1, pivots) %}
            {
{{ exchange_few(A, m, last, pivots, c, last + c - 1) }}
            }
{% endfor %}
{% endif %}
{% endmacro %}
{% macro exchange_few(A, m, last, pivots, first, col) %}
                bb_elem {{ t.names("x", m - last, first) }};
                bb_mask taken;
{% for i in range(first, m - last) %}
                BB_GET(x{{ i }}, A + {{ A.at(last + i, col) }}, {{ A.im }});
{% endfor %}
{% for q in range(first, pivots) %}
                {
                    const bb_elem top = x{{ q }};
{% for i in range(q + 1, m - last) %}
                    BB_EQUAL(taken, with{{ q }}, BB_ZEROS + {{ last + i }});
                    BB_TAKE_ELEM(x{{ q }}, taken, x{{ i }});
                    BB_TAKE_ELEM(x{{ i }}, taken, top);
{% endfor %}
                }
{% endfor %}
{% for i in range(first, m - last) %}
                BB_PUT(A + {{ A.at(last + i, col) }}, {{ A.im }}, x{{ i }});
{% endfor %}
{% endmacro %}
{% macro factor_by_panels(A, IPIV, m, n) %}
    bb_real panel[{{ m * body.panel * parts * width }}]{{ " BB_ALIGNED" if width > 1 }};
    int32_t row[{{ m * width }}], with[{{ body.panel }}][{{ width }}];
    for (int64_t i = 0; i < {{ m }}; i++)
        for (int lane = 0; lane < {{ width }}; lane++)
            row[i * {{ width }} + lane] = (int32_t)i;
{% call(across) named(segments(n, body.panel), "j") %}
{{ panel(A, IPIV, m, [m, n] | min, across) }}
{% endcall %}
{% endmacro %}
{% macro of_row(i, p) %}inverse[{{ (i, p) | index }}]{% endmacro %}
{# X from the right-hand side, a panel of columns at a time, where matrices are `regular`. #}
{% macro solve_by_panels(A, B, from, n, nrhs) %}
{% set U, X = A.reversed(n, n), P.reversed(n, none) %}
    bb_elem inverse[{{ n }}];
    for (int64_t i = 0; i < {{ n }}; i++) {
        BB_GET(inverse[i], A + {{ U.at("i", "i") }}, {{ A.im }});
        BB_INVERT(inverse[i], 0);
    }
{% call(across) named(segments(nrhs, body.panel), "j") %}
{% set cols = across.size %}
{% call(down) named(segments(n, step), "i") %}
{{ fetch(from, "panel", P, down.size, cols) }}
{{ t.products("FMS", "A", A, "panel", P, down.size, cols, "i", 0, 0, "i") }}
{{ reduce_triangle(A, down.size, cols) }}
{{ t.store("panel", P, down.size, cols, "i", 0) }}
{% endcall %}
{% call(i, down) along(segments(n, step), "i") %}
{{ t.load("panel", X, down.size, cols, i, 0) }}
{{ t.products("FMS", "A", U, "panel", X, down.size, cols, i, 0, 0, i) }}
{{ t.solve(U, down.size, cols, i, false, of_row) }}
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
