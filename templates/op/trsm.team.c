{# X with A X = alpha B, A lower triangular, overwrites B: by a team, where there are few right-hand sides. Each lane has
   its rows of B in registers. Panels of rows from the top: the lanes that have them hand them over, all solve them, and
   reduce their own rows below. #}
{% from "tile/register_tile.c" import names with context %}
{% from "tile/substitution.c" import inverses with context %}
{% from "tile/team.c" import block, own, panels with context %}
{% set A, B = body.views %}
{% set m, n, lanes = body.size.m, body.size.n, schedule.lanes %}
{% set slots, unit = (m + lanes - 1) // lanes, body.unit %}
{% macro there(p) %}{{ "if (own" ~ p ~ " < " ~ m ~ ")" if (p + 1) * lanes > m }}{% endmacro %}
{# `first` is the slot of the panel: rows of later ones are below it. #}
{% macro panel(i, size, first) %}
{{ block("a", A, i, size, strict=true) }}
{% if not unit %}
{{ inverses(A, size, i) }}
{% endif %}
            if (own{{ first }} >= {{ i | index }} && own{{ first }} < {{ (i, size) | index }}) {
{% for c in range(n) %}
                BB_PUT(B + {{ B.at("own" ~ first, c) }}, {{ B.im }}, c{{ c }}_{{ first }});
{% endfor %}
            }
            BB_TEAM_SYNC();
{% for c in range(n) %}
            bb_elem {{ names("x" ~ c ~ "_", size) }};
{% for r in range(size) %}
            BB_GET(x{{ c }}_{{ r }}, B + {{ B.at((i, r), c) }}, {{ B.im }});
{% endfor %}
{% for p in range(size) %}
{% if not unit %}
            BB_TIMES(x{{ c }}_{{ p }}, inverse{{ p }});
{% endif %}
{% for r in range(p + 1, size) %}
            BB_FMS(x{{ c }}_{{ r }}, a{{ p }}_{{ r }}, x{{ c }}_{{ p }}, {{ A.conj | int }}, 0);
{% endfor %}
{% endfor %}
{% for r in range(size) %}
            if (own{{ first }} == {{ (i, r) | index }})
                c{{ c }}_{{ first }} = x{{ c }}_{{ r }};
{% endfor %}
{% endfor %}
{% if (i, size) is before(m) %}
{% for p in range(first, slots) %}
            {{ "if (own" ~ first ~ " >= " ~ (i, size) | index ~ (" && own" ~ p ~ " < " ~ m if (p + 1) * lanes > m else "") ~ ")" if p == first else there(p) }} {
{% for s in range(size) %}
                bb_elem b{{ s }};
                BB_GET(b{{ s }}, A + {{ A.at("own" ~ p, (i, s)) }}, {{ A.im }});
{% for c in range(n) %}
                BB_FMS(c{{ c }}_{{ p }}, b{{ s }}, x{{ c }}_{{ s }}, {{ A.conj | int }}, 0);
{% endfor %}
{% endfor %}
            }
{% endfor %}
{% endif %}
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ own(m, lanes) }}
{% for c in range(n) %}
    bb_elem {{ names("c" ~ c ~ "_", slots) }};
{% for p in range(slots) %}
    BB_ZERO(c{{ c }}_{{ p }});
{% endfor %}
{% endfor %}
    if (alpha_is != 0) {
{% for p in range(slots) %}
        {{ there(p) }} {
{% for c in range(n) %}
            BB_GET(c{{ c }}_{{ p }}, B + {{ B.at("own" ~ p, c) }}, {{ B.im }});
            if (alpha_is == BB_ANY)
                BB_SCALE(c{{ c }}_{{ p }}, alpha);
{% endfor %}
        }
{% endfor %}
{% call(i, size, first) panels(m, lanes, body.share.panel) %}
{{ panel(i, size, first) }}
{% endcall %}
        BB_TEAM_SYNC();
    }
{% for p in range(slots) %}
    {{ there(p) }} {
{% for c in range(n) %}
        BB_PUT(B + {{ B.at("own" ~ p, c) }}, {{ B.im }}, c{{ c }}_{{ p }});
{% endfor %}
    }
{% endfor %}
}
