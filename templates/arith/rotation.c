/* Rotations of planes, and what loops to convergence need: masks are compared integers (bb_ints), as BB_SELECT takes
   them; `not` is `== 0`. A lane that is done gets the cosine 1 and the sine 0, and so is not disturbed. */
{% set kind = compute.packed %}
{% set test = "vptestmq" if compute.bytes == 8 else "vptestmd" %}
/* Whether a mask holds in some lane. */
{% if width == 1 %}
#define BB_HOLDS(mask) ((mask) != 0)
{% else %}
static BB_INLINE int bb_holds(const bb_ints mask)
{
{% if bits == 512 %}
#if defined(__AVX512F__)
    unsigned {{ "char" if width == 8 else "short" }} lanes;
    __asm__("{{ test }} %1, %1, %0" : "=Yk"(lanes) : "v"(mask));
    return lanes != 0;
#else
{% elif bits in (128, 256) %}
#if defined({{ "__AVX__" if bits == 256 else "__SSE2__" }})
    int lanes;
    __asm__("{{ "v" if bits == 256 }}movmsk{{ kind }} %1, %0" : "=r"(lanes) : "x"(mask));
    return lanes != 0;
#else
{% endif %}
    bb_int any = 0;
    for (int lane = 0; lane < {{ width }}; lane++)
        any |= mask[lane];
    return any != 0;
{% if bits in (128, 256, 512) %}
#endif
{% endif %}
}
#define BB_HOLDS(mask) bb_holds(mask)
{% endif %}
/* Squares, and their sums, that are zero beside 1. */
#define BB_TINY ((bb_real){{ compute.tiny }})
#define BB_UNIT ((bb_real){{ compute.eps / 2 }})
#define BB_SWAP_REAL(x, y, where)                                                                                      \
    do {                                                                                                               \
        const bb_vec first = x, second = y;                                                                            \
        (x) = BB_SELECT(where, second, first);                                                                         \
        (y) = BB_SELECT(where, first, second);                                                                         \
    } while (0)
{# The zeros leave compilers one way to fuse. #}
{% if complex %}
#define BB_SCALED(x, s)                                                                                                \
    do {                                                                                                               \
        (x).re = BB_ZEROS + (x).re * (s);                                                                              \
        (x).im = BB_ZEROS + (x).im * (s);                                                                              \
    } while (0)
#define BB_REPLACE(x, where, y)                                                                                        \
    do {                                                                                                               \
        (x).re = BB_SELECT(where, (y).re, (x).re);                                                                     \
        (x).im = BB_SELECT(where, (y).im, (x).im);                                                                     \
    } while (0)
#define BB_SWAP(x, y, where)                                                                                           \
    do {                                                                                                               \
        BB_SWAP_REAL((x).re, (y).re, where);                                                                           \
        BB_SWAP_REAL((x).im, (y).im, where);                                                                           \
    } while (0)
/* The larger of `largest` and the parts of x; `lack` is NaN after what is not finite. */
#define BB_SURVEY(largest, lack, x)                                                                                    \
    do {                                                                                                               \
        BB_MAX(largest, BB_ABS((x).re));                                                                               \
        BB_MAX(largest, BB_ABS((x).im));                                                                               \
        (lack) += ((x).re - (x).re) + ((x).im - (x).im);                                                               \
    } while (0)
/* x := c x - s y, y := s x + c y, with a real sine. */
#define BB_TURN(x, y, c, s)                                                                                            \
    do {                                                                                                               \
        BB_TURN_REAL((x).re, (y).re, c, s);                                                                            \
        BB_TURN_REAL((x).im, (y).im, c, s);                                                                            \
    } while (0)
{% else %}
#define BB_SCALED(x, s) (x) = BB_ZEROS + (x) * (s)
#define BB_REPLACE(x, where, y) (x) = BB_SELECT(where, y, x)
#define BB_SWAP(x, y, where) BB_SWAP_REAL(x, y, where)
/* The larger of `largest` and |x|; `lack` is NaN after what is not finite. */
#define BB_SURVEY(largest, lack, x)                                                                                    \
    do {                                                                                                               \
        BB_MAX(largest, BB_ABS(x));                                                                                    \
        (lack) += (x) - (x);                                                                                           \
    } while (0)
/* x := c x - s y, y := s x + c y. */
#define BB_TURN(x, y, c, s) BB_TURN_REAL(x, y, c, s)
{% endif %}
#define BB_TURN_REAL(x, y, c, s)                                                                                       \
    do {                                                                                                               \
        const bb_vec first = x, second = y;                                                                            \
        (x) = BB_ZEROS + first * (c);                                                                                  \
        (x) -= (s) * second;                                                                                           \
        (y) = BB_ZEROS + second * (c);                                                                                 \
        (y) += (s) * first;                                                                                            \
    } while (0)
/* The same with a sine that is an element: x := c x - s y, y := s* x + c y. Where `cs`, s* is in the place of s and s
   in that of s*; where `cy`, y and x beside sines are conjugated, and s stands in both places. */
#define BB_TURN_BY(x, y, c, s, cs, cy)                                                                                 \
    do {                                                                                                               \
        const bb_elem before = x, behind = y;                                                                          \
        BB_SCALED(x, c);                                                                                               \
        BB_FMS(x, s, behind, cs, cy);                                                                                  \
        BB_SCALED(y, c);                                                                                               \
        BB_FMA(y, s, before, (cs) == (cy), cy);                                                                        \
    } while (0)

/* 1 / sqrt(x), x positive, normal and finite. */
static BB_INLINE void bb_inverse_root(bb_vec *y, const bb_vec *x)
{
    bb_vec root = *x, rough, excess;
    bb_root(&root, y, &rough, &excess);
}

/* The power of two `up` that is in the largest element, within bounds, and its inverse. */
static BB_INLINE void bb_scale_of(bb_vec *down, bb_vec *up, const bb_vec *largest)
{
    const bb_vec least = BB_ZEROS + (bb_real){{ compute.scales[0] }}, most = BB_ZEROS + (bb_real){{ compute.scales[1] }};
    const bb_vec above = BB_SELECT(*largest > least, *largest, least), size = BB_SELECT(above < most, above, most);
    BB_BITS(all, size);
    BB_OF_BITS(*up, all & {{ stored.exponent }});
    BB_OF_BITS(*down, {{ stored.inverse }} - (all & {{ stored.exponent }}));
}

/* The rotation that makes zero of an element of a symmetric 2 x 2 matrix, whose square is more than tiny where it is
   `on`; d is what the second diagonal element is more than the first. The sine is that element times `sine`; the first
   diagonal element becomes less by `shift`, the second more. Two inverse roots, no division. */
static BB_INLINE void bb_rotation(bb_vec *c, bb_vec *sine, bb_vec *shift, const bb_vec d, const bb_vec square,
                                  const bb_ints on)
{
    bb_vec h = BB_ZEROS + d * d, r, y;
    h += 4 * square;
    h = BB_SELECT(on, h, BB_ZEROS + 1);
    bb_inverse_root(&r, &h);
    const bb_vec part = BB_ZEROS + BB_ABS(d) * r, x = BB_SELECT(on, part * (bb_real)0.5 + (bb_real)0.5, BB_ZEROS + 1);
    bb_inverse_root(&y, &x);
    const bb_vec size = BB_SELECT(on, r * y, BB_ZEROS);
    *sine = BB_SELECT(d < 0, -size, size);
    *c = BB_SELECT(on, x * y, BB_ZEROS + 1);
    *shift = BB_ZEROS + (*sine * y) * square;
}
