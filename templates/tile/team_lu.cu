{# LU by a team. A lane has some rows of a panel of columns in registers, where they stay: `place` says which rows they
   are. The row of a pivot goes to all by way of shared memory, by vectors of 16 bytes from a whole one on: the next one
   to another place, as some lanes may still read. #}
{% from "tile/loop.c" import named %}
{% from "tile/team_lu_others.cu" import before, others with context %}
{% from "tile/team_rows.cu" import columns, mine, row with context %}
{% set lanes = schedule.lanes %}
{# The pivot: of the rows from p on the first whose element in column q is largest. What is no number is the pivot where
   it is the first of them, else none. #}
{% macro search(q, rows) %}
            bb_size largest = 0;
            int at = BB_NOWHERE;
{{ mine(rows) }} {
                bb_vec size;
                BB_CABS1(size, x[r][{{ q }}]);
                if (place[r] == p || (place[r] > p && size == size))
                    BB_LARGER_AT(largest, at, BB_SIZE(size), place[r]);
            }
            at = bb_team_largest(largest, at);
{% endmacro %}
{% macro load(A, m, rows, cols) %}
        bb_elem x[{{ rows }}][{{ cols }}];
        int place[{{ rows }}];
{{ mine(rows) }} {
            place[r] = (int)j + {{ row() }};
{{ columns(0, cols) }} {
                BB_ZERO(x[r][c]);
                if (place[r] < {{ m }})
                    BB_GET(x[r][c], A + {{ A.at("place[r]", "(j + c)") }}, {{ A.im }});
            }
        }
{% endmacro %}
{# Pivot q of the panel. #}
{% macro pivot(q, IPIV, rows, cols, whole) %}
        { /* pivot {{ q }} of the panel */
            const int p = (int)j + {{ q }};
{% if IPIV %}
{{ search(q, rows) }}
{% else %}
            const int at = p;
{% endif %}
            bb_elem *const top = tops[{{ q % 2 }}][threadIdx.x / {{ lanes }}];
{{ mine(rows) }} {
                if (place[r] == at) {
{{ columns(whole, cols) }}
                        top[c] = x[r][c];
{% if IPIV %}
                    BB_PUT_INDEX(IPIV + {{ IPIV.at("p", 0) }}, at + 1);
{% endif %}
                }
{% if IPIV %}
                place[r] = place[r] == at ? p : place[r] == p ? at : place[r];
{% endif %}
            }
            BB_TEAM_SYNC();
            bb_elem u[{{ cols }}];
{{ columns(whole, cols) }}
                u[c] = top[c];
            bb_elem inverse = u[{{ q }}];
            bb_vec size;
            bb_mask small;
            BB_INVERT(inverse, 0);
            BB_CABS1(size, u[{{ q }}]);
            BB_SMALL(small, size);
            if (BB_SOME(small)) {
                bb_vec lift;
                inverse = u[{{ q }}];
                BB_INVERT_SMALL(inverse, small, lift, *info, (bb_int)(p + 1));
{{ mine(rows) }}
                if (place[r] > p)
                    BB_TIMES_REAL(x[r][{{ q }}], lift);
            }
{{ mine(rows) }}
            if (place[r] > p) {
                BB_TIMES(x[r][{{ q }}], inverse);
{{ columns(q + 1, cols) if q + 1 < cols }}
                    {{ "BB_FMS(x[r][c], x[r][" ~ q ~ "], u[c], 0, 0);" if q + 1 < cols }}
            }
{% if IPIV and cols < body.size.n %}
            with[{{ q }}] = at;
{% endif %}
        }
{% endmacro %}
{% macro panel(A, IPIV, m, team, cols, pivots) %}
{% set rows = team.rows %}
{{ load(A, m, rows, cols) }}
{% for q in range(pivots) %}
{{ pivot(q, IPIV, rows, cols, team.vector(q)) }}
{% endfor %}
{{ mine(rows) }}
            if (place[r] < {{ m }})
{{ columns(0, cols) }}
                    BB_PUT(A + {{ A.at("place[r]", "(j + c)") }}, {{ A.im }}, x[r][c]);
{% endmacro %}
{% macro factor(A, IPIV, m, n) %}
{% set k, team = least(m, n), team_panel(m, n, lanes) %}
    __shared__ __align__(16) bb_elem tops[2][{{ schedule.matrices }}][{{ team.padded }}];
{% if team.cols == n %}
    const int j = 0;
{{ panel(A, IPIV, m, team, n, k) }}
{% else %}
{% call(across) named(segments(k, team.cols), "j") %}
{% if IPIV %}
        int with[{{ across.size }}];
{% endif %}
{{ panel(A, IPIV, m, team, across.size, across.size) }}
{% if across.repeats > 1 or across.stop < n %}
{{ others(A, IPIV, m, n, team.rows, across.size) }}
{% elif IPIV %}
{{ before(A, across.size) }}
{% endif %}
{% endcall %}
{% endif %}
{% endmacro %}
