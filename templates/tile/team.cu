{# How bodies of teams go through a matrix: see codegen/rounds. Line number p of this lane is own<p>. #}
{% from "tile/loop.c" import loop as steps %}
{% from "tile/register_tile.c" import names with context %}
{% macro own(lines) %}
{% for slot in lines.slots %}
    const int {{ slot.own }} = lane{{ " + " ~ slot.start if slot.start }};
{% endfor %}
{% endmacro %}
{# The caller gets each panel. #}
{% macro panels(lines) %}
{% set each = caller %}
{% for found in lines.panels %}
{% call(j) steps("j", found.first, found.last, found.size) %}
{{ each(found.at(j)) }}
{% endcall %}
{% endfor %}
{% endmacro %}
{# x<column>_<row> = the lower triangle of A on the diagonal, perhaps without the diagonal. #}
{% macro block(x, A, panel, strict=false) %}
{% for c in range(panel.size - strict) %}
            bb_elem {{ names(x ~ c ~ "_", panel.size, c + strict) }};
{% for r in range(c + strict, panel.size) %}
            BB_GET({{ x }}{{ c }}_{{ r }}, A + {{ A.at(panel.line(r), panel.line(c)) }}, {{ A.im }});
{% endfor %}
{% endfor %}
{% endmacro %}
{# Several steps of a loop are on their way together, more where there is little to do in each. #}
{% macro unrolled(slots) %}BB_UNROLL({{ 8 if slots | length == 1 and not complex else 4 }}){% endmacro %}
