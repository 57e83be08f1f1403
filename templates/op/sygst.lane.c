{# A := L^-1 A L^-*, or L* A L, with the lower triangle L that B holds; one triangle of a Hermitian A. #}
{% import "tile/" ~ ("congruence_inverse" if body.inverted else "congruence_product") ~ ".c" as way with context %}
{% set A, B = body.views %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ way.transform(A, B) }}
}
