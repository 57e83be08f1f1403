{# The lower triangle of C := alpha A B' + alpha B A' + beta C, or alpha A B* + conj(alpha) B A* + beta C. #}
{% import "tile/register_tile.c" as t with context %}
{% import "tile/team_triangle.cu" as team with context %}
{% set A, B, C = body.views %}
{% set P = B.conjugated() if body.hermitian else B %}
{% set Q = A.conjugated() if body.hermitian else A %}
{% set size = body.share.slices.n %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    const int64_t steps = alpha_is ? {{ body.size.k }} : 0;
{% call team.each_tile() %}
{{ t.zero(size, size, true) }}
{% if body.hermitian %}
{{ t.zero(size, size, true, "d") }}
{% endif %}
{{ team.products("A", A, "B", P) }}
{{ team.products("B", B, "A", Q, "d" if body.hermitian else "c") }}
        if (alpha_is == BB_ANY) {
{% call(r, c) t.each(size, size, true) %}
{% if body.hermitian %}
            BB_SCALE{{ "_CONJ" if body.transposed_output }}(c{{ c }}_{{ r }}, alpha);
            BB_SCALE{{ "_CONJ" if not body.transposed_output }}(d{{ c }}_{{ r }}, alpha);
{% else %}
            BB_SCALE(c{{ c }}_{{ r }}, alpha);
{% endif %}
{% endcall %}
        }
{% if body.hermitian %}
{% call(r, c) t.each(size, size, true) %}
        BB_ADD(c{{ c }}_{{ r }}, d{{ c }}_{{ r }});
{% endcall %}
{% endif %}
{{ team.update(C) }}
{% endcall %}
}
