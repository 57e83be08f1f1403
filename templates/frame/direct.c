{# The loop over a range of the batch, one matrix at a time, or, where they follow one another without gaps, a few. #}
static BB_INLINE void bb_range({{ kinds_parameters }}{{ "const int far, " if distant }}const bb_args *g, const int64_t lo, const int64_t hi{{ ", char *const work" if scratch.heap }})
{
{% for name in locals %}
    const {{ name.type }} {{ name.name }} = {{ name.value }};
{% endfor %}
    int64_t p = lo;
{% for suffix, count in steps %}
{% if count > 1 %}
    if ({% for x in operands %}g->stride_{{ x.letter }} == {{ x.stored_rows * x.stored_cols }}{{ " && " if not loop.last }}{% endfor %})
{% endif %}
    for (; p + {{ count }} <= hi; p += {{ count }}) {
{% for x in operands %}
        {{ x.const }}bb_real *const {{ x.name }} = {{ x.matrix("p") }};
{% endfor %}
{% if ahead %}
        const int64_t next = p + {{ schedule.prefetch }} < hi ? p + {{ schedule.prefetch }} : p;
{% endif %}
{% if bursts %}
{% include "frame/prefetch_burst.c" %}
{% endif %}
{% for x in ahead %}
        const bb_real *const next_{{ x.name }} = {{ x.matrix }};
{% endfor %}
        {{ bodies[0].name }}{{ suffix }}({{ bodies[0].prefix }}{{ bodies[0].call }});
    }
{% endfor %}
}
