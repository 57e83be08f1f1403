{# X and V with exp(A) = V^-1 X: the Pade approximant whose numerator has the coefficients b, its odd terms A times a
   polynomial in A A. What is added to a product is added where its tile is, so each matrix is written once. #}
{% from "tile/named_products.c" import at, get, product, put with context %}
{% from "tile/shared_work.c" import meet, own with context %}
{% set A, X, V = body.views %}
{% set n = body.size.n %}
{# x += real y #}
{% macro add(x, real, y) %}
                {{ x }}{{ ".re" if complex }} += {{ y }}{{ ".re" if complex }} * (bb_real){{ real }};
                {{ x ~ ".im += " ~ y ~ ".im * (bb_real)" ~ real ~ ";" if complex }}
{% endmacro %}
{# x += the terms of a polynomial, from that of the second power on, where the powers are `q2 q4 q6`. #}
{% macro terms(b, x, first) %}
{{ add(x, b[first + 4], "q6") }}
{{ add(x, b[first + 2], "q4") }}
{{ add(x, b[first], "q2") }}
{% endmacro %}
{# The powers at one place, `sixth` where that is at hand. #}
{% macro powers(i, j, sixth=none) %}
                bb_elem q2, q4, q6;
{{ get("q2", "p2", i, j) }}
{{ get("q4", "V", i, j) }}
{% if sixth %}
                q6 = {{ sixth }};
{% else %}
{{ get("q6", "p6", i, j) }}
{% endif %}
{% endmacro %}
{# A polynomial at one place, from its terms. #}
{% macro polynomial(b, first, to, i, j) %}
                {
                    bb_elem x;
                    BB_ZERO(x);
{{ terms(b, "x", first) }}
{{ put("x", to, i, j) }}
                }
{% endmacro %}
{% macro results(b, x, i, j) %}
                {
{{ powers(i, j) }}
{{ terms(b, x, 2) }}
                }
                BB_SUB({{ x }}, u{{ at(i, j) }});
{{ put(x, "V", i, j) }}
{{ add(x, 2, "u" ~ at(i, j)) }}
{{ put(x, "X", i, j) }}
{% endmacro %}
{# X and V have other things first, so that all stays in a cache: V the fourth power, X a polynomial. #}
{% macro approximant(b) %}
{% set long = b | length > 8 %}
{% for name in ["p2", "p6", "u"] + (["even"] if long else []) %}
    {{ body.array(name) }}
{% endfor %}
{% for to, left, right in [("p2", "A", "A"), ("V", "p2", "p2")] %}
{% call(x, i, j) product(left, right) %}
{{ put(x, to, i, j) }}
{% endcall %}
    {{ meet() }}
{% endfor %}
{% call(x, i, j) product("V", "p2") %}
                {
{{ powers(i, j, x) }}
{{ put("q6", "p6", i, j) }}
{% if long %}
{{ polynomial(b, 9, "u", i, j) }}
{{ polynomial(b, 8, "even", i, j) }}
{% else %}
{{ polynomial(b, 3, "X", i, j) }}
{% endif %}
                }
{% endcall %}
    {{ meet() }}
{% if long %}
{% call(x, i, j) product("p6", "u") %}
                {
{{ powers(i, j) }}
{{ terms(b, x, 3) }}
                }
{{ put(x, "X", i, j) }}
{% endcall %}
    {{ meet() }}
{% endif %}
    {{ own("i", 0, n) }} {
        bb_elem x;
        BB_GET(x, X + {{ X.at("i", "i") }}, {{ X.im }});
        x{{ ".re" if complex }} += (bb_real){{ b[1] }};
        BB_PUT(X + {{ X.at("i", "i") }}, {{ X.im }}, x);
    }
    {{ meet() }}
{% call(x, i, j) product("A", "X") %}
                u{{ at(i, j) }} = {{ x }};
{% endcall %}
    {{ meet() }}
{% if long %}
{% call(x, i, j) product("p6", "even") %}
{{ results(b, x, i, j) }}
{% endcall %}
    {{ meet() }}
{% else %}
    {{ own("j", 0, n) }}
        for (int64_t i = 0; i < {{ n }}; i++) {
            bb_elem x;
            BB_ZERO(x);
{{ results(b, "x", "i", "j") }}
        }
{% endif %}
    {{ own("i", 0, n) }} {
        bb_elem x;
{% for name, Y in [("X", X), ("V", V)] %}
        BB_GET(x, {{ name }} + {{ Y.at("i", "i") }}, {{ Y.im }});
        x{{ ".re" if complex }} += (bb_real){{ b[0] }};
        BB_PUT({{ name }} + {{ Y.at("i", "i") }}, {{ Y.im }}, x);
{% endfor %}
    }
{% endmacro %}
