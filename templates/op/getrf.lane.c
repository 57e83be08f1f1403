{# A = P L U with the pivots of LAPACK: small matrices in registers, others by panels of columns. #}
{% from "tile/lu_registers.c" import factor with context %}
{% set A, IPIV = body.views %}
{% set m, n = body.size.m, body.size.n %}
{% if m * n * parts <= 64 %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ factor(A, IPIV, m, n) }}
}
{% else %}
{% include "tile/lu_panels.c" %}
{% endif %}
