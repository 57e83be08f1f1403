{# A product with a symmetric factor is one whose packing knows of the diagonal. #}
{% include "op/gemm.blocked.c" %}
