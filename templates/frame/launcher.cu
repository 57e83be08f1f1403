#ifndef __CUDACC_RTC__
/* Queues the kernel on `stream` (a cudaStream_t); pointers are device pointers. Returns -i for a bad argument i, a
   positive cudaError_t where the launch fails. */
extern "C" int {{ symbol }}({{ parameters }})
{
{% for bad, position in checks %}
    if ({{ bad }})
        return -{{ position }};
{% endfor %}
{% if not functions %}
    return 0;
{% else %}
    if (batch_count == 0)
        return 0;
{% if functions[0].tile %}
    int64_t blocks = batch_count;
{% for name, side in functions[0].tile %}
    blocks *= ({{ name }} + {{ side - 1 }}) / {{ side }};
{% endfor %}
    if (blocks == 0)
        return 0;
{% else %}
    const int64_t blocks = (batch_count + {{ functions[0].matrices - 1 }}) / {{ functions[0].matrices }};
{% endif %}
    if (blocks > 2147483647)
        return -{{ positions.batch_count }};
{% for name in pairs %}
    const bb_real {{ name }}_re = {{ name }}[0], {{ name }}_im = {{ name }}[1];
{% endfor %}
{% if functions | length > 1 %}
{% for name, test in classes.items() %}
    const int {{ name }}_is = {{ test }};
{% endfor %}
{% endif %}
    const void *const kernel =
{% for function in functions[:-1] %}
        {{ function.condition }} ? (const void *){{ function.name }} :
{% endfor %}
        (const void *){{ functions[-1].name }};
    void *arguments[] = {
{% for x in functions[0].arguments %}
        (void *)&{{ x.name }},
{% endfor %}
    };
{% if functions[0].dynamic %}
    const cudaError_t allowed =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, {{ functions[0].dynamic }});
    if (allowed != cudaSuccess)
        return (int)allowed;
{% endif %}
    const dim3 grid((unsigned)blocks), block({{ functions[0].threads }});
    return (int)cudaLaunchKernel(kernel, grid, block, arguments, {{ functions[0].dynamic }}, (cudaStream_t)stream);
{% endif %}
}
#endif
