{# The loop over units of matrices, among which threads share them; those of all matrices are counted through. #}
static BB_INLINE void bb_range({{ kinds_parameters }}const bb_args *g, const int64_t lo,
                               const int64_t hi{{ ", char *const work" if scratch.heap }})
{
{% for name in locals %}
    const {{ name.type }} {{ name.name }} = {{ name.value }};
{% endfor %}
    const int64_t units = {{ "!g->sums ? " ~ ("1" if sections else "BB_ROWS") ~ " : " if apart_sums }}BB_UNITS;
    int64_t p = lo < units ? 0 : lo / units; /* a division takes as long as a short vector */
    for (int64_t next, u = lo; u < hi; u = next, p{{ " += u == (p + 1) * units" if origin else "++" }}) {
        const int64_t first = u - p * units;
{% if origin %}
        next = u + 1; /* is in a cache when it was copied */
{% else %}
        next = (p + 1) * units < hi ? (p + 1) * units : hi;
{% endif %}
{% for x in operands %}
        {{ x.const }}bb_real *const {{ x.name }} = {{ x.pointer("p") }};
{% endfor %}
        {{ body.name }}({{ body.prefix }}{{ body.call }}{{ stream.given_from(origin) }}, first,
                first + next - u{{ ", g->sums ? g->sums + p : NULL" if apart_sums }});
    }
}

{% if alone %}
/* One vector that is one block. */
static BB_INLINE int bb_one(const bb_args *g)
{
{% for name in locals %}
    const {{ name.type }} {{ name.name }} = {{ name.value }};
{% endfor %}
{% for x in operands %}
    {{ x.const }}bb_real *const {{ x.name }} = {{ x.pointer("0") }};
{% endfor %}
    return bb_alone({{ body.call }});
}
{% endif %}
