{# One triangle of C := alpha A B' + alpha B A' + beta C, or alpha A B* + conj(alpha) B A* + beta C: one product, then, on
   top of it, the other. #}
{% from "tile/triangular_update.c" import function with context %}
{% from "tile/packed_panel.c" import functions with context %}
{% set A, B, C = body.views %}
{% set P = B.transposed().conjugated() if body.hermitian else B.transposed() %}
{% set Q = A.transposed().conjugated() if body.hermitian else A.transposed() %}
{{ functions(A) if not A.unit_rows }}
{{ function("bb_first", "A", A, "B", P) }}
{{ function("bb_second", "B", B, "A", Q) }}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    const bb_scalar one = {{ "{1, 0}" if complex else "1" }};
{% if body.hermitian %}
    const bb_scalar conjugate = {alpha.re, -alpha.im};
{% endif %}
    bb_first({{ body.kinds }}{{ body.replaced(alpha="conjugate") if body.hermitian and body.transposed_output else body.arguments }});
    if (alpha_is)
        bb_second(alpha_is, 1, {{ body.replaced(alpha="conjugate" if body.hermitian and not body.transposed_output else "alpha", beta="one") }});
}
