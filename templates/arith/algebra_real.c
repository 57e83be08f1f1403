/* More arithmetic on one element per lane, real. */
{% if target.simd %}
#define BB_STEPS /* loops of products are the compiler's to unroll */
{% else %}
#define BB_STEPS BB_UNROLL({{ bodies | map(attribute="tile.unroll") | max }})
{% endif %}
#define BB_SCALAR(re, im) ((bb_real)(re))
/* x stays in a register: compilers would load it anew for each product. */
{% if bits == 512 %}
#if defined(__AVX512F__) && !defined(__clang__)
#define BB_HOLD(x) __asm__("" : "+v"(x))
#else
#define BB_HOLD(x)
#endif
{% else %}
#define BB_HOLD(x)
{% endif %}
#define BB_FMS(acc, x, y, cx, cy) (acc) -= (x) * (y)
#define BB_SUB(acc, x) (acc) -= (x)
#define BB_SHIFT(x, s) (x) += (s)
#define BB_TIMES(x, y) (x) *= (y)
#define BB_TIMES_REAL(x, y) (x) *= (y)
/* The same, rounded also where a sum takes it: the zero leaves a compiler one way to fuse. */
#define BB_SCALED(x, y) (x) = BB_ZEROS + (x) * (y)
#define BB_DIVIDE_REAL(x, y) (x) /= (y)
#define BB_SCALE_CONJ(x, s) BB_SCALE(x, s)
#define BB_REAL(x)
#define BB_SET_REAL(x, y) (x) = (y)
#define BB_RE(x) (x)
#define BB_INVERT(x, cx) bb_reciprocal(&(x), &(x))
/* A pivot that is not positive makes no number of all that follow, so that counting the good ones tells the first. The
   next one waits for no more than it must: y, which stands below x, gives next -= |y|^2 / x, and |y|^2 / x is
   BB_SQUARE(y) excess. */
#define BB_PIVOT(x, inverse, good, rough, excess)                                                                      \
    do {                                                                                                               \
        BB_COUNT(good, (x) > 0);                                                                                       \
        bb_root(&(x), &(inverse), &(rough), &(excess));                                                                \
    } while (0)
#define BB_SQUARE(square, y, rough)                                                                                    \
    do {                                                                                                               \
        const bb_vec scaled = (y) * (rough);                                                                           \
        (square) = scaled * scaled;                                                                                    \
    } while (0)
#define BB_NEXT(next, square, excess) (next) -= (square) * (excess)
#define BB_REPORT_ZERO(x, info, i) BB_REPORT(info, (x) == 0, i)
#define BB_LARGER(largest, x)                                                                                          \
    do {                                                                                                               \
        const bb_vec size = BB_SELECT((x) < 0, -(x), x);                                                               \
        (largest) = BB_SELECT(size > (largest), size, largest);                                                        \
    } while (0)
#define BB_ADD_SQUARE(sum, x) (sum) += (x) * (x)
#define BB_ADD_IM_SQUARE(sum, x)
