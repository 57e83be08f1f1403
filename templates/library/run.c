{# How the matrices of a problem are run, in one layout. #}
{% if call.layout in aparts %}
{% set apart = aparts[call.layout] %}
{% include "library/apart.c" %}

{% endif %}
/* The kernel for all sizes. */
static inline const kernel *general_for_{{ call.layout }}(const problem *p)
{
{% if call.layout in larges %}
    if (is_large_{{ call.layout }}(p))
        return &large_{{ call.layout }}[{{ prefix }}level][p->code];
{% endif %}
    return &general_{{ call.layout }}[{{ prefix }}level][p->code];
}

/* {{ call.layout }}: 0, 1 without memory, or -i where argument i of the kernel for all sizes is at fault. `work`, if it
 * is not NULL, is scratch for one thread, and the only memory that there is. */
static int run_{{ call.layout }}(const problem *p, {{ call.parameters }}, char *work)
{
{% if call.layout in aparts %}
    if ({{ aparts[call.layout].condition }})
        return apart_{{ call.layout }}(p, {{ call.passed_names }}, work);
{% endif %}
    const int64_t slot = slot_of(p, {{ call.number }});
    if (slot >= 0) {
        const kernel *const known = &kernels[{{ prefix }}level][slot];
        const int status = {{ called("known", call.types(general=false), call.arguments(general=false)) }};
        if (status >= 0)
            return status;
    }
    const kernel *const general = general_for_{{ call.layout }}(p);
    return {{ called("general", call.types(general=true), call.arguments(general=true)) }};
}

/* The bytes of scratch that it works in. */
static int64_t needed_{{ call.layout }}(const problem *p)
{
{% if call.layout in aparts %}
    if ({{ aparts[call.layout].condition }})
        return needed_apart_{{ call.layout }}(p);
{% endif %}
    const int64_t slot = slot_of(p, {{ call.number }});
    const kernel *const known = &kernels[{{ prefix }}level][slot < 0 ? 0 : slot];
    const kernel *const general = general_for_{{ call.layout }}(p);
    if (slot >= 0)
        return {{ asked("known", call.types(general=false), call.sizes_alone(general=false)) }};
    return {{ asked("general", call.types(general=true), call.sizes_alone(general=true)) }};
}
