{# A := L^-1 by a team: panels of rows from the top, of which each lane has its columns: -inv(L_ii) (L_i. X_.j) needs of
   X no others. All lanes read the panel before it is overwritten. #}
{% from "tile/register_tile.c" import names with context %}
{% from "tile/substitution.c" import inverses with context %}
{% from "tile/team.c" import block, own, panels, unrolled with context %}
{% set A = body.views[0] %}
{% set n, lanes = body.size.n, schedule.lanes %}
{% set unit = body.unit %}
{# Step k of the sums of columns in slots up to `last`, of which column number k is one of the last. #}
{% macro step(i, size, last, within) %}
                bb_elem {{ names("a", size) }};
{% for r in range(size) %}
                BB_GET(a{{ r }}, A + {{ A.at((i, r), "k") }}, {{ A.im }});
{% endfor %}
{% for p in range(last + 1) %}
                {{ "if (k " ~ (">" if unit else ">=") ~ " own" ~ p ~ ")" if within and p == last }} {
                    bb_elem b;
                    BB_GET(b, A + {{ A.at("k", "own" ~ p) }}, {{ A.im }});
{% for r in range(size) %}
                    BB_FMS(c{{ p }}_{{ r }}, a{{ r }}, b, {{ A.conj | int }}, {{ A.conj | int }});
{% endfor %}
                }
{% endfor %}
{% endmacro %}
{# `last` is the slot of the panel's own columns. #}
{% macro panel(i, size, last) %}
{{ block("d", A, i, size, strict=true) }}
{% if not unit %}
{{ inverses(A, size, i) }}
{% endif %}
{% for p in range(last + 1) %}
            bb_elem {{ names("c" ~ p ~ "_", size) }};
{% for r in range(size) %}
            BB_ZERO(c{{ p }}_{{ r }});
{% endfor %}
{% if unit %}
            {{ "if (own" ~ p ~ " < " ~ i | index ~ ")" if p == last }} {
{% for r in range(size) %}
                bb_elem a{{ r }};
                BB_GET(a{{ r }}, A + {{ A.at((i, r), "own" ~ p) }}, {{ A.im }});
                BB_SUB(c{{ p }}_{{ r }}, a{{ r }});
{% endfor %}
            }
{% endif %}
{% endfor %}
{% for s in range(last + 1) if (s * lanes) is before(i) %}
            {{ unrolled(s + 1) }}
            for (int k = {{ s * lanes }}; k < {{ i | index if s == last else (s + 1) * lanes }}; k++) {
{{ step(i, size, s, true) }}
            }
{% endfor %}
            BB_TEAM_SYNC();
{% for p in range(last + 1) %}
            {{ "if (own" ~ p ~ " < " ~ i | index ~ ")" if p == last }} {
{% for r in range(size) %}
{% if not unit %}
                BB_TIMES(c{{ p }}_{{ r }}, inverse{{ r }});
{% endif %}
                BB_PUT(A + {{ A.at((i, r), "own" ~ p) }}, {{ A.im }}, c{{ p }}_{{ r }});
{% for q in range(r + 1, size) %}
                BB_FMS(c{{ p }}_{{ q }}, d{{ r }}_{{ q }}, c{{ p }}_{{ r }}, {{ A.conj | int }}, 0);
{% endfor %}
{% endfor %}
            }
{% endfor %}
{% for c in range(size) if not (unit and c + 1 == size) %}
            if (own{{ last }} == {{ (i, c) | index }}) {
{% if not unit %}
                bb_elem x{{ c }} = inverse{{ c }};
                BB_PUT(A + {{ A.at((i, c), (i, c)) }}, {{ A.im }}, x{{ c }});
{% endif %}
{% for r in range(c + 1, size) %}
                bb_elem x{{ r }};
                BB_ZERO(x{{ r }});
{% for s in range(c, r) %}
{% if s == c and unit %}
                BB_SUB(x{{ r }}, d{{ c }}_{{ r }});
{% else %}
                BB_FMS(x{{ r }}, d{{ s }}_{{ r }}, x{{ s }}, 0, 0);
{% endif %}
{% endfor %}
{% if not unit %}
                BB_TIMES(x{{ r }}, inverse{{ r }});
{% endif %}
                BB_PUT(A + {{ A.at((i, r), (i, c)) }}, {{ A.im }}, x{{ r }});
{% endfor %}
            }
{% endfor %}
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ own(n, lanes) }}
{% call(i, size, last) panels(n, lanes, body.share.panel) %}
{{ panel(i, size, last) }}
{% endcall %}
}
