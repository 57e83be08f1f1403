{# The Pade approximant of exp of degree 7. #}
{% from "tile/pade.c" import approximant with context %}
{% set b = [17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1] %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ approximant(b) }}
}
