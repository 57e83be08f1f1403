{# One triangle of C := alpha A A' + beta C, or A A* in the Hermitian case, whose diagonal is real. #}
{% from "tile/triangular_update.c" import function with context %}
{% from "tile/packed_panel.c" import functions with context %}
{% set A = body.views[0] %}
{{ functions(A) if not A.unit_rows }}
{{ function(body.name, "A", A, "A", A.transposed().conjugated() if body.hermitian else A.transposed()) }}
