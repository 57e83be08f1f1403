{# Products of what is as large as A: operands, A, X and V, or arrays, by name, and `onto`, an array that is added. The
   caller gets each element. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/loop.c" import along %}
{% from "tile/shared_work.c" import lead, own, team with context %}
{% set A, X = body.views[:2] %}
{% set n, step = body.size.n, body.tile.rows %}
{% set views = dict(A=A, X=X, V=body.views | last) %}
{% macro at(i, j) %}[({{ j | index }}) * {{ lead(n) }} + {{ i | index }}]{% endmacro %}
{% macro get(x, matrix, i, j) %}
{% set own = views.get(matrix) %}
{% if own %}
                BB_GET({{ x }}, {{ matrix }} + {{ own.at(i, j) }}, {{ own.im }});
{% else %}
                {{ x }} = {{ matrix }}{{ at(i, j) }};
{% endif %}
{% endmacro %}
{% macro put(x, matrix, i, j) %}
{% set own = views.get(matrix) %}
{% if own %}
                BB_PUT({{ matrix }} + {{ own.at(i, j) }}, {{ own.im }}, {{ x }});
{% else %}
                {{ matrix }}{{ at(i, j) }} = {{ x }};
{% endif %}
{% endmacro %}
{# One tile of a product. #}
{% macro tile(each, left, right, onto, i, j, rows, cols) %}
            {
{{ t.zero(rows, cols) }}
{% call(r, c) t.each(rows, cols) %}
{{ get("c" ~ c ~ "_" ~ r, onto, (i, r), (j, c)) if onto }}
{% endcall %}
            for (int64_t l = 0; l < {{ n }}; l++) {
                bb_elem {{ t.names("a", rows) }}, b;
{% for r in range(rows) %}
{{ get("a" ~ r, left, (i, r), "l") }}
                BB_HOLD(a{{ r }});
{% endfor %}
{% for c in range(cols) %}
{{ get("b", right, "l", (j, c)) }}
                BB_HOLD(b);
{% for r in range(rows) %}
                BB_FMA(c{{ c }}_{{ r }}, a{{ r }}, b, 0, 0);
{% endfor %}
{% endfor %}
            }
{% call(r, c) t.each(rows, cols) %}
{{ each("c" ~ c ~ "_" ~ r, (i, r), (j, c)) }}
{% endcall %}
            }
{% endmacro %}
{# Of a team each lane has tiles of its own; where others are read next callers meet. #}
{% macro product(left, right, onto="") %}
{% set each = caller %}
{% if team %}
        {{ own("piece", 0, body.share.pieces) }} {
            const int64_t i = piece % {{ body.share.counts.m }} * {{ body.tile.rows }};
            const int64_t j = piece / {{ body.share.counts.m }} * {{ body.tile.cols }};
{{ tile(each, left, right, onto, "i", "j", body.tile.rows, body.tile.cols) }}
        }
{% else %}
{% call(j, across) along(segments(n, step), "j", even=false) %}
{% call(i, down) along(segments(n, step), "i", even=false) %}
{{ tile(each, left, right, onto, i, j, down.size, across.size) }}
{% endcall %}
{% endcall %}
{% endif %}
{% endmacro %}
