{# On data that is in compact form already. #}
{% set converting = false %}
{% include "bench/peer/mkl_compact_gemm.c" %}
