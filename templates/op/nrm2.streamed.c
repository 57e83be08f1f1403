{# R := sqrt(X* X). Squares are added as they are; where their sum overflows, or is so small that some vanished, they
   are taken once more, of multiples by a power of two. #}
{% from "tile/streamed_sum.c" import sums with context %}
{% from "tile/streamed_blocks.c" import blocks, total with context %}
{% set X, R = body.views %}
{% set n = body.size.n %}
{% include "tile/streamed.c" %}

{{ sums(true) }}
{{ blocks(true) }}
/* The root of a sum of squares, of vectors with more blocks than one as of others. */
static BB_INLINE int bb_root(const bb_real *x, const int64_t incx, const int64_t n, bb_real square,
                            bb_real *const result)
{
    result[0] = __builtin_sqrt{{ compute.function }}(square);
    if (square < {{ stream.safe[0] }} || square > {{ compute.largest }}) {
        const bb_real scale = square < 1 ? {{ stream.safe[1] }} : {{ stream.safe[2] }};
        bb_blocks(x, incx, scale, n, 0, bb_block_count(n), &square);
        result[0] = __builtin_sqrt{{ compute.function }}(square) / scale;
    }
{% if complex %}
    result[1] = 0;
{% endif %}
    return 0;
}

/* One vector of one block. */
static BB_INLINE int bb_alone({{ body.parameters }})
{
    (void){{ body.strides | join(", (void)") }};
    bb_real square;
    bb_block(X, {{ X.at(1, 0) }}, 1, {{ n }}, &square);
    return bb_root(X, {{ X.at(1, 0) }}, {{ n }}, square, R);
}

static BB_INLINE void {{ body.name }}({{ body.parameters }}, int64_t first, int64_t last, bb_sums *all)
{
    (void){{ body.strides | join(", (void)") }}; /* of a vector one stride counts */
    bb_real square;
{{ total("X, " ~ X.at(1, 0) ~ ", 1", n, "&square") }}
    bb_root(X, {{ X.at(1, 0) }}, {{ n }}, square, R);
}
