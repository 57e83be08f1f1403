{# The loop over matrices, one at a time; threads may share each. #}
static BB_INLINE void bb_range({{ kinds_parameters }}const bb_args *g, const int64_t lo, const int64_t hi,
                               char *const work)
{
{% for name in locals %}
    const {{ name.type }} {{ name.name }} = {{ name.value }};
{% endfor %}
    {{ body.array("rows") }}
    {{ body.array("columns") }}
    for (int64_t p = lo; p < hi; p++) {
{% for x in operands %}
        {{ x.const }}bb_real *const {{ x.name }} = {{ x.pointer("p") }};
{% endfor %}
        {{ body.name }}({{ body.prefix }}{{ body.size.m }}, {{ body.size.n }}, {{ given }}, g->team);
    }
}
