{# X with X L = U overwrites both, which share A, by a team: panels of columns from the right, of which each lane has
   its rows. All have read the panel of L before it is overwritten. #}
{% from "tile/loop.c" import along %}
{% from "tile/team_rows.cu" import columns, mine, row with context %}
{% set A = body.views[0] %}
{% set n = body.size.n %}
{% set rows = team_panel(n, n, schedule.lanes).rows %}
{% macro col(j) %}({{ j | index }} + c){% endmacro %}
{% macro panel(j, size) %}
        bb_elem x[{{ rows }}][{{ size }}];
{{ mine(rows) }}
{{ columns(0, size) }} {
                BB_ZERO(x[r][c]);
                if ({{ row() }} <= {{ col(j) }} && {{ row() }} < {{ n }})
                    BB_GET(x[r][c], A + {{ A.at(row(), col(j)) }}, {{ A.im }});
            }
        for (int s = {{ (n, -1) | index }}; s >= {{ (j, size) | index }}; s--) {
            bb_elem l[{{ size }}];
{{ columns(0, size) }}
                BB_GET(l[c], A + {{ A.at("s", col(j)) }}, {{ A.im }});
{{ mine(rows) }}
            if ({{ row() }} < {{ n }}) {
                bb_elem a;
                BB_GET(a, A + {{ A.at(row(), "s") }}, {{ A.im }});
{{ columns(0, size) }}
                    BB_FMS(x[r][c], a, l[c], 0, 0);
            }
        }
{% for c in numbers(size, true) %}
{% for s in numbers(size, true) if s > c %}
        {
            bb_elem l;
            BB_GET(l, A + {{ A.at((j, s), (j, c)) }}, {{ A.im }});
{{ mine(rows) }}
                BB_FMS(x[r][{{ c }}], x[r][{{ s }}], l, 0, 0);
        }
{% endfor %}
{% endfor %}
        BB_TEAM_SYNC();
{{ mine(rows) }}
            if ({{ row() }} < {{ n }})
{{ columns(0, size) }}
                    BB_PUT(A + {{ A.at(row(), col(j)) }}, {{ A.im }}, x[r][c]);
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{% call(j, across) along(segments(n, body.share.panel), "j", backwards=true) %}
{{ panel(j, across.size) }}
{% endcall %}
}
