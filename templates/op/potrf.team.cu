{# A = L L* by a team: panels of columns from the left, of which each lane has its rows. Their block on the diagonal all
   lanes factor, so that nobody waits for its pivots. A pivot that is not positive is reported, and what follows from it
   stays in the matrix. #}
{% from "tile/register_tile.c" import names with context %}
{% from "tile/cholesky.c" import pivots with context %}
{% from "tile/team.cu" import block, own, panels, unrolled with context %}
{% set A = body.views[0] %}
{% set B = A.transposed().conjugated() %}
{% set rows = round(body.size.n, schedule.lanes, body.share.panel) %}
{# Lanes whose row is not below go along with another one's. The last step of each pivot's sum is BB_NEXT, see
   tile/cholesky. #}
{% macro reduced(panel) %}
{% for slot in panel.slots %}
            const int row{{ slot.number }} = {{ panel.nearest(slot) }};
{% endfor %}
            bb_elem kept = c0_{{ panel.slot }};
            {{ unrolled(panel.slots) }}
            for (int l = 0; l < {{ panel.text() }}; l++) {
                bb_elem a, {{ names("b", panel.size) }};
{% for c in range(panel.size) %}
                BB_GET(b{{ c }}, A + {{ B.at("l", panel.line(c)) }}, {{ B.im }});
{% endfor %}
                kept = c0_{{ panel.slot }};
{% for slot in panel.slots %}
                BB_GET(a, A + {{ A.at("row" ~ slot.number, "l") }}, {{ A.im }});
{% for c in range(panel.size) %}
                BB_FMS(c{{ c }}_{{ slot.number }}, a, b{{ c }}, {{ A.conj | int }}, {{ B.conj | int }});
{% endfor %}
{% endfor %}
            }
            if ({{ panel.own }} == {{ panel.text() }} && {{ panel.text() }} > 0) {
                c0_{{ panel.slot }} = kept;
                BB_NEXT(c0_{{ panel.slot }}, square, excess);
            }
{% endmacro %}
{# Rows below are multiplied by the inverse of the block. #}
{% macro below(panel, slot) %}
{% for c in range(panel.size) %}
{% if loop.last %}
            if ({{ slot.own }} == {{ panel.text(panel.size) }})
                BB_SQUARE(square, c{{ c }}_{{ slot.number }}, rough);
{% endif %}
            BB_TIMES_REAL(c{{ c }}_{{ slot.number }}, inverse{{ c }});
{% for q in range(c + 1, panel.size) %}
            BB_FMS(c{{ q }}_{{ slot.number }}, c{{ c }}_{{ slot.number }}, d{{ c }}_{{ q }}, 0, 1);
{% endfor %}
{% endfor %}
            {{ panel.from_line(panel.size, slot) }} {
{% for c in range(panel.size) %}
                BB_PUT(A + {{ A.at(slot.own, panel.line(c)) }}, {{ A.im }}, c{{ c }}_{{ slot.number }});
{% endfor %}
            }
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    bb_ints good = 0;
    bb_vec square = BB_ZEROS, excess = BB_ZEROS;
{{ own(rows) }}
{% call(panel) panels(rows) %}
{% for c in range(panel.size) %}
{% for slot in panel.slots %}
            bb_elem c{{ c }}_{{ slot.number }};
            BB_ZERO(c{{ c }}_{{ slot.number }});
            {{ panel.from_line(c, slot) }}
                BB_GET(c{{ c }}_{{ slot.number }}, A + {{ A.at(slot.own, panel.line(c)) }}, {{ A.im }});
{% endfor %}
{% endfor %}
{{ reduced(panel) if not panel.begins }}
{% for c in range(panel.size) %}
            if ({{ panel.own }} >= {{ panel.text(c) }} && {{ panel.own }} < {{ panel.text(panel.size) }})
                BB_PUT(A + {{ A.at(panel.own, panel.line(c)) }}, {{ A.im }}, c{{ c }}_{{ panel.slot }});
{% endfor %}
            BB_TEAM_SYNC();
            bb_vec {{ names("inverse", panel.size) }}, rough;
{{ block("d", A, panel) }}
{{ pivots("d", panel.size) }}
{% if not panel.ends %}
{% for slot in panel.slots %}
{{ below(panel, slot) }}
{% endfor %}
{% endif %}
            BB_TEAM_SYNC();
            if (lane == 0) {
{% for c in range(panel.size) %}
{% for r in range(c, panel.size) %}
                BB_PUT(A + {{ A.at(panel.line(r), panel.line(c)) }}, {{ A.im }}, d{{ c }}_{{ r }});
{% endfor %}
{% endfor %}
            }
{% endcall %}
    BB_REPORT(*info, good < {{ body.size.n }}, good + 1);
}
