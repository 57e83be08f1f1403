{# One triangle of C := alpha A A' + beta C, or A A* in the Hermitian case, whose diagonal is real. #}
{% from "op/rank.c" import function with context %}
{% from "op/panel.c" import functions with context %}
{% set A = body.views[0] %}
{{ functions(A) if not A.unit_rows -}}
{{ function(body.name, "A", A, "A", A.transposed().conjugated() if body.hermitian else A.transposed()) -}}
