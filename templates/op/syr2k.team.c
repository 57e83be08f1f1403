{# The lower triangle of C := alpha A B' + alpha B A' + beta C, or alpha A B* + conj(alpha) B A* + beta C, by a team. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/team.c" import own, panels with context %}
{% import "tile/team_sums.c" as s with context %}
{% set A, B, C = body.views %}
{% set P = B.transposed().conjugated() if body.hermitian else B.transposed() %}
{% set Q = A.transposed().conjugated() if body.hermitian else A.transposed() %}
{% set second = "second" if body.hermitian else "first" %}
{% set n, lanes = body.size.n, schedule.lanes %}
{% set slots = (n + lanes - 1) // lanes %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    const int steps = alpha_is ? {{ body.size.k }} : 0;
{{ own(n, lanes) }}
{{ s.rows(n, lanes) }}
{% call(j, size, first) panels(n, lanes, body.share.panel) %}
{{ s.zeros("first", size, first, slots) }}
{% if body.hermitian %}
{{ s.zeros("second", size, first, slots) }}
{% endif %}
{{ s.products("first", "A", A, "B", P, j, size, first, slots, n) }}
{{ s.products(second, "B", B, "A", Q, j, size, first, slots, n) }}
{% call(p, q, diagonal) s.elements(j, size, first, slots, n, lanes) %}
                bb_elem c0_0 = first{{ p }}_{{ q }};
{% if body.hermitian %}
                bb_elem d0_0 = second{{ p }}_{{ q }};
                if (alpha_is == BB_ANY) {
                    BB_SCALE{{ "_CONJ" if body.transposed_output }}(c0_0, alpha);
                    BB_SCALE{{ "_CONJ" if not body.transposed_output }}(d0_0, alpha);
                }
                BB_ADD(c0_0, d0_0);
{% endif %}
{{ t.update(C, 1, 1, "own" ~ p, (j, q), real_diagonal=diagonal and body.hermitian, scaled=body.hermitian) }}
{% endcall %}
{% endcall %}
}
