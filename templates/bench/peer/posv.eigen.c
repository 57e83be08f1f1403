{% set solve = true %}
{% include "bench/peer/cholesky.c" %}
