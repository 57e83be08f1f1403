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
{% if logarithms or exponentials or rotations or minors %}

{% include "simd/bits.c" %}
{% endif %}
{% if logarithms or minors %}

{% include "arith/exact.c" %}
{% endif %}
{% if logarithms %}
{% include "simd/logarithm.c" %}
{% endif %}
{% if exponentials %}
{% include "simd/exponential.c" %}
{% endif %}
{% if minors %}

{% include "arith/minor.c" %}
{% endif %}

{% include "arith/algebra_complex.c" if complex else "arith/algebra_real.c" %}
{% if pivots %}

{% include "simd/pivot_scalar.c" %}

{% include "arith/pivot.c" %}
{% if rotations %}

{% include "arith/convergence.c" %}

{% include "arith/rotation.c" %}
{% endif %}
{% if schedule.team %}

{% include "simd/team_pivot.cu" %}
{% endif %}
{% endif %}
{% endif %}

{% include "frame/arguments.c" %}

{% for body in bodies %}
{% include ["op/" ~ body.op ~ (".team.cu" if body.share.together else ".lane.c"), "op/" ~ body.op ~ ".lane.c"] %}

{% endfor %}
{% if info %}
{% include "frame/info.c" %}

{% endif %}
{% include "frame/matrices.cu" %}

{% include "frame/device_functions.cu" %}
