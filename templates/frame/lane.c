{# The loop over a range of the batch, one vector of matrices at a time: locate or pack, body, unpack. A partly filled
   last vector is done apart, once for all kinds of scalars: its calls would take the loop's registers. #}
{% from "frame/abreast.c" import functions, in_turn with context %}
{% from "frame/vector.c" import bring, constants, locate, unpack with context %}
{# Small matrices that follow one another: each of their lines is prefetched once, wherever it is, and twice as far
   ahead as others, as little is done meanwhile. #}
{% macro close(x, full) %}
        const int close_{{ x.name }} = {{ "g->stride_" ~ x.letter ~ " == " ~ x.reals // x.parts if full else 0 }};
{% if full %}
        if (close_{{ x.name }})
            for (int line = 0; line < {{ x.lines }}; line++)
                BB_PREFETCH(q{{ x.name }}[0] + 2 * {{ x.distance }} + line * {{ 64 // compute.bytes }}, 0);
{% endif %}
{% endmacro %}
{% macro block(full) %}
{{ locate() }}
{% if coming %}
        const int64_t coming = p + {{ schedule.prefetch + width }} <= hi ? {{ schedule.prefetch }} : 0;
{% endif %}
{% for x in coming if x.lines %}
{{ close(x, full) }}
{% endfor %}
{{ bring() }}
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
{% if moves %}
        bb_moved(g, p, p + count);
{% endif %}
{% if reports %}
        bb_ints info = {{ "{0}" if width > 1 else "0" }};
{% endif %}
{% include "frame/call_bodies.c" %}
{{ unpack() }}
{% endmacro %}
{% macro storage() %}
{{ constants() }}
{% for name in scratch.of(-1) %}
    {{ scratch.array(-1, name, "BB_ALIGNED") }}
{% endfor %}
{% endmacro %}
{% set taken = ", char *const work" if scratch.heap %}
{% if abreast > 1 %}
{{ functions() }}
{% endif %}
static BB_INLINE void bb_range({{ kinds_parameters }}{{ "const int far, " if distant }}const bb_args *g, const int64_t lo, const int64_t hi{{ taken }})
{
{{ storage() }}
    for (int64_t p = lo; p < hi; p += {{ all_lanes }}) {
{% if ends_apart %}
        enum { count = {{ width }} };
{% elif abreast == 1 and (gathers or (info and width > 1)) %}
        const int count = hi - p < {{ width }} ? (int)(hi - p) : {{ width }};
{% endif %}
{% if abreast > 1 %}
        const int vectors = hi - p < {{ all_lanes }} ? (int)((hi - p + {{ width - 1 }}) / {{ width }}) : {{ abreast }};
{% if reports %}
        bb_ints info[{{ abreast }}] = { {0} };
{% endif %}
{% if bursts %}
        for (int64_t first = p; first < hi && first < p + {{ all_lanes }}; first += {{ width }}) {
{% with p = "first" %}
{% include "frame/prefetch_burst.c" %}
{% endwith %}
        }
{% endif %}
{{ in_turn("bring") }}
{% include "frame/call_bodies.c" %}
{{ in_turn("return") }}
{% else %}
{{ block(1) }}
{% endif %}
    }
}
{% if ends_apart %}

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
