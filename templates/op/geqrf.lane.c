{# A = Q R: a reflection makes zeros below the diagonal of one column after the other, and is done to those behind. #}
{% from "tile/reflection.c" import annihilate, reflect with context %}
{% set A, TAU = body.views %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    for (int64_t p = 0; p < {{ least(body.size.m, body.size.n) }}; p++) {
{{ annihilate("A", A, "p", body.size.m) }}
        BB_PUT(TAU + {{ TAU.at("p", 0) }}, {{ TAU.im }}, tau);
{{ reflect("A", A, "A", A, "p", body.size.m, ("p", 1), body.size.n, "tau", true) }}
    }
}
