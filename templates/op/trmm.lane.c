{# B := alpha A B, A lower triangular: a tile of B at a time from the bottom, whose rows those above do not need. #}
{% import "tile/register_tile.c" as t %}
{% from "tile/loop.c" import along %}
{% from "tile/triangle_loops.c" import cleared with context %}
{% set A, B = body.views %}
{% set m, n = body.size.m, body.size.n %}
{% macro tile(i, j, rows, cols) %}
{{ t.prefetch(ahead) }}
{{ t.zero(rows, cols) }}
{% for s in range(rows) %}
            {
                bb_elem b;
{% for r in range(s + 1 if body.unit else s, rows) %}
                bb_elem a{{ r }};
                BB_GET(a{{ r }}, A + {{ A.at((i, r), (i, s)) }}, {{ A.im }});
{% endfor %}
{% for c in range(cols) %}
                BB_GET(b, B + {{ B.at((i, s), (j, c)) }}, {{ B.im }});
{% for r in range(s, rows) %}
{% if body.unit and r == s %}
                BB_ADD(c{{ c }}_{{ r }}, b);
{% else %}
                BB_FMA(c{{ c }}_{{ r }}, a{{ r }}, b, {{ A.conj | int }}, 0);
{% endif %}
{% endfor %}
{% endfor %}
            }
{% endfor %}
{{ t.products("FMA", "A", A, "B", B, rows, cols, i, j, 0, i) }}
{{ t.scale(rows, cols) }}
{{ t.store("B", B, rows, cols, i, j) }}
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ t.prefetched(ahead) }}
{{ cleared(B, m, n) }}
{% call(j, down) along(segments(n, body.tile.cols), "j") %}
{% call(i, across) along(segments(m, body.tile.rows), "i", backwards=true) %}
{{ tile(i, j, across.size, down.size) }}
{% endcall %}
{% endcall %}
}
