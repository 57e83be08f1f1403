{# Blocks of both factors of a product come to shared memory, and are multiplied there. #}
{# Its steps of k are rows in shared memory, imaginary parts behind all real ones. #}
{% macro bring(name, what, size, along) %}
{% set pitch = schedule.pitch(size) %}
/* So many steps of {{ size }} {{ what }}, zeros beyond the last. */
static BB_INLINE void bb_bring_{{ what }}(bb_real *const to, const bb_real *const from, const int64_t step, const int64_t next,
                                const int rest, const int steps)
{
    BB_PLACE(place, to);
    BB_UNROLL(1)
    for (int q = 0; q < {{ size * steps_at_once // schedule.threads }}; q++) {
        const int t = (int)threadIdx.x + q * {{ schedule.threads }};
{% if along %}
        const int i = t % {{ size }}, l = t / {{ size }}, at = l * {{ pitch }} + i;
{% else %}
        const int l = t % {{ steps_at_once }}, i = t / {{ steps_at_once }}, at = l * {{ pitch }} + i;
{% endif %}
        if (i < rest && l < steps) {
            const bb_real *const x = from + i * step + l * next;
{% for part in range(parts) %}
            bb_bring(place, at + {{ part * pitch * steps_at_once }}, x + {{ part }});
{% endfor %}
        } else {
{% for part in range(parts) %}
            to[at + {{ part * pitch * steps_at_once }}] = 0;
{% endfor %}
        }
    }
}
{% endmacro %}
{{ bring("A", "rows", mr, A.cs != 1) }}

{{ bring("B", "columns", nr, B.rs != 1) }}

static BB_INLINE void bb_multiply(bb_elem (*const c)[{{ rows }}], const bb_real *const a, const bb_real *const b)
{
    BB_UNROLLED
    for (int l = 0; l < {{ steps_at_once }}; l++) {
        bb_elem x[{{ rows }}], y;
        BB_UNROLLED
        for (int r = 0; r < {{ rows }}; r++)
            BB_GET(x[r], a + l * {{ schedule.pitch(mr) }} + r * {{ side }}, {{ schedule.pitch(mr) * steps_at_once }});
        BB_UNROLLED
        for (int q = 0; q < {{ cols }}; q++) {
            BB_GET(y, b + l * {{ schedule.pitch(nr) }} + q * {{ side }}, {{ schedule.pitch(nr) * steps_at_once }});
            BB_UNROLLED
            for (int r = 0; r < {{ rows }}; r++)
                BB_FMA(c[q][r], x[r], y, {{ A.conj | int }}, {{ B.conj | int }});
        }
    }
}
