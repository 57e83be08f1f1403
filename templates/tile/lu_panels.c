{# LU by panels of a few columns from the left. A panel is fetched with all exchanges before it done, reduced by the
   columns left of it, factored, and stored; then its exchanges are done in those columns. `row` says which row of what
   was given stands where, lane by lane. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/substitution.c" import solve with context %}
{% from "tile/exchange.c" import exchange, fetch with context %}
{% from "tile/exchange_few.c" import exchange_last with context %}
{% from "tile/loop.c" import named %}
{% from "tile/lu_pivot.c" import candidate, pivot with context %}
{% set P = local(body.panel).transposed() %}
{% macro row(r) %}BB_ZEROS + (bb_real){{ "(i + " ~ r ~ ")" if r else "i" }}{% endmacro %}
{# Rows i.. of the panel reduced by the columns left of it; above the `done` pivots they are rows of U then, below
   the first pivot is found. #}
{% macro reduce(A, rows, cols) %}
{{ fetch(body.sources.A, "panel", P, rows, cols) }}
{{ t.products("FMS", "A", A, "panel", P, rows, cols, "i", 0, 0, "end") }}
            if (i < done) {
{{ solve(A, rows, cols, "i", true, none) }}
{% if width > 1 %}
            } else {
                bb_vec size;
{% for r in range(rows) %}
{% call(c) candidate(0, cols, row(r), "" if r else "i == done") %}c{{ c }}_{{ r }}{% endcall %}
{% endfor %}
{% endif %}
            }
{{ t.store("panel", P, rows, cols, "i", 0) }}
{% endmacro %}
{% macro panel(A, IPIV, m, k, across) %}
        const int64_t done = j < {{ m }} ? j : {{ m }};
        bb_vec largest = BB_ZEROS, at = BB_ZEROS;
        bb_elem {{ t.names("best", across.size) }};
{% for c in range(across.size) %}
        BB_ZERO(best{{ c }});
{% endfor %}
{% call(down) named(segments(m, panel_rows), "i", most=narrow(panel_rows)) %}
            const int64_t end = i < done ? i : done;
{{ reduce(A, down.size, across.size) }}
{% endcall %}
{% for q in range(across.size) %}
{% if across.end or k is before(across.stop) %}
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
                const int64_t here = (done + q) * {{ width }} + lane, there = with[q][lane] * {{ width }} + lane;
                const int32_t moved = row[here];
                row[here] = row[there];
                row[there] = moved;
            }
{% set last = last_panel(m, k) %}
{% if last %}
        if (done == {{ last.first }}) {
{{ exchange_last(A, last) }}
        } else
{% endif %}
        for (int64_t p = done; p < done + pivots; p++)
            for (int64_t c = 0; c < p; c++) {
{{ exchange(A, m, "p", "c", "with[p - done]", trusted=true) }}
            }
{% endmacro %}
{% macro factor_by_panels(A, IPIV, m, n) %}
    {{ body.array("panel", "BB_ALIGNED" if width > 1 else "") }}
    {{ body.array("row") }}
    int32_t with[{{ body.panel }}][{{ width }}];
    for (int64_t i = 0; i < {{ m }}; i++)
        for (int lane = 0; lane < {{ width }}; lane++)
            row[i * {{ width }} + lane] = (int32_t)i;
{% call(across) named(segments(n, body.panel), "j") %}
{{ panel(A, IPIV, m, least(m, n), across) }}
{% endcall %}
{% endmacro %}
