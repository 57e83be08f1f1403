{# The entry point of a kernel for all sizes that does large problems otherwise. #}
static int bb_by_size({{ parameters }}, char *given)
{
{% for bad, position in checks %}
    if ({{ bad }})
        return -{{ position }};
{% endfor %}
{% if together %}
    const int together = num_threads != 1 && batch_count == 1 && {{ together }}; /* threads share it as it lies */
{% endif %}
    if ({{ "!together && " if together }}{{ is_large }})
        return bb_large_call({{ positions | join(", ") }}, given);
    return bb_call({{ positions | join(", ") }}, given);
}

{% set called, bytes = "bb_by_size", heap_bytes %}
{% include "frame/entry_points.c" %}
