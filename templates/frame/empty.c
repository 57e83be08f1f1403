{# The entry point of a kernel whose output has no elements: it only checks its arguments. #}
{% include "prelude/head.c" %}

{{ linkage }}int {{ symbol }}({{ parameters }})
{
{% for name in positions if not (info and name == "batch_count") %}
    (void){{ name }};
{% endfor %}
{% for bad, position in checks %}
    if ({{ bad }})
        return -{{ position }};
{% endfor %}
{% if info and target == "cpu" %}
    for (int64_t p = 0; p < batch_count; p++)
        info[p] = 0;
{% elif info %}
    if (batch_count > 0)
        return (int)cudaMemsetAsync(info, 0, batch_count * sizeof *info, (cudaStream_t)stream);
{% endif %}
    return 0;
}
