{# X with A X = alpha B, A lower triangular, overwrites B: by a team, where there are few right-hand sides. Each lane
   has its rows of B in registers. Panels of rows from the top: the lanes that have them hand them over, all solve them,
   and reduce their own rows below. #}
{% from "tile/register_tile.c" import names with context %}
{% from "tile/substitution.c" import inverses with context %}
{% from "tile/team.cu" import block, own, panels with context %}
{% set A, B = body.views %}
{% set rows = round(body.size.m, schedule.lanes, body.share.panel) %}
{% macro handed(panel) %}
            if ({{ panel.own }} >= {{ panel.text() }} && {{ panel.own }} < {{ panel.text(panel.size) }}) {
{% for c in range(body.size.n) %}
                BB_PUT(B + {{ B.at(panel.own, c) }}, {{ B.im }}, c{{ c }}_{{ panel.slot }});
{% endfor %}
            }
{% endmacro %}
{% macro solved(panel, c) %}
            bb_elem {{ names("x" ~ c ~ "_", panel.size) }};
{% for r in range(panel.size) %}
            BB_GET(x{{ c }}_{{ r }}, B + {{ B.at(panel.line(r), c) }}, {{ B.im }});
{% endfor %}
{% for p in range(panel.size) %}
{% if not body.unit %}
            BB_TIMES(x{{ c }}_{{ p }}, inverse{{ p }});
{% endif %}
{% for r in range(p + 1, panel.size) %}
            BB_FMS(x{{ c }}_{{ r }}, a{{ p }}_{{ r }}, x{{ c }}_{{ p }}, {{ A.conj | int }}, 0);
{% endfor %}
{% endfor %}
{% for r in range(panel.size) %}
            if ({{ panel.own }} == {{ panel.text(r) }})
                c{{ c }}_{{ panel.slot }} = x{{ c }}_{{ r }};
{% endfor %}
{% endmacro %}
{% macro below(panel, slot) %}
            {{ panel.from_line(panel.size, slot) }} {
                bb_elem a;
{% for s in range(panel.size) %}
                BB_GET(a, A + {{ A.at(slot.own, panel.line(s)) }}, {{ A.im }});
{% for c in range(body.size.n) %}
                BB_FMS(c{{ c }}_{{ slot.number }}, a, x{{ c }}_{{ s }}, {{ A.conj | int }}, 0);
{% endfor %}
{% endfor %}
            }
{% endmacro %}
{# The caller's text for each element of B that this lane has: its column and slot. #}
{% macro elements() %}
{% set each = caller %}
{% for slot in rows.slots %}
        {{ slot.existing }} {
{% for c in range(body.size.n) %}
{{ each(c, slot) }}
{% endfor %}
        }
{% endfor %}
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ own(rows) }}
{% for slot in rows.slots %}
{% for c in range(body.size.n) %}
    bb_elem c{{ c }}_{{ slot.number }};
    BB_ZERO(c{{ c }}_{{ slot.number }});
{% endfor %}
{% endfor %}
    if (alpha_is != 0) {
{% call(c, slot) elements() %}
            BB_GET(c{{ c }}_{{ slot.number }}, B + {{ B.at(slot.own, c) }}, {{ B.im }});
            if (alpha_is == BB_ANY)
                BB_SCALE(c{{ c }}_{{ slot.number }}, alpha);
{% endcall %}
{% call(panel) panels(rows) %}
{{ block("a", A, panel, strict=true) }}
{{ inverses(A, panel.size, panel.start) if not body.unit }}
{{ handed(panel) }}
            BB_TEAM_SYNC();
{% for c in range(body.size.n) %}
{{ solved(panel, c) }}
{% endfor %}
{% for slot in panel.slots if not panel.ends %}
{{ below(panel, slot) }}
{% endfor %}
{% endcall %}
        BB_TEAM_SYNC();
    }
{% call(c, slot) elements() %}
        BB_PUT(B + {{ B.at(slot.own, c) }}, {{ B.im }}, c{{ c }}_{{ slot.number }});
{% endcall %}
}
