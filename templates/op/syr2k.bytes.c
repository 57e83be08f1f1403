{% include "op/syrk.bytes.c" %}
