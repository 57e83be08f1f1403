{# X and V with exp(A) = V^-1 X: the Pade approximant whose numerator has the coefficients b, its odd terms A times a
   polynomial in A A. What is added to a product is added where its tile is, so each matrix is written once. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/loop.c" import along %}
{% set A, X, V = body.views %}
{% set n, step = body.size.n, body.tile.rows %}
{% macro at(i, j) %}[({{ j | index }}) * {{ n }} + {{ i | index }}]{% endmacro %}
{% macro get(x, matrix, i, j) %}
{% if matrix == "A" %}
                BB_GET({{ x }}, A + {{ A.at(i, j) }}, {{ A.im }});
{% else %}
                {{ x }} = {{ matrix }}{{ at(i, j) }};
{% endif %}
{% endmacro %}
{# x += real y #}
{% macro add(x, real, y) %}
                {{ x }}{{ ".re" if complex }} += {{ y }}{{ ".re" if complex }} * (bb_real){{ real }};
                {{ x ~ ".im += " ~ y ~ ".im * (bb_real)" ~ real ~ ";" if complex }}
{% endmacro %}
{# x += the terms of a polynomial, from that of the second power on, at one place. #}
{% macro terms(b, x, first, i, j) %}
{{ add(x, b[first + 4], "p6" ~ at(i, j)) }}
{{ add(x, b[first + 2], "p4" ~ at(i, j)) }}
{{ add(x, b[first], "p2" ~ at(i, j)) }}
{% endmacro %}
{# The tiles of a product. #}
{% macro product(left, right) %}
{% set each = caller %}
{% call(j, across) along(segments(n, step), "j", even=false) %}
{% call(i, down) along(segments(n, step), "i", even=false) %}
            {
{{ t.zero(down.size, across.size) }}
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
{% macro every() %}
    for (int64_t j = 0; j < {{ n }}; j++)
        for (int64_t i = 0; i < {{ n }}; i++) {
            bb_elem x;
            BB_ZERO(x);
{{ caller() }}
        }
{% endmacro %}
{% macro results(b, x, i, j) %}
{{ terms(b, x, 2, i, j) }}
                BB_SUB({{ x }}, u{{ at(i, j) }});
                BB_PUT(V + {{ V.at(i, j) }}, {{ V.im }}, {{ x }});
{{ add(x, 2, "u" ~ at(i, j)) }}
                BB_PUT(X + {{ X.at(i, j) }}, {{ X.im }}, {{ x }});
{% endmacro %}
{% macro approximant(b) %}
{% for name in ["p2", "p4", "p6", "t", "u"] + (["odd", "even"] if b | length > 8 else []) %}
    {{ body.array(name) }}
{% endfor %}
{% for to, left, right in [("p2", "A", "A"), ("p4", "p2", "p2"), ("p6", "p4", "p2")] %}
{% call(x, i, j) product(left, right) %}
                {{ to }}{{ at(i, j) }} = {{ x }};
{% endcall %}
{% endfor %}
{% if b | length > 8 %}
{% call every() %}
            bb_elem y;
            BB_ZERO(y);
{{ terms(b, "x", 9, "i", "j") }}
{{ terms(b, "y", 8, "i", "j") }}
            odd{{ at("i", "j") }} = x;
            even{{ at("i", "j") }} = y;
{% endcall %}
{% call(x, i, j) product("p6", "odd") %}
{{ terms(b, x, 3, i, j) }}
                t{{ at(i, j) }} = {{ x }};
{% endcall %}
{% else %}
{% call every() %}
{{ terms(b, "x", 3, "i", "j") }}
            t{{ at("i", "j") }} = x;
{% endcall %}
{% endif %}
    for (int64_t i = 0; i < {{ n }}; i++)
        t{{ at("i", "i") }}{{ ".re" if complex }} += (bb_real){{ b[1] }};
{% call(x, i, j) product("A", "t") %}
                u{{ at(i, j) }} = {{ x }};
{% endcall %}
{% if b | length > 8 %}
{% call(x, i, j) product("p6", "even") %}
{{ results(b, x, i, j) }}
{% endcall %}
{% else %}
{% call every() %}
{{ results(b, "x", "i", "j") }}
{% endcall %}
{% endif %}
    for (int64_t i = 0; i < {{ n }}; i++) {
        bb_elem x;
{% for name, Y in [("X", X), ("V", V)] %}
        BB_GET(x, {{ name }} + {{ Y.at("i", "i") }}, {{ Y.im }});
        x{{ ".re" if complex }} += (bb_real){{ b[0] }};
        BB_PUT({{ name }} + {{ Y.at("i", "i") }}, {{ Y.im }}, x);
{% endfor %}
    }
{% endmacro %}
