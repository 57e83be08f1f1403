{# The lower triangle of C := alpha A A' + beta C, or A A* in the Hermitian case, whose diagonal is real, by a team. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/team.c" import own, panels with context %}
{% import "tile/team_sums.c" as s with context %}
{% set A, C = body.views %}
{% set B = A.transposed().conjugated() if body.hermitian else A.transposed() %}
{% set n, lanes = body.size.n, schedule.lanes %}
{% set slots = (n + lanes - 1) // lanes %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    const int steps = alpha_is ? {{ body.size.k }} : 0;
{{ own(n, lanes) }}
{{ s.rows(n, lanes) }}
{% call(j, size, first) panels(n, lanes, body.share.panel) %}
{{ s.zeros("first", size, first, slots) }}
{{ s.products("first", "A", A, "A", B, j, size, first, slots, n) }}
{% call(p, q, diagonal) s.elements(j, size, first, slots, n, lanes) %}
                bb_elem c0_0 = first{{ p }}_{{ q }};
{{ t.update(C, 1, 1, "own" ~ p, (j, q), real_diagonal=diagonal and body.hermitian) }}
{% endcall %}
{% endcall %}
}
