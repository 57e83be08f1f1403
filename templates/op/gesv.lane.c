{# A X = B by LU with the pivots of LAPACK. Small matrices are factored in registers, and few right-hand sides brought
   along; others by panels of columns. B of a matrix that is singular stays. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/lu_registers.c" import factor, pivots, solve_lower, solve_upper with context %}
{% from "tile/lu_panels.c" import factor_by_panels with context %}
{% from "tile/lu_solve.c" import solve_by_panels with context %}
{% from "tile/lu_blocks.c" import factor_by_blocks with context %}
{% from "tile/lu_block_search.c" import in_order with context %}
{% from "tile/lu_block_back.c" import beside_blocks, solve_by_blocks with context %}
{% import "tile/lu_orders.c" as few with context %}
{% set A, IPIV, B = body.views %}
{% set n, nrhs = body.size.n, body.size.nrhs %}
{% set along = body.along %}
{% set wanted = nrhs != along %}
{% set from, rhs = body.sources.A, body.sources.B %}
{% set numbered = "IPIV" not in body.unread %}
{# Column j of B from that in registers. #}
{% macro put(column, j, n) %}
{% for i in range(n) %}
        {
            bb_elem x;
            BB_GET(x, {{ rhs.name }} + {{ rhs.view.at(i, j) }}, {{ rhs.view.im }});
            BB_TAKE_ELEM(x, regular, c{{ column }}_{{ i }});
            BB_PUT(B + {{ B.at(i, j) }}, {{ B.im }}, x);
        }
{% endfor %}
{% endmacro %}
{% macro get(column, j, n) %}
    bb_elem {{ t.names("c" ~ column ~ "_", n) }};
{% for i in range(n) %}
    BB_GET(c{{ column }}_{{ i }}, {{ rhs.name }} + {{ rhs.view.at(i, j) }}, {{ rhs.view.im }});
{% endfor %}
{% endmacro %}
{% macro straight(n) %}
{{ t.load(from.name, from.view, n, n, 0, 0) }}
{% for j in range(along) %}
{{ get(n + j, j, n) }}
{% endfor %}
{{ pivots(n, numbered) }}
{{ factor(n, n, along, wanted or "A" not in body.unread, numbered) }}
{% for p in range(n if numbered else 0) %}
    BB_PUT_INDEX(IPIV + {{ IPIV.at(p, 0) }}, at{{ p }} + 1);
{% endfor %}
{% if "A" not in body.unread %}
{{ t.store("A", A, n, n, 0, 0) }}
{% endif %}
    BB_REGULAR(regular, *info);
{% if wanted %}
    for (int64_t j = 0; j < {{ nrhs }}; j++) {
{{ get(n, "j", n) }}
{{ solve_lower(n) }}
{{ solve_upper(n, n, n + 1) }}
{{ put(n, "j", n) }}
    }
{% else %}
{{ solve_upper(n, n, n + along) }}
{% for j in range(along) %}
{{ put(n + j, j, n) }}
{% endfor %}
{% endif %}
{% endmacro %}
{% call(order) few.each(n) %}
    bb_mask regular;
{{ straight(order) }}
{% endcall %}
{{ in_order() if body.blocks }}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    bb_mask regular;
{% if body.straight %}
{{ straight(n) }}
{% elif body.blocks %}
{{ beside_blocks(rhs) }}
{{ factor_by_blocks(A, IPIV) }}
    BB_REGULAR(regular, *info);
{{ solve_by_blocks(B, rhs) }}
{% else %}
{{ few.tried(n, n) }}
{{ factor_by_panels(A, IPIV, n, n) }}
    BB_REGULAR(regular, *info);
{{ solve_by_panels(A, B, rhs, n, nrhs) }}
{% endif %}
}
