{# R := sqrt(X* X). Squares are added as they are; where their sum overflows, or is so small that some vanished, they
   are taken once more, of multiples by a power of two. #}
{% from "tile/streamed_sum.c" import sums with context %}
{% from "tile/streamed_blocks.c" import blocks, total with context %}
{% set X, R = body.views %}
{% set n = body.size.n %}
{% include "tile/streamed.c" %}

{{ sums(true) }}
{{ blocks(true) }}
static BB_INLINE void {{ body.name }}({{ body.parameters }}, int64_t first, int64_t last, bb_sums *all)
{
    (void){{ body.strides | join(", (void)") }}; /* of a vector one stride counts */
    bb_real square;
{{ total("X, " ~ X.at(1, 0) ~ ", 1", n, "&square") }}
    R[0] = __builtin_sqrt{{ compute.function }}(square);
    if (square < {{ stream.safe[0] }} || square > {{ compute.largest }}) {
        const bb_real scale = square < 1 ? {{ stream.safe[1] }} : {{ stream.safe[2] }};
        bb_blocks(X, {{ X.at(1, 0) }}, scale, {{ n }}, 0, bb_block_count({{ n }}), &square);
        R[0] = __builtin_sqrt{{ compute.function }}(square) / scale;
    }
{% if complex %}
    R[1] = 0;
{% endif %}
}
