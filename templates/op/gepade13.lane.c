{# The Pade approximant of exp of degree 13. #}
{% from "tile/pade.c" import approximant with context %}
{% set b = [64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600,
               670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1] %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ approximant(b) }}
}
