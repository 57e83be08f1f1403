{# A := L* L by a team, one triangle: panels of rows from the top, for those below do not need them. Each lane has its
   columns. All lanes read the panel before it is overwritten. #}
{% from "tile/register_tile.c" import names with context %}
{% from "tile/team.cu" import own, panels, unrolled with context %}
{% set A = body.views[0] %}
{% set B = A.transposed().conjugated() %}
{% set columns = round(body.size.n, schedule.lanes, body.share.panel) %}
{# Row s of the panel, of which a column has what is not right of it. #}
{% macro within(panel, s) %}
            {
                bb_elem b, {{ names("a", s + 1) }};
{% for r in range(s + 1) %}
                BB_GET(a{{ r }}, A + {{ A.at(panel.line(s), panel.line(r)) }}, {{ A.im }});
{% endfor %}
{% for slot in panel.past %}
                {{ panel.before_line(s + 1, slot) }} {
                    BB_GET(b, A + {{ A.at(panel.line(s), slot.own) }}, {{ A.im }});
{% for r in range(s + 1) %}
                    BB_FMA(c{{ slot.number }}_{{ r }}, a{{ r }}, b, 1, 0);
{% endfor %}
                }
{% endfor %}
            }
{% endmacro %}
{# Rows below. Lanes whose column is behind the panel's go along with another one's. #}
{% macro below(panel) %}
{% for slot in panel.past %}
            const int col{{ slot.number }} = {{ panel.latest(slot) }};
{% endfor %}
            {{ unrolled(panel.past) }}
            for (int k = {{ panel.text(panel.size) }}; k < {{ body.size.n }}; k++) {
                bb_elem b, {{ names("a", panel.size) }};
{% for r in range(panel.size) %}
                BB_GET(a{{ r }}, A + {{ B.at(panel.line(r), "k") }}, {{ B.im }});
{% endfor %}
{% for slot in panel.past %}
                BB_GET(b, A + {{ A.at("k", "col" ~ slot.number) }}, {{ A.im }});
{% for r in range(panel.size) %}
                BB_FMA(c{{ slot.number }}_{{ r }}, a{{ r }}, b, {{ B.conj | int }}, {{ A.conj | int }});
{% endfor %}
{% endfor %}
            }
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ own(columns) }}
{% call(panel) panels(columns) %}
{% for slot in panel.past %}
{% for r in range(panel.size) %}
            bb_elem c{{ slot.number }}_{{ r }};
            BB_ZERO(c{{ slot.number }}_{{ r }});
{% endfor %}
{% endfor %}
{% for s in range(panel.size) %}
{{ within(panel, s) }}
{% endfor %}
{{ below(panel) if not panel.ends }}
            BB_TEAM_SYNC();
{% for slot in panel.past %}
{% for r in range(panel.size) %}
            {{ panel.before_line(r + 1, slot) }}
                BB_PUT(A + {{ A.at(panel.line(r), slot.own) }}, {{ A.im }}, c{{ slot.number }}_{{ r }});
{% endfor %}
{% endfor %}
{% endcall %}
}
