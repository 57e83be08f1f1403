{# The lower triangle of C := alpha A A' + beta C, or A A* in the Hermitian case, whose diagonal is real. #}
{% import "tile/device_product.cu" as device with context %}
{% set A, C = body.views %}
{% set B = A.transposed().conjugated() if body.hermitian else A.transposed() %}
{{ device.product(A, B, C, body.size.n, body.size.n, body.size.k, ("A", "A"), true, body.hermitian) }}
