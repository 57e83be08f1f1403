{# A = P L U with the pivots of LAPACK: small matrices in registers, others by panels of columns. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/lu_registers.c" import factor, pivots with context %}
{% from "tile/lu_closed.c" import closed with context %}
{% from "tile/lu_panels.c" import factor_by_panels with context %}
{% from "tile/lu_blocks.c" import factor_by_blocks with context %}
{% from "tile/lu_block_search.c" import in_order with context %}
{% import "tile/lu_orders.c" as few with context %}
{% set A, IPIV = body.views %}
{% set source = body.sources.A %}
{% set m, n = body.size.m, body.size.n %}
{% set k = least(m, n) %}
{% macro straight(m, n, k) %}
{{ t.load(source.name, source.view, m, n, 0, 0) }}
{{ pivots(k) }}
{{ factor(m, n) }}
{% for p in range(k) %}
    BB_PUT_INDEX(IPIV + {{ IPIV.at(p, 0) }}, at{{ p }} + 1);
{% endfor %}
{{ t.store("A", A, m, n, 0, 0) }}
{% endmacro %}
{% call(order) few.each(n) %}
{{ straight(order, order, order) }}
{% endcall %}
{{ in_order() if body.blocks }}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{% if body.closed %}
{{ t.load(source.name, source.view, n, n, 0, 0) }}
{{ closed(n, n - 2, n - 1) }}
{% for i in range(n) %}
    BB_PUT(A + {{ A.at(i, i) }}, {{ A.im }}, c{{ i }}_{{ i }});
{% endfor %}
    (void)IPIV;
{% elif body.straight %}
{{ straight(m, n, k) }}
{% elif body.blocks %}
{{ factor_by_blocks(A, IPIV) }}
{% else %}
{{ few.tried(m, n) }}
{{ factor_by_panels(A, IPIV, m, n) }}
{% endif %}
}
