{# C := alpha A A* + beta C: syrk with conjugates. #}
{% include "op/syrk.lane.c" %}
