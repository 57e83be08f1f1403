{# A = V diag(W) V*, by the algorithm for the order; `low` is A with its lower triangle, whichever is stored. #}
{% import "tile/" ~ body.way ~ ".c" as way with context %}
{% set A, W = body.views %}
{% set low = A.transposed().conjugated() if body.transposed_output else A %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ way.decompose(A, low, W) }}
}
