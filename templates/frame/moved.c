{# What is done before bodies, where matrices lie. #}
static BB_INLINE void bb_moved(const bb_args *g, const int64_t lo, const int64_t hi)
{
{% for x in moved if x.strides.leading %}
    const int64_t ld{{ x.letter }} = g->ld{{ x.letter }};
{% endfor %}
    for (int64_t p = lo; p < hi; p++) {
{% for x in moved %}
        {{ x.const }}bb_real *const {{ x.name }} = {{ x.pointer("p") }};
{% endfor %}
{% for move in moves %}
{% include "op/" ~ move.op ~ ".move.c" %}
{% endfor %}
    }
}
