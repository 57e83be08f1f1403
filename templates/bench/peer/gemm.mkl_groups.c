{# `batch` groups of one matrix instead of one group of `batch`: Fig. 2 of the ICCS paper. #}
{% set every_group = true %}
{% include "bench/peer/mkl_batch.c" %}
