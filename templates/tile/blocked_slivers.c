{# How a factor is packed: as it lies, or, where it is symmetric, from both sides of its diagonal. #}
{% from "tile/blocked_pack.c" import take with context %}
{# A part of it as the argument and the strides of what takes it. #}
{% macro place(x, row, column) %}
at + {{ row }} * {{ x.strides[0] }} + {{ column }} * {{ x.strides[1] }}, {{ x.strides | join(", ") }}
{%- endmacro %}
{% macro slivers(x) %}
{{ take(x) }}
{%- if x.mirrored %}
{{ take(x.mirrored) }}
{{- symmetric(x) }}
{% else %}
/* Steps l to l + steps of {{ x.what }} i to i + rest. */
static BB_INLINE void bb_pack_{{ x.what }}(const int64_t i, const int64_t l, const int64_t rest, const int64_t steps,
                                   const bb_real *at, const int64_t step, const int64_t next, bb_real *to)
{
    bb_take_{{ x.what }}(rest, steps, {{ place(x, "i", "l") }}, to, steps * {{ x.sliver }});
}
{% endif %}

{% endmacro %}
{% macro symmetric(x) %}
{% set first, last = x.sides %}
{% set size, sliver, what = x.size, x.sliver, x.what %}
/* One sliver, as below. */
static BB_INLINE void bb_cross_{{ what }}(const int64_t i, const int64_t l, const int64_t filled, const int64_t steps,
                                    const bb_real *at, const int64_t step, const int64_t next, bb_real *to)
{
    const int64_t before = bb_between(i - l, steps), behind = bb_between(i + filled - l, steps);
    bb_take_{{ first.name }}(filled, before, {{ place(first, "i", "l") }}, to, 0);
    for (int64_t s = before; s < behind; s++) {
        const int64_t diagonal = l + s - i;
        const bb_real *const stored = at + i * step + (l + s) * next, *const mirrored = at + i * next + (l + s) * step;
        bb_real *const there = to + s * {{ sliver }};
        for (int64_t r = 0; r < {{ size }}; r++) {
            const int own = r {{ ">=" if x.before else "<=" }} diagonal;
            const bb_real *const from = own ? stored + r * step : mirrored + r * next;
            there[r] = r < filled ? *from : 0;
{% if x.hermitian %}
            there[r + {{ size }}] = r >= filled || r == diagonal ? 0 : own ? from[1] : -from[1];
{% elif complex %}
            there[r + {{ size }}] = r < filled ? from[1] : 0;
{% endif %}
        }
    }
    bb_take_{{ last.name }}(filled, steps - behind, {{ place(last, "i", "(l + behind)") }},
                    to + behind * {{ sliver }}, 0);
}

/* Steps l to l + steps of {{ what }} i to i + rest of a matrix of which one triangle is stored
   {{- "; its diagonal is real" if x.hermitian }}. */
static BB_NOINLINE void bb_pack_{{ what }}(int64_t i, const int64_t l, int64_t rest, const int64_t steps,
                                   const bb_real *at, const int64_t step, const int64_t next, bb_real *to)
{
    const int64_t pitch = steps * {{ sliver }};
    for (int64_t some; rest > 0; rest -= some, i += some, to += {{ packed_together }} * pitch) {
        some = bb_whole_step(rest, {{ packed_together * size }});
        const int64_t near = bb_between(i - l, steps), far = bb_between(i + some - l, steps);
        bb_take_{{ first.name }}(some, near, {{ place(first, "i", "l") }}, to, pitch);
        for (int64_t r = 0, s = near * {{ sliver }}; r < some; r += {{ size }}, s += pitch)
            bb_cross_{{ what }}(i + r, l + near, bb_whole_step(some - r, {{ size }}), far - near, at, step, next,
                                to + s);
        bb_take_{{ last.name }}(some, steps - far, {{ place(last, "i", "(l + far)") }},
                        to + far * {{ sliver }}, pitch);
    }
}
{% endmacro %}
