/* Pivots: masks that choose between elements, and the larger or smaller of two, where what is no number is neither. */
typedef int bb_mask;
#define BB_GREATER(mask, x, y) (mask) = (x) > (y)
#define BB_BEYOND(mask, x, y) (mask) = !((x) <= (y))
#define BB_EQUAL(mask, x, y) (mask) = (x) == (y)
#define BB_TAKE(x, mask, y) (x) = (mask) ? (y) : (x)
#define BB_MAX(largest, x) (largest) = (x) > (largest) ? (x) : (largest)
#define BB_MIN(smallest, x) (smallest) = (x) < (smallest) ? (x) : (smallest)
#define BB_SOME(mask) (mask)
#define BB_REGULAR(mask, info) (mask) = (info) == 0
#define BB_ABS(x) ((x) < 0 ? -(x) : (x))

/* Indices: in registers reals of the same value, in memory int32. */
#define BB_PUT_LOCAL(p, x) *(p) = (int32_t)(x)
#define BB_GET_LOCAL(x, p) (x) = (bb_vec)*(p)
#define BB_PUT_INDEX(p, x) BB_PUT_LOCAL(p, x)
#define BB_GET_INDEX(x, p) BB_GET_LOCAL(x, p)
