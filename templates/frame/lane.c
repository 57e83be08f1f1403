{# The loop over a range of the batch, one vector of matrices at a time: locate or pack, body, unpack. A partly filled
   last vector is done apart, once for all kinds of scalars: its calls would take the loop's registers. #}
{% from "frame/move.c" import move with context %}
{% macro block(full) %}
{% for x in operands if x.moved %}
        {{ x.const }}{{ x.ctype }} *q{{ x.name }}[{{ width }}];
{% endfor %}
{# Lanes that do not exist repeat the last that does. #}
{% for x in operands if x.moved %}
{% if x.storage == "st" %}
        q{{ x.name }}[0] = {{ x.matrix("p") }};
        for (int lane = 1; lane < {{ width }}; lane++)
            q{{ x.name }}[lane] = q{{ x.name }}[lane - 1] + (lane < count ? g->stride_{{ x.letter }}{{ " * 2" if x.parts == 2 }} : 0);
{% else %}
        for (int lane = 0; lane < {{ width }}; lane++)
            q{{ x.name }}[lane] = {{ x.filled ~ " ? " if x.filled }}{{ x.matrix("(p + (lane < count ? lane : count - 1))") }}{{ " : NULL" if x.filled }};
{% endif %}
{% endfor %}
{% if coming %}
        const int64_t coming = p + {{ schedule.prefetch + width }} <= hi ? {{ schedule.prefetch }} : 0;
{% endif %}
{% for x in operands %}
{% if x.moved and x.reads and not x.by_pointers %}
        if ({{ x.reads_when }}) {
{{ move(x, "pack", "") }}
        }
{% elif not x.gathered %}
        {{ x.const }}{{ x.ctype }} *const {{ x.name }} = {{ x.matrix("p") }};
{% endif %}
{% endfor %}
{% if ahead %}
        const int64_t next = p + {{ schedule.prefetch }} < hi ? p + {{ schedule.prefetch }} : p;
{% endif %}
{% for x in ahead %}
        const bb_real *const next_{{ x.name }} = {{ x.matrix }};
{% endfor %}
{% if bursts %}
{% with p = "p" %}
{% include "frame/prefetch_burst.c" %}
{% endwith %}
{% endif %}
{% if info %}
        bb_ints info = {{ "{0}" if width > 1 else "0" }};
{% endif %}
{% include "frame/call_bodies.c" %}
{% for x in operands if x.moved and x.writes and not x.by_pointers %}
{{ move(x, "unpack", ", count" if partial else ", " ~ width) }}
{% endfor %}
{% if info %}
        bb_put_info(g->info + p, &info{{ ", count" if width > 1 }});
{% endif %}
{% endmacro %}
{% macro storage() %}
{% for name in locals %}
    const {{ name.type }} {{ name.name }} = {{ name.value }};
{% endfor %}
{% for name in scratch.of(-1) %}
    {{ scratch.array(-1, name, "BB_ALIGNED") }}
{% endfor %}
{% endmacro %}
{% set taken = ", char *const work" if scratch.heap %}
static BB_INLINE void bb_range({{ kinds_parameters }}{{ "const int far, " if distant }}const bb_args *g, const int64_t lo, const int64_t hi{{ taken }})
{
{{ storage() }}
    for (int64_t p = lo; p < hi; p += {{ width }}) {
{% if partial %}
        enum { count = {{ width }} };
{% elif gathers or (info and width > 1) %}
        const int count = hi - p < {{ width }} ? (int)(hi - p) : {{ width }};
{% endif %}
{{ block(1) }}
    }
}
{% if partial %}

static BB_NOINLINE void bb_last({{ kinds_parameters }}const bb_args *g, const int64_t p, const int64_t hi{{ taken }})
{
{% if distant and not by_distance %}
    enum { far = 0 };
{% elif ahead %}
    enum { far = BB_NEAR };
{% endif %}
    const int count = (int)(hi - p);
{{ storage() }}
{{ block(0) }}
}
{% endif %}
