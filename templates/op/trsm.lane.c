{# X with A X = alpha B, A lower triangular, overwrites B: a tile of X at a time from the top. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/substitution.c" import solve with context %}
{% from "tile/loop.c" import along %}
{% from "tile/triangle_loops.c" import cleared with context %}
{% import "tile/held_triangle.c" as h with context %}
{% set A, B = body.views %}
{% set m, n = body.size.m, body.size.n %}
{# Threads of GPUs have no arrays in registers: they invert anew for each tile. #}
{% set kept, anew = target.simd and not body.unit, not target.simd and not body.unit %}
{% macro of_row(i, p) %}inverse[{{ (i, p) | index }}]{% endmacro %}
{% macro held() %}
{{ h.load("A", A, m, body.unit) }}
{% for r in range(m) if not body.unit %}
    BB_INVERT(a{{ r }}_{{ r }}, {{ A.conj | int }});
{% endfor %}
{% call h.columns("B", B, m, n) %}
{{ t.scale(m, 1) }}
{% for p in range(m) %}
{% if not body.unit %}
            BB_TIMES(c0_{{ p }}, a{{ p }}_{{ p }});
{% endif %}
{% for r in range(p + 1, m) %}
            BB_FMS(c0_{{ r }}, a{{ p }}_{{ r }}, c0_{{ p }}, {{ A.conj | int }}, 0);
{% endfor %}
{% endfor %}
{% endcall %}
{% endmacro %}
{% macro tile(i, j, rows, cols) %}
{{ "BB_FORGET;" if body.tile.apart }}
{{ t.prefetch(ahead) }}
{{ t.load("B", B, rows, cols, i, j) }}
{{ t.scale(rows, cols) }}
{{ t.products("FMS", "A", A, "B", B, rows, cols, i, j, 0, i) }}
{{ solve(A, rows, cols, i, body.unit, of_row, anew=anew) }}
{{ t.store("B", B, rows, cols, i, j) }}
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ t.prefetched(ahead) }}
{{ cleared(B, m, n) }}
{% if kept %}
    {{ body.array("inverse") }}
    for (int64_t i = 0; i < {{ m }}; i++) {
        BB_GET(inverse[i], A + {{ A.at("i", "i") }}, {{ A.im }});
        BB_INVERT(inverse[i], {{ A.conj | int }});
    }
{% endif %}
{% if body.tile.held %}
{{ held() }}
{% else %}
{% call(j, down) along(segments(n, body.tile.cols), "j", most=narrow(body.tile.cols)) %}
{% call(i, across) along(segments(m, body.tile.rows), "i") %}
{{ tile(i, j, across.size, down.size) }}
{% endcall %}
{% endcall %}
{% endif %}
}
