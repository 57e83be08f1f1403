{# A = Q R: a reflection makes zeros below the diagonal of one column after the other, and is done to those behind. #}
{% from "tile/annihilate.c" import annihilate with context %}
{% from "tile/reflection.c" import reflect with context %}
{% from "tile/shared_work.c" import first_lane, meet with context %}
{% set A, TAU = body.views %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    for (int64_t p = 0; p < {{ least(body.size.m, body.size.n) }}; p++) {
{{ annihilate("A", A, "p", body.size.m) }}
        {{ first_lane() }}
        BB_PUT(TAU + {{ TAU.at("p", 0) }}, {{ TAU.im }}, tau);
{{ reflect("A", A, "A", A, "p", body.size.m, ("p", 1), body.size.n, "tau", true) }}
        {{ meet() }}
    }
}
