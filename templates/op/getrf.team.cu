{# A = P L U with the pivots of LAPACK by a team. #}
{% from "tile/team_lu.cu" import factor with context %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ factor(body.views[0], body.views[1], body.size.m, body.size.n) }}
}
