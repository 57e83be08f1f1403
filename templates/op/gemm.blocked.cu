{# C := alpha op(A) op(B) + beta C. #}
{% set A, B, C = body.views %}
{% set m, n, k = body.size.m, body.size.n, body.size.k %}
{% set factors, lower, real = ("A", "B"), false, false %}
{% include "tile/device_product.cu" %}
