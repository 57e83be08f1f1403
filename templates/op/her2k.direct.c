{# One triangle of C := alpha A B* + conj(alpha) B A* + beta C: syr2k with conjugates. #}
{% include "op/syr2k.direct.c" %}
