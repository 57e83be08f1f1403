{% set steps = ["factor(c, batch)"] %}
{% include "bench/peer/mkl_compact_solve.c" %}
