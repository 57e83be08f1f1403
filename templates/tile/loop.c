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
{# All segments of a range, in their order or backwards: the caller gets the index where a step begins, and its segment. #}
{% macro along(segments, variable, backwards=false) %}
{% for found in (segments | reverse if backwards else segments) %}
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
{% macro named(segments, variable) %}
{% for found in segments %}
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
