{# C := alpha A B + beta C, A symmetric or Hermitian, its lower triangle stored. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/loop.c" import along %}
{% set A, B, C = body.views %}
{% set U = A.transposed().conjugated() if body.hermitian else A.transposed() %}
{% set m, n = body.size.m, body.size.n %}
{% macro tile(i, j, rows, cols) %}
{{ "BB_FORGET;" if body.tile.apart }}
{{ t.prefetch(ahead) }}
{{ t.zero(rows, cols) }}
            if (alpha_is) {
{{ t.products("FMA", "A", A, "B", B, rows, cols, i, j, 0, i) }}
{% for s in range(rows) %}
                {
                    bb_elem {{ t.names("a", rows) }}, b;
{% for r in range(rows) %}
{% set X = A if r >= s else U %}
                    BB_GET(a{{ r }}, A + {{ X.at((i, r), (i, s)) }}, {{ X.im }});
{% if r == s and body.hermitian %}
                    BB_REAL(a{{ r }});
{% endif %}
{% endfor %}
{% for c in range(cols) %}
                    BB_GET(b, B + {{ B.at((i, s), (j, c)) }}, {{ B.im }});
{% for r in range(rows) %}
                    BB_FMA(c{{ c }}_{{ r }}, a{{ r }}, b, {{ (A if r >= s else U).conj | int }}, 0);
{% endfor %}
{% endfor %}
                }
{% endfor %}
{{ t.products("FMA", "A", U, "B", B, rows, cols, i, j, (i, rows), m) }}
            }
{{ t.update(C, rows, cols, i, j) }}
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ t.prefetched(ahead) }}
{% call(j, down) along(segments(n, body.tile.cols), "j", most=narrow(body.tile.cols)) %}
{% call(i, across) along(segments(m, body.tile.rows), "i") %}
{{ tile(i, j, across.size, down.size) }}
{% endcall %}
{% endcall %}
}
