{# A kernel whose output has no elements: it only checks its arguments, and reports no errors. #}
{% include "frame/head.c" %}
typedef {{ storage.name }} bb_real;
{% for function in functions %}

extern "C" __global__ void __launch_bounds__({{ function.threads }}{{ ", " ~ function.blocks if function.blocks }})
    {{ function.name }}({{ function.parameters }})
{
    const int64_t p = (int64_t)blockIdx.x * {{ function.threads }} + threadIdx.x;
    if (p < batch_count)
        info[p] = 0;
}
{% endfor %}
{% if launcher %}

{% include "frame/launcher.cu" %}
{% endif %}
