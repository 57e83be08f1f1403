{# Rows of A exchanged as IPIV says, one after another or backwards: each lane finds out where its rows come from, going
   through the exchanges from the last to the first, and fetches them. #}
{% from "tile/team_rows.c" import mine with context %}
{% set A, IPIV = body.views %}
{% set m, n, k = body.size.m, body.size.n, least(body.size.k, body.size.m, less=1) %}
{% set rows, tile = (m + schedule.lanes - 1) // schedule.lanes, 4 %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    int from[{{ rows }}];
{{ mine(rows) }}
        from[r] = lane + r * {{ schedule.lanes }};
    for (int step = 0; step < {{ k }}; step++) {
        const int p = {{ "step" if body.backwards else (k, -1) | index ~ " - step" }};
        const int number = IPIV[{{ IPIV.at("p", 0) }}] - 1, with = (uint32_t)number < {{ m }} ? number : p;
{{ mine(rows) }}
            from[r] = from[r] == p ? with : from[r] == with ? p : from[r];
    }
    for (int col = 0; col < {{ n }}; col += {{ tile }}) {
        bb_elem x[{{ rows }}][{{ tile }}];
{% for verb in ["GET", "PUT"] %}
{{ mine(rows) }}
            BB_UNROLLED
            for (int t = 0; t < {{ tile }}; t++)
                if (lane + r * {{ schedule.lanes }} < {{ m }} && col + t < {{ n }})
{% if verb == "GET" %}
                    BB_GET(x[r][t], A + {{ A.at("from[r]", "(col + t)") }}, {{ A.im }});
        BB_TEAM_SYNC();
{% else %}
                    BB_PUT(A + {{ A.at("(lane + r * " ~ schedule.lanes ~ ")", "(col + t)") }}, {{ A.im }}, x[r][t]);
{% endif %}
{% endfor %}
    }
}
