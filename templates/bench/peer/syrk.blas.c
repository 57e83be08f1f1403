{% set trans = "T" %}
{% include "bench/peer/rank_k.c" %}
