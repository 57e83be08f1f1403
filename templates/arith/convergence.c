/* What loops to convergence need: masks are compared integers (bb_ints), as BB_SELECT takes them; `not` is `== 0`. */
{% set kind = compute.packed %}
{% set test = "vptestmq" if compute.bytes == 8 else "vptestmd" %}
/* Whether a mask holds in some lane. */
{% if width == 1 %}
#define BB_HOLDS(mask) ((mask) != 0)
{% else %}
static BB_INLINE int bb_holds(const bb_ints *mask)
{
{% if bits == 512 %}
#if defined(__AVX512F__)
    unsigned {{ "char" if width == 8 else "short" }} lanes;
    __asm__("{{ test }} %1, %1, %0" : "=Yk"(lanes) : "v"(*mask));
    return lanes != 0;
#else
{% elif bits in (128, 256) %}
#if defined({{ "__AVX__" if bits == 256 else "__SSE2__" }})
    int lanes;
    __asm__("{{ "v" if bits == 256 }}movmsk{{ kind }} %1, %0" : "=r"(lanes) : "x"(*mask));
    return lanes != 0;
#else
{% endif %}
    bb_int any = 0;
    for (int lane = 0; lane < {{ width }}; lane++)
        any |= (*mask)[lane];
    return any != 0;
{% if bits in (128, 256, 512) %}
#endif
{% endif %}
}
#define BB_HOLDS(mask) bb_holds(&(mask))
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
{% if complex %}
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
/* The larger of `largest` and the parts of x; `lack` is NaN after what is not finite: by products, as x - x could be
   fused where x is one. */
#define BB_SURVEY(largest, lack, x)                                                                                    \
    do {                                                                                                               \
        BB_MAX(largest, BB_ABS((x).re));                                                                               \
        BB_MAX(largest, BB_ABS((x).im));                                                                               \
        (lack) += (x).re * BB_ZEROS;                                                                                   \
        (lack) += (x).im * BB_ZEROS;                                                                                   \
    } while (0)
{% else %}
#define BB_REPLACE(x, where, y) (x) = BB_SELECT(where, y, x)
#define BB_SWAP(x, y, where) BB_SWAP_REAL(x, y, where)
/* The larger of `largest` and |x|; `lack` is NaN after what is not finite: by a product, as x - x could be fused where
   x is one. */
#define BB_SURVEY(largest, lack, x)                                                                                    \
    do {                                                                                                               \
        BB_MAX(largest, BB_ABS(x));                                                                                    \
        (lack) += (x) * BB_ZEROS;                                                                                      \
    } while (0)
{% endif %}

/* The power of two `up` that is in the largest element, within bounds, and its inverse. */
static BB_INLINE void bb_scale_of(bb_vec *down, bb_vec *up, const bb_vec *largest)
{
    const bb_vec least = BB_ZEROS + (bb_real){{ compute.scales[0] }};
    const bb_vec most = BB_ZEROS + (bb_real){{ compute.scales[1] }};
    const bb_vec above = BB_SELECT(*largest > least, *largest, least), size = BB_SELECT(above < most, above, most);
    BB_BITS(all, size);
    BB_OF_BITS(*up, all & {{ stored.exponent }});
    BB_OF_BITS(*down, {{ stored.inverse }} - (all & {{ stored.exponent }}));
}
