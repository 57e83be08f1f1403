{# From strided to strided: what a user without compact storage pays. #}
{% set converting = true %}
{% include "bench/peer/mkl_compact_gemm.c" %}
