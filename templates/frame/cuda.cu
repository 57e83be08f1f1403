{% include "frame/head.c" %}

{% include "simd/cuda.cu" %}
{% if schedule.staged %}

{% include "simd/cuda_copy.cu" %}
{% endif %}

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
{% import "frame/stage.cu" as stage with context %}
/* One thread per matrix{{ ", which is in shared memory meanwhile" if schedule.staged }}. */
static BB_INLINE void bb_matrices({{ kinds_parameters }}const bb_args *const g, const int64_t first, const int count)
{
{% for name in locals %}
    const {{ name.type }} {{ name.name }} = {{ name.value }};
{% endfor %}
{% for x in operands if x.has_lanes and schedule.staged %}
    __shared__ {{ x.ctype }} block_{{ x.name }}[{{ x.scratch }}];
{% endfor %}
{% if schedule.staged %}
{{ stage.bring() }}
{% endif %}
    if ((int)threadIdx.x < count) {
{% if info or operands | rejectattr("gathered") | list %}
        const int64_t p = first + threadIdx.x;
{% endif %}
{% for x in operands if x.has_lanes %}
{% if schedule.staged %}
        {{ x.ctype }} *{{ "const " if not forgets }}s{{ x.name }} = block_{{ x.name }} + threadIdx.x;
{% else %}
        {{ x.ctype }} s{{ x.name }}[{{ x.scratch }}];
{% endif %}
{% endfor %}
{% for x in operands if not x.gathered %}
        {{ x.const }}{{ x.ctype }} *{{ "const " if not forgets }}{{ x.name }} = {{ x.matrix("p") }};
{% endfor %}
{% if info %}
        bb_ints info = 0;
{% endif %}
{% include "frame/call_bodies.c" %}
{% if info %}
        bb_put_info(g->info + p, &info);
{% endif %}
    }
{% if schedule.staged %}
{{ stage.give_back() }}
{% endif %}
}

{% include "frame/device_functions.cu" %}
