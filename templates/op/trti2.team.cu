{# A := L^-1 by a team: panels of rows from the top, of which each lane has its columns: -inv(L_ii) (L_i. X_.j) needs of
   X no others. All lanes read the panel before it is overwritten. #}
{% from "tile/register_tile.c" import names with context %}
{% from "tile/substitution.c" import inverses with context %}
{% from "tile/team.cu" import block, own, panels, unrolled with context %}
{% set A = body.views[0] %}
{% set columns = round(body.size.n, schedule.lanes, body.share.panel) %}
{# Sums begin where columns do: with an element of the panel where the diagonal is one. #}
{% macro started(panel, slot) %}
{% for r in range(panel.size) %}
            bb_elem c{{ slot.number }}_{{ r }};
            BB_ZERO(c{{ slot.number }}_{{ r }});
{% endfor %}
{% if body.unit %}
            {{ panel.before_line(0, slot) }} {
                bb_elem a;
{% for r in range(panel.size) %}
                BB_GET(a, A + {{ A.at(panel.line(r), slot.own) }}, {{ A.im }});
                BB_SUB(c{{ slot.number }}_{{ r }}, a);
{% endfor %}
            }
{% endif %}
{% endmacro %}
{# Steps k of the columns up to those of a slot, which begin meanwhile. #}
{% macro summed(panel, slots, end) %}
            {{ unrolled(slots) }}
            for (int k = {{ slots[-1].start }}; k < {{ end }}; k++) {
                bb_elem {{ names("a", panel.size) }};
{% for r in range(panel.size) %}
                BB_GET(a{{ r }}, A + {{ A.at(panel.line(r), "k") }}, {{ A.im }});
{% endfor %}
{% for slot in slots %}
                {{ "if (k %s %s)" | format(">" if body.unit else ">=", slot.own) if loop.last }} {
                    bb_elem b;
                    BB_GET(b, A + {{ A.at("k", slot.own) }}, {{ A.im }});
{% for r in range(panel.size) %}
                    BB_FMS(c{{ slot.number }}_{{ r }}, a{{ r }}, b, {{ A.conj | int }}, {{ A.conj | int }});
{% endfor %}
                }
{% endfor %}
            }
{% endmacro %}
{# Columns before the panel are multiplied by the inverse of the block. #}
{% macro before(panel, slot) %}
            {{ panel.before_line(0, slot) }} {
{% for r in range(panel.size) %}
{% if not body.unit %}
                BB_TIMES(c{{ slot.number }}_{{ r }}, inverse{{ r }});
{% endif %}
                BB_PUT(A + {{ A.at(panel.line(r), slot.own) }}, {{ A.im }}, c{{ slot.number }}_{{ r }});
{% for q in range(r + 1, panel.size) %}
                BB_FMS(c{{ slot.number }}_{{ q }}, d{{ r }}_{{ q }}, c{{ slot.number }}_{{ r }}, {{ A.conj | int }}, 0);
{% endfor %}
{% endfor %}
            }
{% endmacro %}
{# Column c of the block. #}
{% macro within(panel, c) %}
            if ({{ panel.own }} == {{ panel.text(c) }}) {
{% if not body.unit %}
                bb_elem x{{ c }} = inverse{{ c }};
                BB_PUT(A + {{ A.at(panel.line(c), panel.line(c)) }}, {{ A.im }}, x{{ c }});
{% endif %}
{% for r in range(c + 1, panel.size) %}
                bb_elem x{{ r }};
                BB_ZERO(x{{ r }});
{% if body.unit %}
                BB_SUB(x{{ r }}, d{{ c }}_{{ r }});
{% endif %}
{% for s in range(c + body.unit, r) %}
                BB_FMS(x{{ r }}, d{{ s }}_{{ r }}, x{{ s }}, 0, 0);
{% endfor %}
{% if not body.unit %}
                BB_TIMES(x{{ r }}, inverse{{ r }});
{% endif %}
                BB_PUT(A + {{ A.at(panel.line(r), panel.line(c)) }}, {{ A.im }}, x{{ r }});
{% endfor %}
            }
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ own(columns) }}
{% call(panel) panels(columns) %}
{{ block("d", A, panel, strict=true) }}
{{ inverses(A, panel.size, panel.start) if not body.unit }}
{% for slot in panel.past %}
{{ started(panel, slot) }}
{% endfor %}
{% for slot in panel.past if slot.start is before(panel.start) %}
{{ summed(panel, panel.past[:slot.number + 1], panel.text() if loop.last else columns.slots[slot.number + 1].start) }}
{% endfor %}
            BB_TEAM_SYNC();
{% for slot in panel.past if not panel.begins %}
{{ before(panel, slot) }}
{% endfor %}
{% for c in range(panel.size - body.unit) %}
{{ within(panel, c) }}
{% endfor %}
{% endcall %}
}
