{# The entry point of a kernel whose output has no elements: it only checks its arguments. #}
{% include "frame/head.c" %}

int {{ symbol }}({{ parameters }})
{
{% for name in positions if not (info and name == "batch_count") %}
    (void){{ name }};
{% endfor %}
{% for bad, position in checks %}
    if ({{ bad }})
        return -{{ position }};
{% endfor %}
{% if info %}
{% include "frame/zero_info.c" %}
{% endif %}
    return 0;
}
