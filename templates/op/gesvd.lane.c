{# A = U S VT, or values alone; the transpose of a wide matrix is VT' S U'. #}
{% import "tile/" ~ body.way ~ ".c" as way with context %}
{% from "tile/singular.c" import vectors with context %}
{% from "tile/singular_moved.c" import body_of with context %}
{{ way.functions() }}

{% set A, S = body.views[:2] %}
{% set U, VT = body.views[2:] if vectors else (none, none) %}
{{ body_of(A, S, U, VT, way.passed) }}
