{# X with X L = U overwrites both, which share A, by a team: panels of columns from the right, of which each lane has its
   rows. All have read the panel of L before it is overwritten. #}
{% from "tile/loop.c" import along %}
{% from "tile/team_rows.c" import columns, mine with context %}
{% set A = body.views[0] %}
{% set n, lanes = body.size.n, schedule.lanes %}
{% set rows = (n + lanes - 1) // lanes %}
{% macro panel(j, size) %}
        bb_elem x[{{ rows }}][{{ size }}];
{{ mine(rows) }} {
            const int i = lane + r * {{ lanes }};
{{ columns(0, size) }} {
                BB_ZERO(x[r][c]);
                if (i <= {{ j | index }} + c && i < {{ n }})
                    BB_GET(x[r][c], A + {{ A.at("i", "(" ~ j | index ~ " + c)") }}, {{ A.im }});
            }
        }
        for (int s = {{ n - 1 }}; s >= {{ (j, size) | index }}; s--) {
            bb_elem l[{{ size }}];
{{ columns(0, size) }}
                BB_GET(l[c], A + {{ A.at("s", "(" ~ j | index ~ " + c)") }}, {{ A.im }});
{{ mine(rows) }}
            if (lane + r * {{ lanes }} < {{ n }}) {
                bb_elem a;
                BB_GET(a, A + {{ A.at("(lane + r * " ~ lanes ~ ")", "s") }}, {{ A.im }});
{{ columns(0, size) }}
                    BB_FMS(x[r][c], a, l[c], 0, 0);
            }
        }
{% for c in range(size - 2, -1, -1) %}
{% for s in range(size - 1, c, -1) %}
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
            if (lane + r * {{ lanes }} < {{ n }})
{{ columns(0, size) }}
                    BB_PUT(A + {{ A.at("(lane + r * " ~ lanes ~ ")", "(" ~ j | index ~ " + c)") }}, {{ A.im }}, x[r][c]);
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{% call(j, across) along(segments(n, body.panel), "j", backwards=true) %}
{{ panel(j, across.size) }}
{% endcall %}
}
