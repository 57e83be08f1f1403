{# The loop over slivers of C, columns of it or, where it is high, rows; those of all matrices are counted through. #}
{% set A, B, C = body.views %}
{% set m, n, k = body.size.m, body.size.n, body.size.k %}
/* The slivers of a matrix, among which threads share it. */
static BB_INLINE int64_t bb_slivers(const int64_t m, const int64_t n)
{
    return m > n ? (m + {{ schedule.mr - 1 }}) / {{ schedule.mr }} : (n + {{ schedule.nr - 1 }}) / {{ schedule.nr }};
}

static BB_INLINE void bb_range({{ kinds_parameters }}const bb_args *g, const int64_t lo, const int64_t hi,
                               char *const work)
{
{% for name in locals %}
    const {{ name.type }} {{ name.name }} = {{ name.value }};
{% endfor %}
    {{ body.array("rows") }}
    {{ body.array("columns") }}
    const int64_t slivers = bb_slivers({{ m }}, {{ n }});
    const int64_t size = {{ m }} > {{ n }} ? {{ schedule.mr }} : {{ schedule.nr }};
    for (int64_t next, s = lo; s < hi; s = next) {
        const int64_t p = s / slivers, begin = s % slivers * size;
        next = (p + 1) * slivers < hi ? (p + 1) * slivers : hi;
        const int64_t end = begin + (next - s) * size;
{% for x in operands %}
        {{ x.const }}bb_real *{{ x.name }} = {{ x.filled }} ? {{ x.matrix("p") }} : NULL;
{% endfor %}
        if ({{ m }} > {{ n }}) {
            const int64_t down = (end < {{ m }} ? end : {{ m }}) - begin;
            A += A && begin ? {{ A.at("begin", 0) }} : 0;
            C += {{ C.at("begin", 0) }};
            {{ body.name }}({{ body.prefix }}down, {{ n }}, {{ given }});
        } else {
            const int64_t across = (end < {{ n }} ? end : {{ n }}) - begin;
            B += B && begin ? {{ B.at(0, "begin") }} : 0;
            C += {{ C.at(0, "begin") }};
            {{ body.name }}({{ body.prefix }}{{ m }}, across, {{ given }});
        }
    }
}
