{# A := L* L by a team, one triangle: panels of rows from the top, for those below do not need them. Each lane has its
   columns. All lanes read the panel before it is overwritten. #}
{% from "tile/register_tile.c" import names with context %}
{% from "tile/team.c" import own, panels, unrolled with context %}
{% set A = body.views[0] %}
{% set B = A.transposed().conjugated() %}
{% set n, lanes = body.size.n, schedule.lanes %}
{# `last` is the slot of the panel's own columns: lanes whose column is beyond go along with another one's. #}
{% macro panel(i, size, last) %}
{% for p in range(last + 1) %}
            bb_elem {{ names("c" ~ p ~ "_", size) }};
{% for r in range(size) %}
            BB_ZERO(c{{ p }}_{{ r }});
{% endfor %}
            const int col{{ p }} = {{ "own" ~ p ~ " < " ~ (i, size) | index ~ " ? own" ~ p ~ " : " ~ (i, size - 1) | index if p == last else "own" ~ p }};
{% endfor %}
{% for s in range(size) %}
            {
{% for r in range(s + 1) %}
                bb_elem a{{ r }};
                BB_GET(a{{ r }}, A + {{ A.at((i, s), (i, r)) }}, {{ A.im }});
{% endfor %}
{% for p in range(last + 1) %}
                {{ "if (own" ~ p ~ " <= " ~ (i, s) | index ~ ")" if p == last }} {
                    bb_elem b;
                    BB_GET(b, A + {{ A.at((i, s), "own" ~ p) }}, {{ A.im }});
{% for r in range(s + 1) %}
                    BB_FMA(c{{ p }}_{{ r }}, a{{ r }}, b, 1, 0);
{% endfor %}
                }
{% endfor %}
            }
{% endfor %}
{% if (i, size) is before(n) %}
            {{ unrolled(last + 1) }}
            for (int k = {{ (i, size) | index }}; k < {{ n }}; k++) {
                bb_elem {{ names("a", size) }};
{% for r in range(size) %}
                BB_GET(a{{ r }}, A + {{ B.at((i, r), "k") }}, {{ B.im }});
{% endfor %}
{% for p in range(last + 1) %}
                bb_elem b{{ p }};
                BB_GET(b{{ p }}, A + {{ A.at("k", "col" ~ p) }}, {{ A.im }});
{% for r in range(size) %}
                BB_FMA(c{{ p }}_{{ r }}, a{{ r }}, b{{ p }}, {{ B.conj | int }}, {{ A.conj | int }});
{% endfor %}
{% endfor %}
            }
{% endif %}
            BB_TEAM_SYNC();
{% for p in range(last + 1) %}
{% for r in range(size) %}
            {{ "if (own" ~ p ~ " <= " ~ (i, r) | index ~ ")" if p == last }}
                BB_PUT(A + {{ A.at((i, r), "own" ~ p) }}, {{ A.im }}, c{{ p }}_{{ r }});
{% endfor %}
{% endfor %}
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ own(n, lanes) }}
{% call(i, size, last) panels(n, lanes, body.share.panel) %}
{{ panel(i, size, last) }}
{% endcall %}
}
