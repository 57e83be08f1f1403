{# LU by panels of four columns from the left. A panel is fetched with all exchanges before it done, reduced by the
   columns left of it, factored, and stored; then its exchanges are done in those columns. `row` says which row of what was
   given stands where, lane by lane. #}
{% import "tile/register_tile.c" as t %}
{% from "tile/exchange.c" import exchange, fetch, lanes with context %}
{% from "tile/loop.c" import named %}
{% from "tile/lu_pivot.c" import pivot with context %}
{% set A, IPIV = body.views %}
{% set m, n = body.size.m, body.size.n %}
{% set k = [m, n] | min %}
{% set P = local(m) %}
{% set step = [1, (4 if width * compute.bytes == 64 else 2) // parts] | max %}
{# Rows i.. of the panel reduced by the columns left of it; above the `done` pivots they are rows of U then, below
   the largest of the first column is found. #}
{% macro reduce(rows, cols) %}
{{ fetch(A, "panel", P, rows, cols) }}
{{ t.products("FMS", "A", A, "panel", P, rows, cols, "i", 0, 0, "end") }}
            if (i < done) {
{% for p in range(rows) %}
{% for r in range(p + 1, rows) %}
                {
                    bb_elem a;
                    BB_GET(a, A + {{ A.at(("i", r), ("i", p)) }}, {{ A.im }});
{% for c in range(cols) %}
                    BB_FMS(c{{ c }}_{{ r }}, a, c{{ c }}_{{ p }}, 0, 0);
{% endfor %}
                }
{% endfor %}
{% endfor %}
            } else {
                bb_vec size;
                BB_CABS1(size, c0_0);
                if (i == done)
                    largest = size;
                else
                    BB_MAX(largest, size);
{% for r in range(1, rows) %}
                BB_CABS1(size, c0_{{ r }});
                BB_MAX(largest, size);
{% endfor %}
            }
{{ t.store("panel", P, rows, cols, "i", 0) }}
{% endmacro %}
{% macro panel(across) %}
        const int64_t done = j < {{ m }} ? j : {{ m }};
        bb_vec largest = BB_ZEROS;
{% call(down) named(segments(m, step), "i") %}
            const int64_t end = i < done ? i : done;
{{ reduce(down.size, across.size) }}
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
        for (int64_t q = 0; q < pivots; q++)
            for (int64_t c = 0; c < done + q; c++) {
                const int64_t p = done + q;
{{ exchange(A, m, "p", "c", "with[q]", trusted=true) }}
            }
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    bb_real panel[{{ m * 4 * parts * width }}]{{ " BB_ALIGNED" if width > 1 }};
    int32_t row[{{ m * width }}], with[4][{{ width }}];
    for (int64_t i = 0; i < {{ m }}; i++)
        for (int lane = 0; lane < {{ width }}; lane++)
            row[i * {{ width }} + lane] = (int32_t)i;
{% call(across) named(segments(n, 4), "j") %}
{{ panel(across) }}
{% endcall %}
}
