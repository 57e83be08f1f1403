{% from "tile/loop.c" import along, loop %}
{# The loops of a body that goes through an m x n matrix in square tiles along its diagonal: `diagonal(j, size)`, then
   the tiles `below(i, j, rows, size)` and, where there are such, those `beside(j, i, size, cols)`. #}
{% macro columns(m, n, step, diagonal, below, beside=none) %}
{% call(j, across) along(segments(least(m, n), step), "j", even=false) %}
{{ diagonal(j, across.size) }}
{% call(i, rows) behind(j, across, m, step) %}
{{ below(i, j, rows, across.size) }}
{% endcall %}
{% if beside %}
{% call(i, cols) behind(j, across, n, step) %}
{{ beside(j, i, across.size, cols) }}
{% endcall %}
{% endif %}
{% endcall %}
{% endmacro %}
{# What is left of [0, end) behind a tile of the diagonal. Behind a short one run time goes in steps of 1. #}
{% macro behind(j, tile, end, step) %}
{% set each = caller %}
{% if not tile.end %}
{% with last = remainder(tile.stop, end, step) %}
{% call(i) loop("i", (j, tile.size), last.start, step) %}
{{ each(i, step) }}
{% endcall %}
{% if last.size %}
        {
{{ each(last.start, last.size) }}
        }
{% endif %}
{% endwith %}
{% elif tile.size == step %}
{% call(i, found) along(segments(end | string, step), "i", first=(j, step), even=false) %}
{{ each(i, found.size) }}
{% endcall %}
{% elif tile.end != end | string %}
{% call(i) loop("i", (j, tile.size), end | string) %}
{{ each(i, 1) }}
{% endcall %}
{% endif %}
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
