{# Right-hand sides that are columns, brought to a panel with rows of them, and back. #}
{% from "simd/transpose.c" import transpose with context %}
{% macro movers(panel) %}
{% if panel.joined %}
{% include "simd/vector_halves.c" %}
{% endif %}
{{ transpose(panel.half, width) }}
{% macro column(r) %}columns + ({{ r }} < count ? {{ r }} : count - 1) * stride{% endmacro %}
/* {{ width }} rows of a panel from the columns of X, `count` of them; the last one fills the panel. */
static BB_INLINE void bb_pack(const bb_real *columns, int64_t stride, bb_real *P, const int count)
{
    bb_vec x[{{ width }}];
    BB_UNROLL({{ panel.half }})
    for (int r = 0; r < {{ panel.half }}; r++) {
{% if panel.joined %}
        const bb_real *column = {{ column("r") }};
        const bb_real *other = {{ column("r + " ~ panel.half) }};
        bb_join(&x[r], column, other);
        bb_join(&x[r + {{ panel.half }}], column + {{ panel.half }}, other + {{ panel.half }});
{% else %}
        x[r] = *(const bb_mem *)({{ column("r") }});
{% endif %}
    }
    bb_transpose{{ panel.half }}(x);
{% if panel.joined %}
    bb_transpose{{ panel.half }}(x + {{ panel.half }});
{% endif %}
    BB_UNROLL({{ width }})
    for (int r = 0; r < {{ width }}; r++)
        *(bb_mem *)(P + r * {{ panel.height }}) = x[r];
}

/* And back. */
static BB_INLINE void bb_unpack(bb_real *columns, int64_t stride, const bb_real *P, const int count)
{
    bb_vec x[{{ width }}];
    BB_UNROLL({{ width }})
    for (int r = 0; r < {{ width }}; r++)
        x[r] = *(const bb_mem *)(P + r * {{ panel.height }});
    bb_transpose{{ panel.half }}(x);
{% if panel.joined %}
    bb_transpose{{ panel.half }}(x + {{ panel.half }});
{% endif %}
    BB_UNROLL({{ panel.half }})
    for (int r = 0; r < {{ panel.half }}; r++) {
{% if panel.joined %}
        bb_real *column = columns + r * stride, *other = column + {{ panel.half }} * stride;
        if (r < count) {
            bb_low(column, &x[r]);
            bb_low(column + {{ panel.half }}, &x[r + {{ panel.half }}]);
        }
        if (r + {{ panel.half }} < count) {
            bb_high(other, &x[r]);
            bb_high(other + {{ panel.half }}, &x[r + {{ panel.half }}]);
        }
{% else %}
        if (r < count)
            *(bb_mem *)(columns + r * stride) = x[r];
{% endif %}
    }
}

{% endmacro %}
