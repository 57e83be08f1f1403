{# One triangle of C := alpha A A' + beta C, or A A* in the Hermitian case, whose diagonal is real. #}
{% from "tile/triangular_update.c" import functions with context %}
{{ functions(passes) }}
