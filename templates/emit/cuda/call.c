{% set data = ".data()" if cxx else "" %}
{% for x in operands %}
    void *on_{{ x.name }} = on_gpu({{ x.name }}{{ data }}, {{ x.numbers }} * sizeof({{ x.ctype }}));
{% if x.pointers %}
    for (size_t p = 0; p < BATCH; p++)
        all_{{ x.name }}[p] = ({{ x.ctype }} *)on_{{ x.name }} + in_{{ x.name }}(p, 0, 0);
    void *on_all_{{ x.name }} = on_gpu(all_{{ x.name }}{{ data }}, BATCH * sizeof({{ x.ctype }} *));
{% endif %}
{% endfor %}
{% if info %}
    void *on_info = on_gpu(info{{ data }}, BATCH * sizeof(int32_t));
{% endif %}

    /* queued on the default stream, on which copies wait for it */
    const int status = {{ call }};
{% for x in operands if x.name == result %}
    const size_t bytes = {{ x.numbers }} * sizeof({{ x.ctype }});
    must(cudaMemcpy({{ result }}{{ data }}, on_{{ result }}, bytes, cudaMemcpyDeviceToHost));
{% endfor %}
{% for name in blocks %}
    must(cudaFree(on_{{ name }}));
{% endfor %}
