{# MKL knows no conjugate transposition of real compact matrices. #}
{% set steps = ["factor(c, batch)", "solve(c, 111, batch)", "solve(c, " ~ ("113" if complex else "112") ~ ", batch)"] %}
{% include "bench/peer/mkl_compact_solve.c" %}
