{# A triangular factor that is in registers as a whole, a<column>_<row>, and a matrix of which one column after another
   is there, c0_<row>: threads of GPUs move both once. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/loop.c" import along %}
{% macro load(x, X, rows, unit) %}
{% for c in range(rows) if c + unit < rows %}
    bb_elem {{ t.names("a" ~ c ~ "_", rows, c + unit) }};
{% for r in range(c + unit, rows) %}
    BB_GET(a{{ c }}_{{ r }}, {{ x }} + {{ X.at(r, c) }}, {{ X.im }});
{% endfor %}
{% endfor %}
{% endmacro %}
{% macro columns(x, X, rows, cols) %}
{% set each = caller %}
{% call(j, one) along(segments(cols, 1), "j") %}
{{ t.load(x, X, rows, one.size, 0, j) }}
{{ each() }}
{{ t.store(x, X, rows, one.size, 0, j) }}
{% endcall %}
{% endmacro %}
