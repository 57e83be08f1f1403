{# One triangle of C := alpha A B' + alpha B A' + beta C, or alpha A B* + conj(alpha) B A* + beta C: one product, then,
   on top of it, the other. #}
{% from "tile/triangular_update.c" import functions with context %}
{{ functions(passes) }}
{% set some = "begin, end, " if pieces %}
{% set given = "const int64_t begin, const int64_t end, " if pieces %}
static BB_INLINE void {{ body.name }}({{ given }}{{ body.parameters }})
{
    const bb_scalar one = {{ "{1, 0}" if complex else "1" }};
{% if body.hermitian %}
    const bb_scalar conjugate = {alpha.re, -alpha.im};
{% endif %}
    {{ passes[0].name }}({{ some }}{{ body.kinds }}{{ body.replaced(alpha="conjugate") if body.hermitian and body.transposed_output else body.arguments }});
    if (alpha_is)
        {{ passes[1].name }}({{ some }}alpha_is, 1, {{ body.replaced(alpha="conjugate" if body.hermitian and not body.transposed_output else "alpha", beta="one") }});
}
