{% from "tile/loop.c" import along, loop %}
{# The loops of a body that goes through the lower triangle of an n x n matrix in square tiles, columns first:
   `diagonal(j, size)`, then `below(i, j, rows, size)`. #}
{% macro columns(n, step, diagonal, below) %}
{% set found = segments(n, step) %}
{% call(j, across) along(found, "j", even=false) %}
{{ diagonal(j, across.size) }}
{% if not across.end %}
{% call(i) loop("i", (j, across.size), across.stop, across.size) %}
{{ below(i, j, across.size, across.size) }}
{% endcall %}
{% for rest in found if across.stop <= rest.start %}
        {
{{ below(rest.start, j, rest.size, across.size) }}
        }
{% endfor %}
{% elif across.size == step %}
{% call(i, down) along(found, "i", first=(j, step), even=false) %}
{{ below(i, j, down.size, step) }}
{% endcall %}
{% endif %}
{% endcall %}
{% endmacro %}
{# Where alpha is zero all of B is, whatever it and A hold. #}
{% macro cleared(B, m, n) %}
    if (alpha_is == 0) {
        for (int64_t j = 0; j < {{ n }}; j++)
            for (int64_t i = 0; i < {{ m }}; i++) {
                bb_elem x;
                BB_ZERO(x);
                BB_PUT(B + {{ B.at("i", "j") }}, {{ B.im }}, x);
            }
        return;
    }
{% endmacro %}
