{# The lower triangle of C := alpha A A' + beta C, or A A* in the Hermitian case, whose diagonal is real. #}
{% import "tile/register_tile.c" as t with context %}
{% import "tile/team_triangle.cu" as team with context %}
{% set A, C = body.views %}
{% set B = A.conjugated() if body.hermitian else A %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    const int64_t steps = alpha_is ? {{ body.size.k }} : 0;
{% call team.each_tile() %}
{{ t.zero(body.share.slices.n, body.share.slices.n, true) }}
{{ team.products("A", A, "A", B) }}
        if (alpha_is == BB_ANY) {
{% call(r, c) t.each(body.share.slices.n, body.share.slices.n, true) %}
            BB_SCALE(c{{ c }}_{{ r }}, alpha);
{% endcall %}
        }
{{ team.update(C) }}
{% endcall %}
}
