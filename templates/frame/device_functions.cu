{% for function in functions %}
{{ "/* " ~ function.comment ~ ". */" if function.kinds }}
extern "C" __global__ void __launch_bounds__({{ function.threads }}{{ ", " ~ function.blocks if function.blocks }})
    {{ function.name }}({{ function.parameters }})
{
{% if function.tile %}
    const bb_args own = { {{ block }} };
    bb_tile({{ function.told }}&own, (int64_t)blockIdx.x);
{% else %}
    const int64_t first = (int64_t)blockIdx.x * {{ function.matrices }}, left = batch_count - first;
    const bb_args own = { {{ block }} };
    bb_matrices({{ function.told }}&own, first, left < {{ function.matrices }} ? (int)left : {{ function.matrices }});
{% endif %}
}

{% endfor %}
{% if launcher %}
{% include "frame/launcher.cu" %}
{% endif %}
