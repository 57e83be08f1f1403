{# C := alpha A B + beta C, A Hermitian: symm with conjugates. #}
{% include "op/symm.direct.c" %}
