{# Vectors whose elements lie apart: one that runs backwards begins at its last element, as in the BLAS. #}
static const kernel kernels_apart_{{ call.layout }}[{{ levels | length }}][{{ apart.specs | length }}] = {
{% for level in levels %}
    {
{% for spec in apart.specs %}
        {{ row_of(spec, level) }},
{% endfor %}
    },
{% endfor %}
};

static inline const kernel *apart_for_{{ call.layout }}(const problem *p)
{
{% if apart.name in larges %}
    if (is_large_{{ apart.name }}(p))
        return &large_{{ apart.name }}[{{ prefix }}level][{{ apart.code }}];
{% endif %}
    return &kernels_apart_{{ call.layout }}[{{ prefix }}level][{{ apart.code }}];
}

/* As run_{{ call.layout }}. */
static int apart_{{ call.layout }}(const problem *p, {{ call.parameters }}, char *work)
{
    const kernel *const any = apart_for_{{ call.layout }}(p);
    static const unsigned char argument[] = { {{ apart.positions | join(", ") }} };
{% for v in apart.vectors %}
    const int64_t {{ v.name }}_last = {{ v.parts }} * (1 - {{ v.length }}) * {{ v.increment }};
    const int64_t {{ v.name }}_first = {{ v.increment }} < 0 && {{ v.length }} > 0 ? {{ v.name }}_last : 0;
{% endfor %}
{% if call.layout == "st" %}
{% for v in apart.vectors %}
    {{ v.pointer }}{{ v.name }}_at = {{ v.name }} ? ({{ v.real }}){{ v.name }} + {{ v.name }}_first : NULL;
{% endfor %}
    const int status = {{ called("any", apart.types, apart.arguments) }};
    return status < 0 ? -argument[-status] : status;
{% else %}
    enum { SOME = 256 };
    const int backwards = {{ apart.vectors | map(attribute="name") | join("_first || ") }}_first;
    const int64_t some = backwards ? SOME : batch_count > 0 ? batch_count : 1;
    int status = 0;
    for (int64_t done = 0; !done || (!status && done < batch_count); done += some) {
        const int64_t count = batch_count - done < some ? batch_count - done : some;
{% for v in apart.vectors %}
        {{ v.pointer }}{{ v.name }}_moved[SOME], {{ v.pointer[-1:] }}const *{{ v.name }}_at = {{ v.name }} + done;
        if ({{ v.name }} && {{ v.name }}_first) {
            for (int64_t i = 0; i < count; i++)
                {{ v.name }}_moved[i] = ({{ v.real }}){{ v.name }}[done + i] + {{ v.name }}_first;
            {{ v.name }}_at = {{ v.name }}_moved;
        }
{% endfor %}
        status = {{ called("any", apart.types, apart.arguments) }};
    }
    return status < 0 ? -argument[-status] : status;
{% endif %}
}

static int64_t needed_apart_{{ call.layout }}(const problem *p)
{
    const kernel *const any = apart_for_{{ call.layout }}(p);
    return {{ asked("any", apart.types, apart.sizes_alone) }};
}
