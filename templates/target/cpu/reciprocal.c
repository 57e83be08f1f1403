{% include "simd/reciprocal.c" %}
{% include "simd/root.c" %}
