{# Loops whose ends may be known when the kernel is made. An index is a number, a C variable, or one of these and a
   number to add; `x | index` is its C text, and x is before(y) where it may be. What is done in one step only is given
   its number, and there is no loop; nor where there are no steps. #}
{% macro up(x, first, last, step) -%}
for (int64_t {{ x }} = {{ first | index }}; {{ x }} < {{ last | index }}; {{ x }} += {{ step }})
{%- endmacro %}
{% macro down(x, first, last, step) -%}
for (int64_t {{ x }} = {{ last | index }}; {{ x }} >= {{ first | index }}; {{ x }} -= {{ step }})
{%- endmacro %}
{% macro loop(variable, first, last, step=1, pragma="", backwards=false) %}
{% if (first, step) is before(last) %}
            {{ pragma }}
            {{ down(variable, first, (last, -step), step) if backwards else up(variable, first, last, step) }} {
{{ caller(variable) }}
            }
{% elif first is before(last) %}
            {
{{ caller(first) }}
            }
{% endif %}
{% endmacro %}
{# All segments of a range, in their order or backwards: the caller gets the index where a step begins, and its segment.
   Where only run time knows the end, see any_size. #}
{% macro along(segments, variable, backwards=false, first=0, most="", even=true) %}
{% if segments and segments[0].end %}
{{ any_size(caller, segments, variable, true, backwards, first, most, even) }}
{% endif %}
{% for found in (segments | reverse if backwards else segments) if not found.end %}
{% if found.repeats == 1 and segments | length == 1 %}
{{ caller(found.start, found) }}
{% elif found.repeats == 1 %}
    {
{{ caller(found.start, found) }}
    }
{% elif backwards %}
    {{ down(variable, found.start, found.last, found.size) }} {
{{ caller(variable, found) }}
    }
{% else %}
    {{ up(variable, found.start, found.stop, found.size) }} {
{{ caller(variable, found) }}
    }
{% endif %}
{% endfor %}
{% endmacro %}
{# Steps of all sizes that there may be, from the `first` index on: whole ones and a last one, or the last two are as
   `even` as can be. `most`: C text of the largest step where that is not one of the segments'. #}
{% macro any_size(each, segments, variable, indexed=false, backwards=false, first=0, most="", even=true) %}
{% set size %}{{ variable }}_size{% endset %}
{% set end, whole = segments[0].end, most or segments[-1].size %}
{% set next = "bb_even_step" if even else "bb_whole_step" %}
{% if backwards %}
    for (int64_t {{ variable }}_end = {{ end }}, {{ size }}; {{ variable }}_end > 0; {{ variable }}_end -= {{ size }})
{%- else %}
    {{ up(variable, first | index ~ ", " ~ size, end, size) }}
{%- endif %} {
{% if backwards %}
        {{ size }} = {{ next }}({{ variable }}_end, {{ whole }});
        const int64_t {{ variable }} = {{ variable }}_end - {{ size }};
{% else %}
        {{ size }} = {{ next }}({{ end }} - {{ variable }}, {{ whole }});
{% endif %}
        switch ({{ size }}) {
{% for found in segments | reverse %}
        {{ "default" if loop.first else "case " ~ found.size }}: {
{{ each(variable, found) if indexed else each(found) }}
            break;
        }
{% endfor %}
        }
    }
{% endmacro %}
{# One loop of a direct body. #}
{% macro over(found) %}
{% if found.repeats and found.backwards %}
    {{ down(found.variable, found.first, found.turn, found.step) }} {
{{ caller() }}
    }
{% elif found.repeats %}
    {{ up(found.variable, found.first, found.last, found.step) }} {
{{ caller() }}
    }
{% elif found.alone %}
{{ caller() }}
{% else %}
    {
{{ caller() }}
    }
{% endif %}
{% endmacro %}
{# What a thread does of a piece, if that is one of its own; what is no piece is done by all. #}
{% macro mine() %}
{% if pieces and pieces.of in varargs %}
        if (number >= begin && number < end) {
{{ caller() }}
        }
        number++;
{% else %}
{{ caller() }}
{% endif %}
{% endmacro %}
{# The same for bodies whose C names the variable: it is there though it has one value. #}
{% macro named(segments, variable, most="") %}
{% if segments and segments[0].end %}
{{ any_size(caller, segments, variable, most=most, even=false) }}
{% endif %}
{% for found in segments if not found.end %}
{% if found.repeats == 1 %}
    {
        const int64_t {{ variable }} = {{ found.start }};
{{ caller(found) }}
    }
{% else %}
    {{ up(variable, found.start, found.stop, found.size) }} {
{{ caller(found) }}
    }
{% endif %}
{% endfor %}
{% endmacro %}
