{# Left factors whose columns are not contiguous, packed to a panel P as high as a tile. #}
{% set height = schedule.rows * width %}
{% set across = width // parts %}
{% set halved = halved and across > 1 %}
{% macro transposer(conj) %}
{% set h = across // 2 %}
{% set w, v, unit = h if halved else across, width, parts %}
{% if halved %}
{% include "simd/vector_halves.c" %}
{% endif %}
{% include "simd/transpose.c" %}
/* {{ across }} columns of a panel of {{ "conjugates of " if conj }}{{ across }} rows that are contiguous. */
static BB_INLINE void bb_pack(const bb_real *rows, int64_t stride, bb_real *P)
{
    bb_vec x[{{ across }}];
{% if halved %}
    BB_UNROLL({{ h }})
    for (int r = 0; r < {{ h }}; r++) {
        bb_join(&x[r], rows + r * stride, rows + (r + {{ h }}) * stride);
        bb_join(&x[r + {{ h }}], rows + r * stride + {{ width // 2 }}, rows + (r + {{ h }}) * stride + {{ width // 2 }});
    }
{% if h > 1 %}
    bb_transpose{{ h }}(x);
    bb_transpose{{ h }}(x + {{ h }});
{% endif %}
{% else %}
    BB_UNROLL({{ across }})
    for (int r = 0; r < {{ across }}; r++)
        x[r] = *(const bb_mem *)(rows + r * stride);
{% if across > 1 %}
    bb_transpose{{ across }}(x);
{% endif %}
{% endif %}
    BB_UNROLL({{ across }})
    for (int r = 0; r < {{ across }}; r++)
        *(bb_mem *)(P + r * {{ height }}) = x[r]{{ " * BB_PAIRS%d(1, -1)" % width if conj }};
}

{% endmacro %}
{% macro functions(A) %}
{% if A.cs == 1 and across > 1 %}
{{ transposer(false) }}
{% endif %}
{% endmacro %}
{% macro stride(step) %}{{ step }}{{ " * 2" if complex }}{% endmacro %}
{% macro declared() %}
        bb_real P[{{ [height * schedule.kc, 1] | max }}] BB_ALIGNED;
{% endmacro %}
{# Columns `first` to `last` of vector v of a tile. #}
{% macro pack(name, A, v, off, first, last) %}
        {
            int64_t l = {{ first }};
{% if A.cs == 1 and across > 1 %}
            while (l < ({{ last }} < {{ across }} ? 0 : {{ last }})) {
                l = l < {{ last }} - {{ across }} ? l : {{ last }} - {{ across }}; /* the last block overlaps its predecessor */
                bb_pack({{ name }} + {{ A.vector(("i", off), "l") }}, {{ stride(A.rs) }}, P + l * {{ height }} + {{ v * width }});
                l += {{ across }};
            }
{% endif %}
            for (; l < {{ last }}; l++)
                for (int64_t q = 0; q < {{ width }}; q++)
                    P[l * {{ height }} + {{ v * width }} + q] = {{ name }}[{{ A.vector(("i", off), "l") }} + q / {{ parts }} * {{ parts }} * {{ A.rs }} + q % {{ parts }}];
        }
{% endmacro %}
