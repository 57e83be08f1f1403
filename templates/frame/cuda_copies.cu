{# B := op(A) where one of both is interleaved. Consecutive threads take consecutive numbers of a matrix by itself, and
   the same number of consecutive matrices that are interleaved; in between numbers are in shared memory. #}
{% set A, B = body.views %}
{% set a, b = operands %}
{% set own = b if a.storage.interleaved else a %}
{% set total, at_once, pitch = own.reals, schedule.kc, schedule.spread %}
{% set down = (A if own is sameas a else B).rs == 1 %}
{% macro inside(uplo) %}{{ "i >= j" if uplo == "L" else "i <= j" }}{% endmacro %}
{% set fast, slow, side = ("i", "j", body.size.m) if down else ("j", "i", body.size.n) %}
{% macro numbers(x) %}
{% set matrices = "count" if x is sameas own else schedule.matrices %}
        for (int t = (int)threadIdx.x; t < {{ at_once }} * {{ matrices }}; t += {{ schedule.threads }}) {
{% if x is sameas own %}
            const int matrix = t / {{ at_once }}, k = t % {{ at_once }}, r = from + k;
{% else %}
            const int matrix = t % {{ schedule.matrices }}, k = t / {{ schedule.matrices }}, r = from + k;
{% endif %}
            if (matrix >= count || r >= {{ total }})
                continue;
            const int64_t {{ fast }} = r {{ "/ 2 " if x.parts == 2 }}% {{ side }};
            const int64_t {{ slow }} = r / {{ side * x.parts }};
{% if x.parts == 2 %}
            const int part = r % 2;
{% endif %}
{% if B.packed %}
            if (!({{ inside(B.packed) }}))
                continue;
{% endif %}
            const int64_t p = first + matrix;
{{ caller() }}
        }
{%- endmacro %}
{% macro place(V) %}{{ V.at("i", "j") }}{{ " + part * " ~ V.im if a.parts == 2 }}{% endmacro %}
{% include "frame/head.c" %}

{% include "simd/cuda.cu" %}

{% include "frame/arguments.c" %}

/* Some numbers of each matrix at a time. */
static BB_INLINE void bb_matrices(const bb_args *const g, const int64_t first, const int count)
{
    __shared__ bb_real tile[{{ at_once * pitch }}];
{% for name in locals %}
    const {{ name.type }} {{ name.name }} = {{ name.value }};
{% endfor %}
    for (int from = 0; from < {{ total }}; from += {{ at_once }}) {
{% call numbers(a) %}
            const bb_real *const A = {{ a.matrix("p") }};
{% if A.triangle and A.triangle != B.packed %}
            bb_real x = 0;
            if ({{ inside(A.triangle) }})
                x = A[{{ place(A) }}];
{% else %}
            const bb_real x = A[{{ place(A) }}];
{% endif %}
            tile[k * {{ pitch }} + matrix] = {{ "part ? -x : x" if A.conj else "x" }};
{%- endcall %}

        __syncthreads();
{% call numbers(b) %}
            bb_real *const B = {{ b.matrix("p") }};
            B[{{ place(B) }}] = tile[k * {{ pitch }} + matrix];
{%- endcall %}

        __syncthreads();
    }
}

{% include "frame/device_functions.cu" %}
