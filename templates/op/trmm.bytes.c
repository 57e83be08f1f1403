{% include "op/trsm.bytes.c" %}
