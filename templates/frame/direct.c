{# The loop over a range of the batch, one matrix at a time, or, where they follow one another without gaps, a few. #}
{% set only = "slices == 1 && " if pieces %}
static BB_INLINE void bb_range({{ kinds_parameters }}{{ "const int far, " if distant }}const bb_args *g, const int64_t lo, const int64_t hi{{ ", char *const work" if scratch.heap }})
{
{% for name in locals %}
    const {{ name.type }} {{ name.name }} = {{ name.value }};
{% endfor %}
{% if sliced %}
    if (g->slices > 1) {
        const int high = {{ sliced.high }};
        const int64_t rows = {{ sliced.rows }};
        const int64_t slices = g->slices, down = {{ body.size.m }}, across = {{ body.size.n }};
        for (int64_t next, s = lo; s < hi; s = next) {
            const int64_t p = s / slices, first = s % slices, last = bb_whole_step(first + hi - s, slices);
            const int64_t i = high ? first * rows : 0, j = high ? 0 : across * first / slices;
            const int64_t {{ body.size.m }} = high ? bb_whole_step(last * rows, down) - i : down;
            const int64_t {{ body.size.n }} = high ? across : across * last / slices - j;
            next = s + last - first;
            const int count = 1;
{% for x in operands %}
            {{ x.const }}bb_real *{{ x.name }}[] = { {{ x.pointer("p") }} };
{% endfor %}
            A[0] += A[0] && i ? {{ body.views[0].at("i", 0) }} : 0;
            B[0] += B[0] && j ? {{ body.views[1].at(0, "j") }} : 0;
            C[0] += {{ body.views[2].at("i", "j") }};
            {{ body.name }}({{ body.prefix }}{{ body.call }});
        }
        return;
    }
{% endif %}
{% if unknown %}
    const int64_t fit = {{ together }}, most = fit < 1 ? 1 : fit > {{ several }} ? {{ several }} : fit;
    for (int64_t p = lo; p < hi; p += most) {
        const int count = (int)(hi - p < most ? hi - p : most);
{% for x in operands %}
        {{ x.const }}bb_real *{{ x.name }}[{{ several }}];
{% endfor %}
        BB_UNROLL(1)
        for (int q = 0; q < count; q++) {
{% for x in operands %}
            {{ x.name }}[q] = {{ x.pointer("(p + q)") }};
{% endfor %}
        }
{% for body in bodies %}
        {{ body.name }}({{ body.prefix }}{{ body.call }});
{% endfor %}
    }
{% else %}
{% if not pieces %}
    int64_t p = lo;
{% endif %}
{% for suffix, count in steps %}
{% if count > 1 and schedule.form == "flat" %}
    if ({% for x in operands %}g->stride_{{ x.letter }} == {{ x.stored_rows * x.stored_cols }}{{ " && " if not loop.last }}{% endfor %})
{% endif %}
    for ({{ "int64_t to, s = lo; s < hi; s = to" if pieces else "; p + " ~ count ~ " <= hi; p += " ~ count }}) {
{% if pieces %}
        const int64_t slices = g->slices, p = s / slices, first = s % slices;
        to = s - first + slices < hi ? s - first + slices : hi;
        const int64_t begin = first * {{ pieces.count }} / slices, end = (first + to - s) * {{ pieces.count }} / slices;
{% endif %}
{% for x in operands if x.handed %}
{% if schedule.form == "columns" %}
        {{ x.const }}bb_real *const {{ x.name }}[] = { {{ x.several(count) | join(", ") }} };
{% else %}
        {{ x.const }}bb_real *const {{ x.name }} = {{ x.pointer("p") }};
{% endif %}
{% endfor %}
{% if ahead %}
        const int64_t next = {{ only }}p + {{ schedule.prefetch }} < hi ? p + {{ schedule.prefetch }} : p;
{% endif %}
{% if bursts %}
{{ "        if (slices == 1) {" if pieces }}
{% if count > 1 %}
        for (int64_t q = p; q < p + {{ count }}; q++) {
{% with p = "q" %}
{% include "frame/prefetch_burst.c" %}
{% endwith %}
        }
{% else %}
{% with p = "p" %}
{% include "frame/prefetch_burst.c" %}
{% endwith %}
{% endif %}
{{ "        }" if pieces }}
{% endif %}
{% if moves %}
        {{ "if (slices == 1) " if pieces }}bb_moved(g, p, p + {{ count }});
{% endif %}
{% for x in ahead %}
        const bb_real *const next_{{ x.name }} = {{ x.matrix }};
{% endfor %}
{% for body in bodies %}
        {{ body.name }}{{ suffix }}({{ "begin, end, " if pieces }}{{ body.prefix }}{{ body.call }});
{% endfor %}
    }
{% endfor %}
{% endif %}
}
