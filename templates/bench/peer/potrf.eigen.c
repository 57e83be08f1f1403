{% set solve = false %}
{% include "bench/peer/cholesky.c" %}
