{# A = U S VT, or values alone; the transpose of a wide matrix is VT' S U'. #}
{% from "tile/singular.c" import apart, arrays, body_of, sides, sizes, vectors with context %}
{% from "tile/singular_columns.c" import lengths, rotation, sweeps with context %}
{% from "tile/singular_order.c" import completion, ordered with context %}
{{ rotation() }}

{% if vectors %}
{{ completion() }}

{% endif %}
static {{ apart }} void {{ body.name }}_solve({{ sizes ~ arrays }}, bb_vec *const left)
{
{{ sides() }}
{{ sweeps() }}
{{ ordered() }}
{{ lengths() }}
}

{% if vectors %}
{% set A, S, U, VT = body.views %}
{{ body_of(A, S, U, VT) }}
{% else %}
{% set A, S = body.views %}
{{ body_of(A, S, none, none) }}
{% endif %}
