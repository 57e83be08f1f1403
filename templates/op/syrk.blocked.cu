{# The lower triangle of C := alpha A A' + beta C, or A A* in the Hermitian case, whose diagonal is real. #}
{% set A, C = body.views %}
{% set B = A.transposed().conjugated() if body.hermitian else A.transposed() %}
{% set m, n, k = body.size.n, body.size.n, body.size.k %}
{% set factors, lower, real = ("A", "A"), true, body.hermitian %}
{% include "tile/device_product.cu" %}
