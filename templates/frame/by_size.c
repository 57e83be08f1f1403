{# The entry point of a kernel for all sizes that does large problems otherwise. #}
static int bb_by_size({{ parameters }}, char *given)
{
{% for bad, position in checks %}
    if ({{ bad }})
        return -{{ position }};
{% endfor %}
    if ({{ is_large }})
        return bb_large_call({{ positions | join(", ") }}, given);
    return bb_call({{ positions | join(", ") }}, given);
}

{% set called, bytes = "bb_by_size", heap_bytes %}
{% include "frame/entry_points.c" %}
