{# X := A^-1 of small orders: factors, and the inverse by them, at once. #}
{% import "tile/" ~ body.way ~ ".c" as way with context %}
{% set A, X = body.views %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ way.invert(A, X, body.size.n) }}
}
