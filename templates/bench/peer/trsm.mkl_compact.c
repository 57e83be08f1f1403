{% set steps = ["solve(c, 111, batch)"] %}
{% include "bench/peer/mkl_compact_solve.c" %}
