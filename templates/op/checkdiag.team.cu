{# All lanes look at all of the diagonal, so all report the same. #}
{% include "op/checkdiag.lane.c" %}
