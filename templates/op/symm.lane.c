{# C := alpha A B + beta C, A symmetric or Hermitian, its lower triangle stored. #}
{% import "tile/register_tile.c" as t %}
{% set A, B, C = body.views %}
{% set U = A.transposed().conjugated() if body.hermitian else A.transposed() %}
{% set m, n = body.size.m, body.size.n %}
{# A loop that is known to have no steps would only be warned of. #}
{% macro tile(across, cols) %}
{% set rows = across.size %}
{{ t.prefetch(ahead) }}
{{ t.zero(rows, cols) }}
            if (alpha_is) {
{% if across.start or across.repeats > 1 %}
{{ t.products("FMA", "A", A, "B", B, rows, cols, "i", "j", 0, "i") }}
{% endif %}
{% for s in range(rows) %}
                {
                    bb_elem {{ t.names("a", rows) }}, b;
{% for r in range(rows) %}
{% set X = A if r >= s else U %}
                    BB_GET(a{{ r }}, A + {{ X.at(("i", r), ("i", s)) }}, {{ X.im }});
{% if r == s and body.hermitian %}
                    BB_REAL(a{{ r }});
{% endif %}
{% endfor %}
{% for c in range(cols) %}
                    BB_GET(b, B + {{ B.at(("i", s), ("j", c)) }}, {{ B.im }});
{% for r in range(rows) %}
                    BB_FMA(c{{ c }}_{{ r }}, a{{ r }}, b, {{ (A if r >= s else U).conj | int }}, 0);
{% endfor %}
{% endfor %}
                }
{% endfor %}
{% if across.start + rows < m %}
{{ t.products("FMA", "A", U, "B", B, rows, cols, "i", "j", "i + %d" % rows, m) }}
{% endif %}
            }
{{ t.update(C, rows, cols, "i", "j") }}
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ t.prefetched(ahead) }}
{% for down in segments(n, body.tile.cols) %}
    {{ down.open("j") }}
{% for across in segments(m, body.tile.rows) %}
        {{ across.open("i") }}
{{ tile(across, down.size) }}
        }
{% endfor %}
    }
{% endfor %}
}
