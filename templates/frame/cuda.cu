{% include "frame/head.c" %}

{% include "simd/cuda.cu" %}

{% include "arith/lane_complex.c" if complex else "arith/lane_real.c" %}
{% if scaled %}

{% include "arith/scalar_class.c" %}
{% include "arith/update.c" %}
{% endif %}
{% if algebra %}

{% include "simd/mask_scalar.c" %}
{% if logarithms %}

{% include "simd/logarithm.c" %}
{% endif %}

{% include "arith/algebra_complex.c" if complex else "arith/algebra_real.c" %}
{% if pivots %}

{% include "simd/pivot_scalar.c" %}

{% include "arith/pivot.c" %}
{% endif %}
{% endif %}

{% include "frame/arguments.c" %}

{% for body in bodies %}
{% include "op/" ~ body.op ~ ".lane.c" %}

{% endfor %}
{% if info %}

{% include "frame/info.c" %}
{% endif %}

/* One thread per matrix. */
{% if kinds_template %}
template <{{ kinds_template }}>
{% endif %}
static __global__ void __launch_bounds__({{ threads }}) bb_kernel(const bb_args own, const int64_t batch_count)
{
    const bb_args *const g = &own;
    const int64_t p = (int64_t)blockIdx.x * {{ threads }} + threadIdx.x;
    if (p >= batch_count)
        return;
{% for name in locals %}
    const {{ name.type }} {{ name.name }} = {{ name.value }};
{% endfor %}
{% for x in operands if x.gathered %}
    {{ x.ctype }} s{{ x.name }}[{{ x.scratch }}];
{% endfor %}
{% for x in operands if not x.gathered %}
    {{ x.const }}{{ x.ctype }} *const {{ x.name }} = {{ x.matrix("p") }};
{% endfor %}
{% if info %}
    bb_ints info = 0;
{% endif %}
{% include "frame/call_bodies.c" %}
{% if info %}
    bb_put_info(g->info + p, &info);
{% endif %}
}

/* Queues the kernel on `stream` (a cudaStream_t); pointers are device pointers. Returns -i for a bad argument i, a
   positive cudaError_t where the launch fails. */
{{ target.linkage }}int {{ symbol }}({{ parameters }})
{
{% for bad, position in checks %}
    if ({{ bad }})
        return -{{ position }};
{% endfor %}
    if (batch_count == 0)
        return 0;
    const bb_args own = { {{ initializers }} }, *const g = &own;
    const int64_t blocks = (batch_count + {{ threads - 1 }}) / {{ threads }};
    if (blocks > 2147483647)
        return -{{ positions.batch_count }};
{% for case in kinds %}
    {{ case.condition }}
        bb_kernel{{ case.template }}<<<(unsigned)blocks, {{ threads }}, 0, (cudaStream_t)stream>>>(*g, batch_count);
{% endfor %}
    return (int)cudaGetLastError();
}
