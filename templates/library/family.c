{# One operation in one precision. A problem is what its matrices have in common; `understood` makes one of arguments
   of a call, `run_LAYOUT` finds the kernel and calls it. #}
{% include "library/head.c" %}
{% macro called(which, types, arguments) %}
work && {{ which }}->work ? (int)((int64_t (*)({{ types }}, char *)){{ which }}->work)({{ arguments }}, work)
                              : ((int (*)({{ types }})){{ which }}->run)({{ arguments }})
{%- endmacro %}
{% macro asked(which, types, sizes) %}
{{ which }}->work ? ((int64_t (*)({{ types }}, char *)){{ which }}->work)({{ sizes }}, NULL) : 0
{%- endmacro %}
{% macro row_of(spec, level, of=text) %}
{% set name = of.entry(spec, level) %}
{ (void (*)(void)){{ name }}, (void (*)(void)){{ name }}_work }
{%- endmacro %}

/* {{ name }}: {{ row.formula }} */
{% for prototype in text.prototypes %}
HIDDEN {{ prototype }}
{% endfor %}
{% for large in larges.values() %}
{% for prototype in large.prototypes %}
HIDDEN {{ prototype }}
{% endfor %}
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
/* `work` runs it in the caller's scratch; NULL where it has none on the heap. */
typedef struct {
    void (*run)(void), (*work)(void);
} kernel;
static const kernel kernels[{{ levels | length }}][{{ slots | length }}] = {
{% for level in levels %}
    {
{% for key, spec in slots %}
        {{ row_of(spec, level) if spec else "{ NULL, NULL }" }},
{% endfor %}
    },
{% endfor %}
};
{% for call in text.calls %}
static const kernel general_{{ call.layout }}[{{ levels | length }}][{{ family.general(call.layout) | length }}] = {
{% for level in levels %}
    {
{% for spec in family.general(call.layout) %}
        {{ row_of(spec, level) }},
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

{% for large in larges.values() %}
{% include "library/large.c" %}

{% endfor %}
{% for call in text.calls %}
{% include "library/run.c" %}

{% endfor %}
{% include "library/understood.c" %}
{% for include in functions %}

{% include include %}
{% endfor %}
