{# B := alpha A B, A lower triangular: a tile of B at a time from the bottom, whose rows those above do not need. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/loop.c" import along %}
{% from "tile/triangle_loops.c" import cleared with context %}
{% import "tile/held_triangle.c" as h with context %}
{% set A, B = body.views %}
{% set m, n = body.size.m, body.size.n %}
{% set backwards = A.rows_from is not none %}
{# Row r := sum of A(r, l) B(l) in the order in which the rows of B lie: in a triangle read from its end l goes down. A
   diagonal of ones is where sums begin. #}
{% macro triangle(i, j, rows, cols) %}
{% for s in numbers(rows, backwards) if s + body.unit < rows %}
            {
                bb_elem {{ t.names("a", rows, s + body.unit) }}, b;
{% for r in range(s + body.unit, rows) %}
                BB_GET(a{{ r }}, A + {{ A.at((i, r), (i, s)) }}, {{ A.im }});
{% endfor %}
{% for c in range(cols) %}
                BB_GET(b, B + {{ B.at((i, s), (j, c)) }}, {{ B.im }});
{% for r in range(s + body.unit, rows) %}
                BB_FMA(c{{ c }}_{{ r }}, a{{ r }}, b, {{ A.conj | int }}, 0);
{% endfor %}
{% endfor %}
            }
{% endfor %}
{% endmacro %}
{# The same from the last row on: those above are still of B, so of a whole matrix nothing else is in registers. #}
{% macro in_place(i, j, rows, cols) %}
{% for r in numbers(rows, true) %}
{% for s in numbers(r, backwards) %}
            {
                bb_elem a;
                BB_GET(a, A + {{ A.at((i, r), (i, s)) }}, {{ A.im }});
{% for c in range(cols) %}
                BB_FMA(c{{ c }}_{{ r }}, a, c{{ c }}_{{ s }}, {{ A.conj | int }}, 0);
{% endfor %}
            }
{% endfor %}
{% endfor %}
{% endmacro %}
{# A column from its last row on, with all of A in registers. #}
{% macro held() %}
{{ h.load("A", A, m, body.unit) }}
{% call h.columns("B", B, m, n) %}
{% for r in numbers(m, true) %}
            {
                bb_elem x{{ " = c0_" ~ r if body.unit }};
                {{ "BB_ZERO(x);" if not body.unit }}
{% for s in numbers(r + (not body.unit), backwards) %}
                BB_FMA(x, a{{ s }}_{{ r }}, c0_{{ s }}, {{ A.conj | int }}, 0);
{% endfor %}
                c0_{{ r }} = x;
            }
{% endfor %}
{{ t.scale(m, 1) }}
{% endcall %}
{% endmacro %}
{% macro tile(i, j, rows, cols) %}
{{ "BB_FORGET;" if body.tile.apart }}
{{ t.prefetch(ahead) }}
{{ t.load("B", B, rows, cols, i, j) if body.unit else t.zero(rows, cols) }}
{{ t.products("FMA", "A", A, "B", B, rows, cols, i, j, 0, i) if not backwards }}
{{ in_place(i, j, rows, cols) if body.unit and rows == m and not target.simd else triangle(i, j, rows, cols) }}
{{ t.products("FMA", "A", A, "B", B, rows, cols, i, j, 0, i, backwards=true) if backwards }}
{{ t.scale(rows, cols) }}
{{ t.store("B", B, rows, cols, i, j) }}
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ t.prefetched(ahead) }}
{{ cleared(B, m, n) }}
{% if body.tile.held %}
{{ held() }}
{% else %}
{% call(j, down) along(segments(n, body.tile.cols), "j", most=narrow(body.tile.cols)) %}
{% call(i, across) along(segments(m, body.tile.rows), "i", backwards=true) %}
{{ tile(i, j, across.size, down.size) }}
{% endcall %}
{% endcall %}
{% endif %}
}
