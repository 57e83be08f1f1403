{# The loop over a range of the batch, one matrix at a time. #}
static BB_INLINE void bb_range({{ kinds_parameters }}const bb_args *g, const int64_t lo, const int64_t hi)
{
{% for name in locals %}
    const {{ name.type }} {{ name.name }} = {{ name.value }};
{% endfor %}
    for (int64_t p = lo; p < hi; p++) {
{% for x in operands %}
        {{ x.const }}bb_real *const {{ x.pointer }} = {{ x.matrix("p") }};
{% endfor %}
        bb_{{ op }}({{ kinds_arguments }}{{ arguments }});
    }
}
