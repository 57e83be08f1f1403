{# A = L U without exchanges of rows by a team. #}
{% from "tile/team_lu.cu" import factor with context %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ factor(body.views[0], none, body.size.m, body.size.n) }}
}
