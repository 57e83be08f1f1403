{# A polynomial in B, p1, modulo its characteristic polynomial, of which B is a root: so only coefficients go through
   Horner's rule, and what is left is of degree n - 1. #}
{% from "tile/named_products.c" import at, get, put, product with context %}
{% from "tile/shared_work.c" import meet, own with context %}
{% from "tile/characteristic.c" import known, lifted, newton, traces with context %}
{% import "tile/register_tile.c" as t with context %}
{% set X = body.views[1] %}
{% set n = body.size.n %}
{% set last = known.powers | last %}
{% set terms = known.high | length %}
{% macro horner(coefficients) %}
    bb_elem top, {{ t.names("g", n) }};
{% for j in range(n) %}
    BB_ZERO(g{{ j }});
    BB_SET_REAL(g{{ j }}, BB_ZEROS + (bb_real){{ coefficients[j - n] }});
{% endfor %}
{% for c in coefficients[:-n] | reverse %}
    top = g{{ known.step()[0][0] }};
{% for j, below, a in known.step() %}
{% if below >= 0 %}
    g{{ j }} = g{{ below }};
{% else %}
    BB_ZERO(g{{ j }});
    BB_SET_REAL(g{{ j }}, BB_ZEROS + (bb_real){{ c }});
{% endif %}
{% if a %}
    BB_FMA(g{{ j }}, a{{ a }}, top, 0, 0);
{% endif %}
{% endfor %}
{% endfor %}
{% for j in range(n) %}
    BB_SCALED(g{{ j }}, mean);
{% if known.most %}
    mean *= lift;
{% endif %}
{% endfor %}
{% endmacro %}
{# x += what these powers have at (i, j), by the number of the coefficient of each. #}
{% macro sum(x, i, j, powers) %}
{% for k, power in powers %}
            BB_FMA({{ x }}, g{{ k }}, p{{ power }}{{ at(i, j) }}, 0, 0);
{% endfor %}
{% endmacro %}
{% macro arrays() %}
{% for k in known.powers %}
    {{ body.array("p" ~ k) }}
{% endfor %}
{% endmacro %}
{% macro powers() %}
    {{ meet() }}
{% for k in known.powers if k > 1 %}
{% call(x, i, j) product("p1" if k == 2 or k == 3 else "p2", "p1" if k == 2 else "p2") %}
{{ put(x, "p" ~ k, i, j) }}
{% endcall %}
    {{ meet() if k == 2 or loop.last }}
{% endfor %}
{{ lifted(last) if known.most }}
{% endmacro %}
{% macro polynomial(coefficients) %}
{{ traces() }}
{{ newton() }}
{{ horner(coefficients) }}
{% if terms > 2 %}
    {{ meet() }}
    {{ own("j", 0, n) }}
        for (int64_t i = 0; i < {{ n }}; i++) {
            bb_elem low, high;
            BB_ZERO(low);
            BB_ZERO(high);
{{ sum("low", "i", "j", known.low[:-1]) }}
{{ sum("high", "i", "j", known.high[1:]) }}
{{ put("low", "p1", "i", "j") }}
{{ put("high", "p2", "i", "j") }}
        }
    {{ own("i", 0, n) }} {
        BB_ADD(p1{{ at("i", "i") }}, g0);
        BB_ADD(p2{{ at("i", "i") }}, g{{ last }});
    }
    {{ meet() }}
{% call(x, i, j) product("p" ~ last, "p2", onto="p1") %}
{{ put(x, "X", i, j) }}
{% endcall %}
{% else %}
{% if terms == 2 %}
{% call(x, i, j) product("p" ~ last, "p1") %}
                BB_TIMES({{ x }}, g{{ last + 1 }});
{{ sum(x, i, j, known.low) }}
{{ put(x, "X", i, j) }}
{% endcall %}
    {{ meet() }}
{% else %}
    {{ own("j", 0, n) }}
        for (int64_t i = 0; i < {{ n }}; i++) {
            bb_elem x;
            BB_ZERO(x);
{{ sum("x", "i", "j", known.low) }}
{{ put("x", "X", "i", "j") }}
        }
{% endif %}
    {{ own("i", 0, n) }} {
        bb_elem x;
        BB_GET(x, X + {{ X.at("i", "i") }}, {{ X.im }});
        BB_ADD(x, g0);
        BB_PUT(X + {{ X.at("i", "i") }}, {{ X.im }}, x);
    }
{% endif %}
{% endmacro %}
