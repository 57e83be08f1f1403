{# A := L* L, one triangle: rows of tiles from the top, for those below do not need them; in a row its diagonal last. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/loop.c" import along, loop %}
{% set A = body.views[0] %}
{% set B = A.transposed().conjugated() %}
{% set n, step = body.size.n, body.tile.rows %}
{% macro tile(i, j, rows, cols, lower) %}
{{ t.prefetch(ahead) }}
{{ t.zero(rows, cols, lower) }}
{% for s in range(rows) %}
            {
                bb_elem a, {{ t.names("b", s + 1 if lower else cols) }};
{% for c in range(s + 1 if lower else cols) %}
                BB_GET(b{{ c }}, A + {{ A.at((i, s), (j, c)) }}, {{ A.im }});
{% endfor %}
{% for r in range(s + 1) %}
                BB_GET(a, A + {{ A.at((i, s), (i, r)) }}, {{ A.im }});
{% for c in range(r + 1 if lower else cols) %}
                BB_FMA(c{{ c }}_{{ r }}, a, b{{ c }}, 1, 0);
{% endfor %}
{% endfor %}
            }
{% endfor %}
{{ t.products("FMA", "A", B, "A", A, rows, cols, i, j, (i, rows), n, lower) }}
{{ t.store("A", A, rows, cols, i, j, lower) }}
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ t.prefetched(ahead) }}
{% call(i, down) along(segments(n, step), "i", even=false) %}
{% call(j) loop("j", 0, i, step) %}
{{ tile(i, j, down.size, step, false) }}
{% endcall %}
        {
{{ tile(i, i, down.size, down.size, true) }}
        }
{% endcall %}
}
