/* Arithmetic on one element per lane, complex: real and imaginary parts in vectors of their own. The last arguments of
   BB_FMA say whether x and y are conjugated; they are constants. */
typedef struct {
    bb_real re, im;
} bb_scalar;
#define BB_IS_ZERO(s) ((s).re == 0 && (s).im == 0)
typedef struct {
    bb_vec re, im;
} bb_elem;
#define BB_ZERO(x) (x).re = (x).im = BB_ZEROS
#define BB_GET(x, p, imag)                                                                                             \
    do {                                                                                                               \
        BB_LOAD((x).re, p);                                                                                            \
        BB_LOAD((x).im, (p) + (imag));                                                                                 \
    } while (0)
#define BB_PUT(p, imag, x)                                                                                             \
    do {                                                                                                               \
        BB_STORE(p, (x).re);                                                                                           \
        BB_STORE((p) + (imag), (x).im);                                                                                \
    } while (0)
#define BB_FMA(acc, x, y, cx, cy)                                                                                      \
    do {                                                                                                               \
        (acc).re += (x).re * (y).re;                                                                                   \
        (acc).im = (cy) ? (acc).im - (x).re * (y).im : (acc).im + (x).re * (y).im;                                     \
        (acc).re = (cx) != (cy) ? (acc).re + (x).im * (y).im : (acc).re - (x).im * (y).im;                             \
        (acc).im = (cx) ? (acc).im - (x).im * (y).re : (acc).im + (x).im * (y).re;                                     \
    } while (0)
#define BB_CONJ(x) (x).im = -(x).im
#define BB_ADD(acc, x)                                                                                                 \
    do {                                                                                                               \
        (acc).re += (x).re;                                                                                            \
        (acc).im += (x).im;                                                                                            \
    } while (0)
#define BB_SCALE(x, s)                                                                                                 \
    do {                                                                                                               \
        const bb_elem unscaled = x;                                                                                    \
        BB_ZERO(x);                                                                                                    \
        BB_AXPY(x, s, unscaled);                                                                                       \
    } while (0)
#define BB_AXPY(acc, s, x)                                                                                             \
    do {                                                                                                               \
        (acc).re += (s).re * (x).re;                                                                                   \
        (acc).im += (s).re * (x).im;                                                                                   \
        (acc).re -= (s).im * (x).im;                                                                                   \
        (acc).im += (s).im * (x).re;                                                                                   \
    } while (0)
