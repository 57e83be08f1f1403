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
static BB_INLINE void bb_matrix({{ kinds_parameters }}const bb_args *const g, const int64_t p)
{
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

{% for function in functions %}
{{ "/* " ~ function.comment ~ ". */" if function.kinds }}
extern "C" __global__ void __launch_bounds__({{ function.threads }})
    {{ function.name }}({{ function.parameters }})
{
    const int64_t p = (int64_t)blockIdx.x * {{ function.threads }} + threadIdx.x;
    if (p >= batch_count)
        return;
    const bb_args own = { {{ block }} };
    bb_matrix({{ function.told }}&own, p);
}

{% endfor %}
{% if launcher %}
{% include "frame/launcher.cu" %}
{% endif %}
