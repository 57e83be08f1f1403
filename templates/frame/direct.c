{# The loop over a range of the batch, one matrix at a time. #}
static BB_INLINE void bb_range({{ kinds_parameters }}const bb_args *g, const int64_t lo, const int64_t hi)
{
{% for name in locals %}
    const {{ name.type }} {{ name.name }} = {{ name.value }};
{% endfor %}
    for (int64_t p = lo; p < hi; p++) {
{% for x in operands %}
        {{ x.const }}bb_real *const {{ x.name }} = {{ x.matrix("p") }};
{% endfor %}
{% if ahead %}
        const int64_t next = p + 1 < hi ? p + 1 : p;
{% endif %}
{% for x in ahead %}
        const bb_real *const next_{{ x.name }} = {{ x.matrix }};
{% endfor %}
        bb_{{ op }}({{ kinds_arguments }}{{ arguments }});
    }
}
