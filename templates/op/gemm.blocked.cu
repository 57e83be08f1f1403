{# C := alpha op(A) op(B) + beta C. #}
{% import "tile/device_product.cu" as device with context %}
{% set A, B, C = body.views %}
{{ device.product(A, B, C, body.size.m, body.size.n, body.size.k, ("A", "B"), false, false) }}
