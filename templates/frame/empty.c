{# The entry point of a kernel whose output has no elements: it only checks its arguments. #}
{% include "prelude/head.c" %}

{{ linkage }}int {{ symbol }}({{ parameters }})
{
{% for name in positions %}
    (void){{ name }};
{% endfor %}
{% for bad, position in checks %}
    if ({{ bad }})
        return -{{ position }};
{% endfor %}
    return 0;
}
