{# What LU by a team does with the columns beside a panel of `cols` pivots from j on, whose rows were exchanged with
   those that `with` says. #}
{% from "tile/team_rows.cu" import columns, mine with context %}
{% set lanes, tile = schedule.lanes, 4 %}
{% macro tiled() %}
                BB_UNROLLED
                for (int t = 0; t < {{ tile }}; t++)
                    if (col + t < {{ body.size.n }})
{%- endmacro %}
{# Rows below the pivots. #}
{% macro below(m, rows, cols) %}
{{ mine(rows) }}
            if (place[r] >= j + {{ cols }} && place[r] < {{ m }})
{{ tiled() }}
{%- endmacro %}
{% macro exchanged(A, cols) %}
            BB_UNROLLED
            for (int q = 0; q < {{ cols }}; q++) {
                bb_elem above, below;
                BB_GET(above, A + {{ A.at("(j + q)", "col") }}, {{ A.im }});
                BB_GET(below, A + {{ A.at("with[q]", "col") }}, {{ A.im }});
                BB_PUT(A + {{ A.at("with[q]", "col") }}, {{ A.im }}, above);
                BB_PUT(A + {{ A.at("(j + q)", "col") }}, {{ A.im }}, below);
            }
{%- endmacro %}
{# There is nothing behind the last panel, so no lane waits for others: each exchanges rows in some columns. #}
{% macro before(A, cols) %}
        for (int col = lane; col < j; col += {{ lanes }}) {
{{ exchanged(A, cols) }}
        }
{% endmacro %}
{# Each lane exchanges rows in some of them, and solves for the rows of U; then rows below the pivots, each lane its
   own, are reduced. #}
{% macro others(A, IPIV, m, n, rows, cols) %}
        BB_TEAM_SYNC();
{% if IPIV %}
        for (int other = lane; other < {{ n - cols }}; other += {{ lanes }}) {
            const int col = other < j ? other : other + {{ cols }};
{{ exchanged(A, cols) }}
            if (col > j)
{%- else %}
        for (int col = (int)j + {{ cols }} + lane; col < {{ n }}; col += {{ lanes }})
{%- endif %} {
                bb_elem u[{{ cols }}];
                BB_UNROLLED
                for (int q = 0; q < {{ cols }}; q++) {
                    BB_GET(u[q], A + {{ A.at("(j + q)", "col") }}, {{ A.im }});
                    BB_UNROLLED
                    for (int s = 0; s < q; s++) {
                        bb_elem l;
                        BB_GET(l, A + {{ A.at("(j + q)", "(j + s)") }}, {{ A.im }});
                        BB_FMS(u[q], l, u[s], 0, 0);
                    }
                    BB_PUT(A + {{ A.at("(j + q)", "col") }}, {{ A.im }}, u[q]);
                }
            }
{% if IPIV %}
        }
{% endif %}
        BB_TEAM_SYNC();
        for (int col = (int)j + {{ cols }}; col < {{ n }}; col += {{ tile }}) {
            bb_elem y[{{ rows }}][{{ tile }}] = {};
{{ below(m, rows, cols) }}
                    BB_GET(y[r][t], A + {{ A.at("place[r]", "(col + t)") }}, {{ A.im }});
{{ columns(0, cols) }}
{{ tiled() }} {
                    bb_elem u;
                    BB_GET(u, A + {{ A.at("(j + c)", "(col + t)") }}, {{ A.im }});
{{ mine(rows) }}
                        BB_FMS(y[r][t], x[r][c], u, 0, 0);
                }
{{ below(m, rows, cols) }}
                    BB_PUT(A + {{ A.at("place[r]", "(col + t)") }}, {{ A.im }}, y[r][t]);
        }
        BB_TEAM_SYNC();
{% endmacro %}
