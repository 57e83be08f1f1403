{% include "frame/head.c" %}

{% include "simd/cpu.c" %}
{% if lanes %}
{% include "simd/cpu_lane.c" %}

{% include "arith/lane_complex.c" if complex else "arith/lane_real.c" %}
{% if scaled %}

{% include "arith/scalar_class.c" %}
{% include "arith/update.c" %}
{% endif %}
{% if algebra %}

{% include "simd/mask_simd.c" if width > 1 else "simd/mask_scalar.c" %}
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

{% include "simd/pivot_simd.c" if width > 1 else "simd/pivot_scalar.c" %}

{% include "arith/pivot.c" %}
{% if rotations %}

{% include "arith/convergence.c" %}

{% include "arith/rotation.c" %}
{% endif %}
{% if permutes and width > 1 %}

{% include "simd/gather.c" %}
{% endif %}
{% endif %}
{% endif %}
{% else %}

{% include "simd/cpu_direct.c" %}

{% if scaled %}
{% include "arith/scalar_class.c" %}
{% endif %}

{% include "arith/complex_pairs.c" if complex else "arith/direct_real.c" %}
{% if solver and inverts %}

{% include "simd/mask_simd.c" %}
{% endif %}
{% endif %}

{% include "frame/arguments.c" %}

{% if gathers and lanes %}
{% include "frame/pack.c" %}
{% endif %}
{% if unknown %}
{% include "tile/any_size.c" %}

{% endif %}
{% if shared %}
{% include "frame/cost.c" %}
#ifdef BB_POOL
{% include "frame/pool.c" %}
#endif

{% endif %}
{% for body in bodies %}
{% include "op/" ~ body.op ~ "." ~ schedule.form ~ ".c" %}

{% endfor %}
{% if info %}

{% include "frame/info.c" %}
{% endif %}
{% if moves %}

{% include "frame/moved.c" %}
{% endif %}

{% include "frame/" ~ ("lane" if lanes else schedule.form if units or shared else "direct") ~ ".c" %}

{% if scratch.heap %}
{% include "frame/heap.c" %}

{% endif %}
{% include "frame/part.c" %}

{% include "frame/entry.c" %}
