{# Products of what is as large as A: operands, A, X and V, or arrays, by name, and `onto`, an array that is added. The
   caller gets each element. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/loop.c" import along %}
{% set A, X = body.views[:2] %}
{% set n, step = body.size.n, body.tile.rows %}
{% set views = dict(A=A, X=X, V=body.views | last) %}
{% macro at(i, j) %}[({{ j | index }}) * {{ n }} + {{ i | index }}]{% endmacro %}
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
{% macro product(left, right, onto="") %}
{% set each = caller %}
{% call(j, across) along(segments(n, step), "j", even=false) %}
{% call(i, down) along(segments(n, step), "i", even=false) %}
            {
{{ t.zero(down.size, across.size) }}
{% call(r, c) t.each(down.size, across.size) %}
{{ get("c" ~ c ~ "_" ~ r, onto, (i, r), (j, c)) if onto }}
{% endcall %}
            for (int64_t l = 0; l < {{ n }}; l++) {
                bb_elem {{ t.names("a", down.size) }}, b;
{% for r in range(down.size) %}
{{ get("a" ~ r, left, (i, r), "l") }}
                BB_HOLD(a{{ r }});
{% endfor %}
{% for c in range(across.size) %}
{{ get("b", right, "l", (j, c)) }}
                BB_HOLD(b);
{% for r in range(down.size) %}
                BB_FMA(c{{ c }}_{{ r }}, a{{ r }}, b, 0, 0);
{% endfor %}
{% endfor %}
            }
{% call(r, c) t.each(down.size, across.size) %}
{{ each("c" ~ c ~ "_" ~ r, (i, r), (j, c)) }}
{% endcall %}
            }
{% endcall %}
{% endcall %}
{% endmacro %}
