/* More arithmetic on one element per lane, complex. */
{% set most = 1 if target.simd else bodies | map(attribute="tile.unroll") | max %}
{% set why = " /* loops of products unrolled need more registers than there are */" if most == 1 %}
#define BB_STEPS BB_UNROLL({{ most }}){{ why }}
#define BB_SCALAR(re, im) {{ target.scalar }}
/* x stays in a register: compilers would load it anew for each product. */
{% if bits == 512 %}
#if defined(__AVX512F__) && !defined(__clang__)
#define BB_HOLD(x) __asm__("" : "+v"((x).re), "+v"((x).im))
#else
#define BB_HOLD(x)
#endif
{% else %}
#define BB_HOLD(x)
{% endif %}
#define BB_FMS(acc, x, y, cx, cy)                                                                                      \
    do {                                                                                                               \
        (acc).re -= (x).re * (y).re;                                                                                   \
        (acc).im = (cy) ? (acc).im + (x).re * (y).im : (acc).im - (x).re * (y).im;                                     \
        (acc).re = (cx) != (cy) ? (acc).re - (x).im * (y).im : (acc).re + (x).im * (y).im;                             \
        (acc).im = (cx) ? (acc).im + (x).im * (y).re : (acc).im - (x).im * (y).re;                                     \
    } while (0)
#define BB_SUB(acc, x)                                                                                                 \
    do {                                                                                                               \
        (acc).re -= (x).re;                                                                                            \
        (acc).im -= (x).im;                                                                                            \
    } while (0)
#define BB_SHIFT(x, s)                                                                                                 \
    do {                                                                                                               \
        (x).re += (s).re;                                                                                              \
        (x).im += (s).im;                                                                                              \
    } while (0)
#define BB_TIMES(x, y)                                                                                                 \
    do {                                                                                                               \
        const bb_elem factor = x;                                                                                      \
        BB_ZERO(x);                                                                                                    \
        BB_FMA(x, factor, y, 0, 0);                                                                                    \
    } while (0)
#define BB_TIMES_REAL(x, y)                                                                                            \
    do {                                                                                                               \
        (x).re *= (y);                                                                                                 \
        (x).im *= (y);                                                                                                 \
    } while (0)
/* The same, rounded also where a sum takes it: the zeros leave a compiler one way to fuse. */
#define BB_SCALED(x, y)                                                                                                \
    do {                                                                                                               \
        (x).re = BB_ZEROS + (x).re * (y);                                                                              \
        (x).im = BB_ZEROS + (x).im * (y);                                                                              \
    } while (0)
#define BB_DIVIDE_REAL(x, y)                                                                                           \
    do {                                                                                                               \
        (x).re /= (y);                                                                                                 \
        (x).im /= (y);                                                                                                 \
    } while (0)
#define BB_SCALE_CONJ(x, s)                                                                                            \
    do {                                                                                                               \
        const bb_scalar conjugate = BB_SCALAR((s).re, -(s).im);                                                        \
        BB_SCALE(x, conjugate);                                                                                        \
    } while (0)
#define BB_REAL(x) (x).im = BB_ZEROS
#define BB_SET_REAL(x, y) (x).re = (y)
#define BB_RE(x) (x).re
/* A pivot that is not positive makes no number of all that follow, so that counting the good ones tells the first. The
   next one waits for no more than it must: y, which stands below x, gives next -= |y|^2 / x, and |y|^2 / x is
   BB_SQUARE(y) excess. The zero leaves a compiler one way to fuse. */
#define BB_PIVOT(x, inverse, good, rough, excess)                                                                      \
    do {                                                                                                               \
        BB_COUNT(good, (x).re > 0);                                                                                    \
        bb_root(&(x).re, &(inverse), &(rough), &(excess));                                                             \
        (x).im = BB_ZEROS;                                                                                             \
    } while (0)
#define BB_SQUARE(square, y, rough)                                                                                    \
    do {                                                                                                               \
        const bb_vec re = (y).re * (rough), im = (y).im * (rough);                                                     \
        (square) = BB_ZEROS + re * re;                                                                                 \
        (square) += im * im;                                                                                           \
    } while (0)
#define BB_NEXT(next, square, excess) (next).re -= (square) * (excess)
#define BB_REPORT_ZERO(x, info, i) BB_REPORT(info, ((x).re == 0) & ((x).im == 0), i)
#define BB_LARGER(largest, x)                                                                                          \
    do {                                                                                                               \
        const bb_vec re = BB_SELECT((x).re < 0, -(x).re, (x).re), im = BB_SELECT((x).im < 0, -(x).im, (x).im);         \
        (largest) = BB_SELECT(re > (largest), re, largest);                                                            \
        (largest) = BB_SELECT(im > (largest), im, largest);                                                            \
    } while (0)
#define BB_ADD_SQUARE(sum, x)                                                                                          \
    do {                                                                                                               \
        (sum) += (x).re * (x).re;                                                                                      \
        (sum) += (x).im * (x).im;                                                                                      \
    } while (0)
#define BB_ADD_IM_SQUARE(sum, x) (sum) += (x).im * (x).im
/* 1 / x by a multiple of the larger part, so that no square overflows or vanishes. */
#define BB_INVERT(x, cx)                                                                                               \
    do {                                                                                                               \
        bb_vec largest = BB_ZEROS, square = BB_ZEROS;                                                                  \
        BB_LARGER(largest, x);                                                                                         \
        bb_vec scale, inverse_square;                                                                                  \
        bb_reciprocal(&scale, &largest);                                                                               \
        BB_TIMES_REAL(x, scale);                                                                                       \
        BB_ADD_SQUARE(square, x);                                                                                      \
        bb_reciprocal(&inverse_square, &square);                                                                       \
        BB_TIMES_REAL(x, inverse_square);                                                                              \
        BB_TIMES_REAL(x, scale);                                                                                       \
        (x).im = (cx) ? (x).im : -(x).im;                                                                              \
    } while (0)
