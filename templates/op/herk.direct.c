{# One triangle of C := alpha A A* + beta C, A complex: syrk with conjugates. #}
{% include "op/syrk.direct.c" %}
