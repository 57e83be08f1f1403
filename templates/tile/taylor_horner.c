{# The polynomial by Horner's rule: X := I + B X / k, B is p1. #}
{% from "tile/named_products.c" import get, put, product with context %}
{% from "tile/shared_work.c" import meet, own with context %}
{% set X = body.views[1] %}
{% set n = body.size.n %}
{% macro arrays() %}
{% for name in ["p1", "p2"] %}
    {{ body.array(name) }}
{% endfor %}
{% endmacro %}
{# Each element of X, made by the caller. #}
{% macro each() %}
    {{ own("j", 0, n) }}
        for (int64_t i = 0; i < {{ n }}; i++) {
            bb_elem x;
{{ caller("x", "i", "j") }}
{{ put("x", "X", "i", "j") }}
        }
{% endmacro %}
{% macro powers() %}{% endmacro %}
{% macro polynomial(coefficients) %}
{% call(x, i, j) each() %}
            BB_ZERO({{ x }});
            if ({{ i }} == {{ j }})
                BB_SET_REAL({{ x }}, BB_ZEROS + 1);
{% endcall %}
    {{ meet() }}
    for (int64_t k = {{ coefficients | length - 1 }}; k > 0; k--) {
{% call(x, i, j) product("p1", "X") %}
                BB_TIMES_REAL({{ x }}, (bb_real)1 / k);
{{ put(x, "p2", i, j) }}
{% endcall %}
    {{ meet() }}
{% call(x, i, j) each() %}
{{ get(x, "p2", i, j) }}
            if ({{ i }} == {{ j }})
                BB_SET_REAL({{ x }}, BB_RE({{ x }}) + 1);
{% endcall %}
    {{ meet() }}
    }
{% call(x, i, j) each() %}
{{ get(x, "X", i, j) }}
            BB_TIMES_REAL({{ x }}, mean);
{% endcall %}
{% endmacro %}
