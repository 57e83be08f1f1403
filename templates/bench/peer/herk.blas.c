{% set trans = "C" %}
{% include "bench/peer/rank_k.c" %}
