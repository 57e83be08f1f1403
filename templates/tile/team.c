{# How bodies of teams go through a matrix. Its lines, rows or columns, go round among the lanes: this one has own0,
   own1 = own0 + lanes and so on, the lines of slots 0, 1 and so on. A panel is a few lines that follow one another; all
   are of one slot. #}
{% from "tile/loop.c" import loop as steps %}
{% macro own(size, lanes) %}
{% for p in range((size + lanes - 1) // lanes) %}
    const int own{{ p }} = lane{{ " + " ~ p * lanes if p }};
{% endfor %}
{% endmacro %}
{# The caller gets the first line of a panel, how many there are, and their slot. #}
{% macro panels(size, lanes, step) %}
{% set each, rest = caller, size % step %}
{% for p in range((size + lanes - 1) // lanes) %}
{% call(j) steps("j", p * lanes, least(size, (p + 1) * lanes) // step * step, step) %}
{{ each(j, step, p) }}
{% endcall %}
{% endfor %}
{% if rest %}
    {
{{ each(size - rest, rest, (size - 1) // lanes) }}
    }
{% endif %}
{% endmacro %}
{# x = the lower triangle of a block on the diagonal. #}
{% macro block(x, X, i, size, strict=false) %}
{% for p in range(size) if not (strict and p + 1 == size) %}
            bb_elem {% for q in range(p + strict, size) %}{{ x }}{{ p }}_{{ q }}{{ ", " if not loop.last }}{% endfor %};
{% for q in range(p + strict, size) %}
            BB_GET({{ x }}{{ p }}_{{ q }}, A + {{ X.at((i, q), (i, p)) }}, {{ X.im }});
{% endfor %}
{% endfor %}
{% endmacro %}
{# Several steps of a loop are on their way together, more where there is little to do in each. #}
{% macro unrolled(slots) %}BB_UNROLL({{ 8 if slots == 1 and not complex else 4 }}){% endmacro %}
