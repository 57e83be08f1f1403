{# A = U S VT, or values alone; the transpose of a wide matrix is VT' S U'. #}
{% import "tile/" ~ body.way ~ ".c" as way with context %}
{% from "tile/singular.c" import body_of, vectors with context %}
{{ way.functions() }}

{% if vectors %}
{% set A, S, U, VT = body.views %}
{{ body_of(A, S, U, VT, way.passed) }}
{% else %}
{% set A, S = body.views %}
{{ body_of(A, S, none, none, way.passed) }}
{% endif %}
