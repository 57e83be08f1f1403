{# What lane bodies do with a tile of elements in registers and a triangle. #}
{% from "tile/register_tile.c" import names with context %}
{# The inverses of the diagonal elements from i on. #}
{% macro inverses(A, rows, i) %}
            bb_elem {{ names("inverse", rows) }};
{% for r in range(rows) %}
            BB_GET(inverse{{ r }}, A + {{ A.at((i, r), (i, r)) }}, {{ A.im }});
            BB_INVERT(inverse{{ r }}, {{ A.conj | int }});
{% endfor %}
{% endmacro %}
{# Row p of the tile times an inverse. #}
{% macro scaled(p, cols, inverse) %}
{% for c in range(cols) %}
            BB_TIMES(c{{ c }}_{{ p }}, {{ inverse }});
{% endfor %}
{% endmacro %}
{# The tile := inverse of the triangle of A at i, times the tile, with the `inverse` of each row's diagonal element, or
   one that is taken `anew`. #}
{% macro solve(A, rows, cols, i, unit, inverse, a="A", anew=false) %}
{% for p in range(rows) %}
{% if anew %}
            {
                bb_elem inverse;
                BB_GET(inverse, {{ a }} + {{ A.at((i, p), (i, p)) }}, {{ A.im }});
                BB_INVERT(inverse, {{ A.conj | int }});
{{ scaled(p, cols, "inverse") }}
            }
{% elif not unit %}
{{ scaled(p, cols, inverse(i, p)) }}
{% endif %}
{% for r in range(p + 1, rows) %}
            {
                bb_elem a;
                BB_GET(a, {{ a }} + {{ A.at((i, r), (i, p)) }}, {{ A.im }});
{% for c in range(cols) %}
                BB_FMS(c{{ c }}_{{ r }}, a, c{{ c }}_{{ p }}, {{ A.conj | int }}, 0);
{% endfor %}
            }
{% endfor %}
{% endfor %}
{% endmacro %}
