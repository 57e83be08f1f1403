{# A := L^-1: rows of tiles from the top, in a row from the left: -inv(L_ii) (L_i. X_.j) needs what is above and not yet
   overwritten beside it. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/substitution.c" import inverses, solve with context %}
{% from "tile/loop.c" import along, loop %}
{% set A = body.views[0] %}
{% set n, step = body.size.n, body.tile.rows %}
{% macro of_row(i, p) %}inverse{{ p }}{% endmacro %}
{% macro beside(i, j, rows, cols) %}
{{ t.prefetch(ahead) }}
{{ t.zero(rows, cols) }}
{% for s in range(cols) %}
            {
                bb_elem {{ t.names("a", rows) }}{{ ", b" if s or not body.unit }};
{% for r in range(rows) %}
                BB_GET(a{{ r }}, A + {{ A.at((i, r), (j, s)) }}, {{ A.im }});
{% endfor %}
{% for c in range(s if body.unit else s + 1) %}
                BB_GET(b, A + {{ A.at((j, s), (j, c)) }}, {{ A.im }});
{% for r in range(rows) %}
                BB_FMS(c{{ c }}_{{ r }}, a{{ r }}, b, 0, 0);
{% endfor %}
{% endfor %}
{% if body.unit %}
{% for r in range(rows) %}
                BB_SUB(c{{ s }}_{{ r }}, a{{ r }});
{% endfor %}
{% endif %}
            }
{% endfor %}
{{ t.products("FMS", "A", A, "A", A, rows, cols, i, j, (j, cols), i) }}
{{ solve(A, rows, cols, i, body.unit, of_row) }}
{{ t.store("A", A, rows, cols, i, j) }}
{% endmacro %}
{% macro diagonal(i, size) %}
{{ t.prefetch(ahead) }}
{{ t.load("A", A, size, size, i, i, true) }}
{% for c in range(size) %}
{% if not body.unit %}
            c{{ c }}_{{ c }} = inverse{{ c }};
{% endif %}
{% for r in range(c + 1, size) %}
            {
                bb_elem x;
                BB_ZERO(x);
{% for s in range(c, r) %}
{% if s == c and body.unit %}
                BB_SUB(x, c{{ c }}_{{ r }});
{% else %}
                BB_FMS(x, c{{ s }}_{{ r }}, c{{ c }}_{{ s }}, 0, 0);
{% endif %}
{% endfor %}
{% if not body.unit %}
                BB_TIMES(x, inverse{{ r }});
{% endif %}
                c{{ c }}_{{ r }} = x;
            }
{% endfor %}
{% endfor %}
{{ t.store("A", A, size, size, i, i, true) }}
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ t.prefetched(ahead) }}
{% call(i, down) along(segments(n, step), "i", even=false) %}
{% if not body.unit %}
{{ inverses(A, down.size, i) }}
{% endif %}
{% call(j) loop("j", 0, i, step) %}
{{ beside(i, j, down.size, step) }}
{% endcall %}
        {
{{ diagonal(i, down.size) }}
        }
{% endcall %}
}
