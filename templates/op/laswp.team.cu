{# Rows of A exchanged as IPIV says, one after another or backwards: each lane finds out where its rows come from, going
   through the exchanges from the last to the first, and fetches them, a few columns at a time. #}
{% from "tile/team_rows.cu" import columns, mine, row with context %}
{% set A, IPIV = body.views %}
{% set m, n, k = body.size.m, body.size.n, least(body.size.k, body.size.m, less=1) %}
{% set rows, few = team_panel(m, n, schedule.lanes).rows, body.share.panel %}
{% macro those() %}
{{ mine(rows) }}
{{ columns(0, few) }}
                    if ({{ row() }} < {{ m }} && col + c < {{ n }})
{%- endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    int from[{{ rows }}];
{{ mine(rows) }}
        from[r] = {{ row() }};
    for (int step = 0; step < {{ k }}; step++) {
        const int p = {{ "step" if body.backwards else (k, -1) | index ~ " - step" }};
        const int number = IPIV[{{ IPIV.at("p", 0) }}] - 1, with = (uint32_t)number < {{ m }} ? number : p;
{{ mine(rows) }}
            from[r] = from[r] == p ? with : from[r] == with ? p : from[r];
    }
    for (int col = 0; col < {{ n }}; col += {{ few }}) {
        bb_elem x[{{ rows }}][{{ few }}];
{{ those() }}
                        BB_GET(x[r][c], A + {{ A.at("from[r]", "(col + c)") }}, {{ A.im }});
        BB_TEAM_SYNC();
{{ those() }}
                        BB_PUT(A + {{ A.at(row(), "(col + c)") }}, {{ A.im }}, x[r][c]);
    }
}
