{# Updates of a triangle by a team: of a panel of columns each lane has its rows. Nobody waits for anybody. #}
{% import "tile/register_tile.c" as t with context %}
{# `c` of the rows of slots from the first on = 0. #}
{% macro zeros(c, size, first, slots) %}
{% for p in range(first, slots) %}
            bb_elem {{ t.names(c ~ p ~ "_", size) }};
{% for q in range(size) %}
            BB_ZERO({{ c }}{{ p }}_{{ q }});
{% endfor %}
{% endfor %}
{% endmacro %}
{# `c` += X(own.., l) Y(l, j..): lanes whose row does not exist go along with another one's. #}
{% macro products(c, x, X, y, Y, j, size, first, slots, n) %}
            BB_UNROLL(4)
            for (int l = 0; l < steps; l++) {
                bb_elem {{ t.names("b", size) }};
{% for q in range(size) %}
                BB_GET(b{{ q }}, {{ y }} + {{ Y.at("l", (j, q)) }}, {{ Y.im }});
{% endfor %}
{% for p in range(first, slots) %}
                bb_elem a{{ p }};
                BB_GET(a{{ p }}, {{ x }} + {{ X.at("row" ~ p, "l") }}, {{ X.im }});
{% for q in range(size) %}
                BB_FMA({{ c }}{{ p }}_{{ q }}, a{{ p }}, b{{ q }}, {{ X.conj | int }}, {{ Y.conj | int }});
{% endfor %}
{% endfor %}
            }
{% endmacro %}
{# The caller's text is done for each element of the triangle: its slot, its column of the panel, whether it may be one
   of the diagonal. #}
{% macro elements(j, size, first, slots, n, lanes) %}
{% set each = caller %}
{% for p in range(first, slots) %}
{% set end = " && own" ~ p ~ " < " ~ n if (p + 1) * lanes > n else "" %}
{% for q in range(size) %}
{% if p == first %}
            if (own{{ p }} == {{ (j, q) | index }}) {
{{ each(p, q, true) }}
            } else if (own{{ p }} > {{ (j, q) | index }}{{ end }}) {
{{ each(p, q, false) }}
            }
{% else %}
            {{ "if (" ~ end[4:] ~ ")" if end }} {
{{ each(p, q, false) }}
            }
{% endif %}
{% endfor %}
{% endfor %}
{% endmacro %}
{# The rows that lanes read: their own where these exist. #}
{% macro rows(n, lanes) %}
{% for p in range((n + lanes - 1) // lanes) %}
    const int row{{ p }} = {{ "own%d < %d ? own%d : %d" | format(p, n, p, n - 1) if (p + 1) * lanes > n else "own%d" | format(p) }};
{% endfor %}
{% endmacro %}
