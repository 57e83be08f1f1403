{% include "frame/head.c" %}

{% include "simd/cuda.cu" %}
{% if schedule.staged %}

{% include "simd/cuda_copy.cu" %}
{% endif %}
{% if schedule.team %}

{% include "simd/team.cu" %}
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
{% if schedule.team %}

{% include "simd/team_pivot.cu" %}
{% endif %}
{% endif %}
{% endif %}

{% include "frame/arguments.c" %}

{% for body in bodies %}
{% include "op/" ~ body.op ~ (".team.c" if body.share.together else ".lane.c") %}

{% endfor %}
{% if info %}
{% include "frame/info.c" %}

{% endif %}
{% include "frame/matrices.cu" %}

{% for function in functions %}
{{ "/* " ~ function.comment ~ ". */" if function.kinds }}
extern "C" __global__ void __launch_bounds__({{ function.threads }}{{ ", " ~ function.blocks if function.blocks }})
    {{ function.name }}({{ function.parameters }})
{
    const int64_t first = (int64_t)blockIdx.x * {{ function.matrices }}, left = batch_count - first;
    const bb_args own = { {{ block }} };
    bb_matrices({{ function.told }}&own, first, left < {{ function.matrices }} ? (int)left : {{ function.matrices }});
}

{% endfor %}
{% if launcher %}
{% include "frame/launcher.cu" %}
{% endif %}
