{# Large matrices: a block of threads does a tile of one. #}
{% include "frame/head.c" %}

{% include "simd/cuda.cu" %}

{% include "simd/cuda_copy.cu" %}

{% include "arith/lane_complex.c" if complex else "arith/lane_real.c" %}

{% include "arith/scalar_class.c" %}
{% include "arith/update.c" %}

{% include "frame/arguments.c" %}

{% include "op/" ~ body.op ~ ".blocked.cu" %}

{% include "frame/device_functions.cu" %}
