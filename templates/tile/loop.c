{# Loops whose ends may be known when the kernel is made. An index is a number, a C variable, or one of these and a number
   to add; `x | index` is its C text, and x is before(y) where it may be. What is done in one step only is given its
   number, and there is no loop; nor where there are no steps. #}
{% macro loop(variable, first, last, step=1, pragma="", backwards=false) %}
{% if (first, step) is before(last) %}
            {{ pragma }}
{% if backwards %}
            for (int64_t {{ variable }} = {{ (last, -step) | index }}; {{ variable }} >= {{ first | index }}; {{ variable }} -= {{ step }}) {
{% else %}
            for (int64_t {{ variable }} = {{ first | index }}; {{ variable }} < {{ last | index }}; {{ variable }} += {{ step }}) {
{% endif %}
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
    for (int64_t {{ variable }} = {{ found.last }}; {{ variable }} >= {{ found.start }}; {{ variable }} -= {{ found.size }}) {
{{ caller(variable, found) }}
    }
{% else %}
    for (int64_t {{ variable }} = {{ found.start }}; {{ variable }} < {{ found.stop }}; {{ variable }} += {{ found.size }}) {
{{ caller(variable, found) }}
    }
{% endif %}
{% endfor %}
{% endmacro %}
{# Steps of all sizes that there may be, from the `first` index on: whole ones and a last one, or the last two are as `even`
   as can be. `most`: C text of the largest step where that is not one of the segments'. #}
{% macro any_size(each, segments, variable, indexed=false, backwards=false, first=0, most="", even=true) %}
{% set size, end, whole = variable ~ "_size", segments[0].end, most or segments[-1].size %}
{% set next = "bb_even_step" if even else "bb_whole_step" %}
{% if backwards %}
    for (int64_t {{ variable }}_end = {{ end }}, {{ size }}; {{ variable }}_end > 0; {{ variable }}_end -= {{ size }}) {
        {{ size }} = {{ next }}({{ variable }}_end, {{ whole }});
        const int64_t {{ variable }} = {{ variable }}_end - {{ size }};
{% else %}
    for (int64_t {{ variable }} = {{ first | index }}, {{ size }}; {{ variable }} < {{ end }}; {{ variable }} += {{ size }}) {
        {{ size }} = {{ next }}({{ end }} - {{ variable }}, {{ whole }});
{% endif %}
        switch ({{ size }}) {
{% for found in segments | reverse %}
        {{ "case %d" % found.size if loop.index > 1 else "default" }}: {
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
    for (int64_t {{ found.variable }} = {{ found.turn | index }}; {{ found.variable }} >= {{ found.first | index }}; {{ found.variable }} -= {{ found.step }}) {
{{ caller() }}
    }
{% elif found.repeats %}
    for (int64_t {{ found.variable }} = {{ found.first | index }}; {{ found.variable }} < {{ found.last | index }}; {{ found.variable }} += {{ found.step }}) {
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
    for (int64_t {{ variable }} = {{ found.start }}; {{ variable }} < {{ found.stop }}; {{ variable }} += {{ found.size }}) {
{{ caller(found) }}
    }
{% endif %}
{% endfor %}
{% endmacro %}
