/* Elements as pivots: the size that LAPACK compares, and the inverse. A pivot of zero is reported and counts as one, so
   its column stays. One so small that its inverse is none is made larger first, and so must be what it divides: by
   `lift`, a power of two, which is one but where `small`: rare enough for a branch. */
{% if complex %}
#define BB_CABS1(size, x) (size) = BB_ABS((x).re) + BB_ABS((x).im)
#define BB_TAKE_ELEM(x, mask, y)                                                                                       \
    do {                                                                                                               \
        BB_TAKE((x).re, mask, (y).re);                                                                                 \
        BB_TAKE((x).im, mask, (y).im);                                                                                 \
    } while (0)
{% else %}
#define BB_CABS1(size, x) (size) = BB_ABS(x)
#define BB_TAKE_ELEM(x, mask, y) BB_TAKE(x, mask, y)
{% endif %}
{% if inverts %}
/* Whether pivots of a size want care. */
#define BB_SMALL(small, size) BB_GREATER(small, BB_ZEROS + 2 * (bb_real){{ compute.smallest }}, size)
#define BB_INVERT_SMALL(x, small, lift, info, i)                                                                       \
    do {                                                                                                               \
        bb_mask zero;                                                                                                  \
        bb_vec size;                                                                                                   \
        bb_elem one;                                                                                                   \
        BB_ZERO(one);                                                                                                  \
        BB_SET_REAL(one, BB_ZEROS + 1);                                                                                \
        BB_CABS1(size, x);                                                                                             \
        BB_EQUAL(zero, size, BB_ZEROS);                                                                                \
        BB_REPORT_ZERO(x, info, i);                                                                                    \
        (lift) = BB_ZEROS + 1;                                                                                         \
        BB_TAKE(lift, small, BB_ZEROS + (bb_real){{ (4 / compute.eps) | int }});                                       \
        BB_TAKE(lift, zero, BB_ZEROS + 1);                                                                             \
        BB_TIMES_REAL(x, lift);                                                                                        \
        BB_TAKE_ELEM(x, zero, one);                                                                                    \
        BB_INVERT(x, 0);                                                                                               \
    } while (0)
{% endif %}
