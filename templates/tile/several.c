{# What takes less for several indices at once than for one after the other: the caller is given how many. #}
{% macro several(x, first, last, together) %}
            {
                int64_t {{ x }} = {{ first | index }};
{% for count in [together, 1] | unique %}
                for (; {{ x }} + {{ count }} <= {{ last | index }}; {{ x }} += {{ count }}) {
{{ caller(count) }}
                }
{% endfor %}
            }
{% endmacro %}
