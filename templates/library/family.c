{# One operation in one precision. A problem is what its matrices have in common; `understood` makes one of arguments
   of a call, `run_LAYOUT` finds the kernel and calls it. #}
{% include "library/head.c" %}

/* {{ name }}: {{ row.formula }} */
{% for prototype in text.prototypes %}
HIDDEN {{ prototype }}
{% endfor %}

typedef struct {
    int64_t {{ row.sizes | join(", ") }}, {{ text.lds | join(", ") }}, code;
{% for scalar, parts in text.scalars %}
    {{ text.real }} {{ scalar }}{{ "[2]" if parts == 2 }};
{% endfor %}
} problem;

{% set bits, slots = text.table %}
/* Keys of the shapes that have kernels of their own: sizes, code, layout and a 1. */
static const uint64_t keys[{{ slots | length }}] = {
{% for key, spec in slots %}
    {{ key }}U,
{% endfor %}
};
typedef void (*kernel)(void);
static const kernel kernels[{{ levels | length }}][{{ slots | length }}] = {
{% for level in levels %}
    {
{% for key, spec in slots %}
        {{ "(kernel)" ~ text.entry(spec, level) if spec else "NULL" }},
{% endfor %}
    },
{% endfor %}
};
{% for call in text.calls %}
static const kernel general_{{ call.layout }}[{{ levels | length }}][{{ family.general(call.layout) | length }}] = {
{% for level in levels %}
    {
{% for spec in family.general(call.layout) %}
        (kernel){{ text.entry(spec, level) }},
{% endfor %}
    },
{% endfor %}
};
{% endfor %}

{% if keeps %}
{% include "library/call.c" %}

/* Whether a kernel does one matrix after the other, and gains nothing from being told of several. */
static const unsigned char one_by_one[{{ levels | length }}][{{ slots | length }}] = {
{% for level in levels %}
    { {% for key, spec in slots %}{{ text.one_by_one(spec, level) | int }}, {% endfor %} },
{% endfor %}
};

{% endif %}
/* Where the kernel for the sizes of a problem is in a table; -1 where there is none. */
static inline int64_t slot_of(const problem *p, uint64_t layout)
{
    if ((uint64_t)({{ text.all_sizes }}) >> {{ text.constants.size_bits }})
        return -1;
    const uint64_t key = {{ text.key }};
    uint64_t at = key * {{ text.constants.multiplier }}U >> {{ 64 - bits }};
    while (keys[at] != key) {
        if (!keys[at])
            return -1;
        at = (at + 1) % {{ slots | length }};
    }
    return (int64_t)at;
}

{% for call in text.calls %}
{% if call.layout in aparts %}
{% set apart = aparts[call.layout] %}
{% include "library/apart.c" %}

{% endif %}
/* {{ call.layout }}: 0, 1 without memory, or -i where argument i of the kernel for all sizes is at fault. */
static int run_{{ call.layout }}(const problem *p, {{ call.parameters }})
{
{% if call.layout in aparts %}
    if ({{ aparts[call.layout].condition }})
        return apart_{{ call.layout }}(p, {{ call.passed_names }});
{% endif %}
    const int64_t slot = slot_of(p, {{ call.number }});
    if (slot >= 0) {
        const kernel known = kernels[{{ prefix }}level][slot];
        const int status = (({{ call.type(general=false) }})known)({{ call.arguments(general=false) }});
        if (status >= 0)
            return status;
    }
    const kernel general = general_{{ call.layout }}[{{ prefix }}level][p->code];
    return (({{ call.type(general=true) }})general)({{ call.arguments(general=true) }});
}

{% endfor %}
{% include "library/understood.c" %}
{% for include in functions %}

{% include include %}
{% endfor %}
