{# Q C, or Q* C: the reflections done to C, backwards or one after the other. #}
{% from "tile/reflection.c" import reflect with context %}
{% set A, TAU, C = body.views %}
{% set k = least(body.size.k, body.size.m) %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{% if body.backwards %}
    for (int64_t p = {{ (k, -1) | index }}; p >= 0; p--)
{%- else %}
    for (int64_t p = 0; p < {{ k }}; p++)
{%- endif %} {
        bb_elem tau;
        BB_GET(tau, TAU + {{ TAU.at("p", 0) }}, {{ TAU.im }});
{{ reflect("A", A, "C", C, "p", body.size.m, 0, body.size.n, "tau", TAU.conj) }}
    }
}
