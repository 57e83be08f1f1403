{# Kernels for all sizes that divide large matrices, or go through long vectors once, and which problems these are. #}
static const kernel large_{{ large.name }}[{{ levels | length }}][{{ large.specs | length }}] = {
{% for level in levels %}
    {
{% for spec in large.specs %}
        {{ row_of(spec, level, large) }},
{% endfor %}
    },
{% endfor %}
};

static inline int is_large_{{ large.name }}(const problem *p)
{
{% if large.conditions | length > 1 %}
    static const unsigned char which[] = { {{ large.which | join(", ") }} };
    const int is[] = { {{ large.conditions | join(", ") }} };
    return is[which[{{ large.code }}]];
{% else %}
    return {{ large.conditions[0] }};
{% endif %}
}
