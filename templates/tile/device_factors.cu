{# Blocks of both factors of a product come to shared memory, and are multiplied there. A step of k is a row there,
   imaginary parts are behind all real ones. #}
{% macro bring(what, size, along) %}
/* So many steps of {{ size }} {{ what }}, zeros beyond the last. */
static BB_INLINE void bb_bring_{{ what }}(bb_real *const to, const bb_real *const from, const int64_t step,
                                          const int64_t next, const int rest, const int steps)
{
    BB_PLACE(place, to);
    BB_UNROLL(1)
    for (int q = 0; q < {{ size * schedule.unroll // schedule.threads }}; q++) {
        const int t = (int)threadIdx.x + q * {{ schedule.threads }};
{% if along %}
        const int i = t % {{ size }}, l = t / {{ size }}, at = l * {{ schedule.pitch(size) }} + i;
{% else %}
        const int l = t % {{ schedule.unroll }}, i = t / {{ schedule.unroll }}, at = l * {{ schedule.pitch(size) }} + i;
{% endif %}
        if (i < rest && l < steps) {
            const bb_real *const x = from + i * step + l * next;
{% for part in range(parts) %}
            bb_bring(place, at + {{ part * schedule.plane(size) }}, x + {{ part }});
{% endfor %}
        } else {
{% for part in range(parts) %}
            to[at + {{ part * schedule.plane(size) }}] = 0;
{% endfor %}
        }
    }
}
{% endmacro %}
{% macro multiply(A, B) %}
{% set rows, cols, side, mr, nr = schedule.rows, schedule.cols, schedule.side, schedule.mr, schedule.nr %}
static BB_INLINE void bb_multiply(bb_elem (*const c)[{{ rows }}], const bb_real *const a, const bb_real *const b)
{
    BB_UNROLLED
    for (int l = 0; l < {{ schedule.unroll }}; l++) {
        bb_elem x[{{ rows }}], y;
        BB_UNROLLED
        for (int r = 0; r < {{ rows }}; r++)
            BB_GET(x[r], a + l * {{ schedule.pitch(mr) }} + r * {{ side }}, {{ schedule.plane(mr) }});
        BB_UNROLLED
        for (int q = 0; q < {{ cols }}; q++) {
            BB_GET(y, b + l * {{ schedule.pitch(nr) }} + q * {{ side }}, {{ schedule.plane(nr) }});
            BB_UNROLLED
            for (int r = 0; r < {{ rows }}; r++)
                BB_FMA(c[q][r], x[r], y, {{ A.conj | int }}, {{ B.conj | int }});
        }
    }
}
{% endmacro %}
