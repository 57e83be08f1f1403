{% include "simd/reciprocal.c" %}
