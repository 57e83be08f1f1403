{% set every_group = false %}
{% include "bench/peer/mkl_batch.c" %}
