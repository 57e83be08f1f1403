{# R := X' Y or X* Y #}
{% from "tile/streamed_sum.c" import sums with context %}
{% from "tile/streamed_blocks.c" import blocks, total with context %}
{% set X, Y, R = body.views %}
{% set n = body.size.n %}
{% include "tile/streamed.c" %}

{{ sums(false) }}
{{ blocks(false) }}
/* One vector of one block, which ends the call. */
static BB_INLINE int bb_alone({{ body.parameters }})
{
    (void){{ body.strides | join(", (void)") }};
    return bb_block(X, {{ X.at(1, 0) }}, Y, {{ Y.at(1, 0) }}, {{ n }}, R);
}

static BB_INLINE void {{ body.name }}({{ body.parameters }}, int64_t first, int64_t last, bb_sums *all)
{
    (void){{ body.strides | join(", (void)") }}; /* of a vector one stride counts */
{{ total("X, " ~ X.at(1, 0) ~ ", Y, " ~ Y.at(1, 0), n, "R") }}
}
