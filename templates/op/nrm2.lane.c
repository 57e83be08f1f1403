{# R := sqrt(X* X). Squares are added as they are; where their sum overflows, or is so small that some vanished, they
   are taken once more, of multiples by a power of two: rare enough for a branch. A thread of a GPU has them in
   registers meanwhile, where three blocks leave as many to it; else it loads them again, and from shared memory a few
   at a time, or compilers spill some. #}
{% macro squares(scaled) %}
{% if target.simd %}
{% elif schedule.staged %}
    {{ "BB_ANEW_FROM(X);" if scaled }}
    BB_UNROLL(4)
{% elif body.size.n * parts * compute.bytes <= 512 %}
    BB_UNROLLED
{% elif scaled %}
    BB_ANEW_FROM(X);
{% endif %}
    for (int64_t i = 0; i < {{ body.size.n }}; i++) {
        bb_elem x;
        BB_GET(x, X + {{ X.at("i", 0) }}, {{ X.im }});
        {{ "BB_TIMES_REAL(x, scale);" if scaled }}
        BB_ADD_SQUARE(sum, x);
    }
{% endmacro %}
{% set X, R = body.views %}
{% set up, down = compute.rescale %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    bb_vec sum = BB_ZEROS, unscale = BB_ZEROS + 1;
    bb_mask small, large;
{{ squares(false) }}
    BB_GREATER(small, BB_ZEROS + (bb_real){{ compute.squares[0] }}, sum);
    BB_GREATER(large, sum, BB_ZEROS + (bb_real){{ compute.squares[1] }});
    if (BB_SOME(small) || BB_SOME(large)) {
        bb_vec scale = unscale;
        BB_TAKE(scale, small, BB_ZEROS + (bb_real){{ up }});
        BB_TAKE(unscale, small, BB_ZEROS + (bb_real){{ down }});
        BB_TAKE(scale, large, BB_ZEROS + (bb_real){{ down }});
        BB_TAKE(unscale, large, BB_ZEROS + (bb_real){{ up }});
        sum = BB_ZEROS;
{{ squares(true) }}
    }
    bb_elem result;
    BB_ZERO(result);
    BB_SQRT(sum);
    BB_SET_REAL(result, sum * unscale);
    BB_PUT(R + {{ R.at(0, 0) }}, {{ R.im }}, result);
}
