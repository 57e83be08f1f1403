{% include "bench/peer/two_sided.c" %}
