/* One lane: masks are truth values. */
typedef int bb_int, bb_ints;
#define BB_NOT(mask) (!(mask))
#define BB_SELECT(mask, x, y) ((mask) ? (x) : (y))
#define BB_COUNT(count, mask) (count) += (mask)
#define BB_REPORT(info, bad, i) (info) = (info) ? (info) : (bad) ? (i) : 0
#define BB_SQRT(x) {{ "sqrt" if target == "cuda" else "__builtin_sqrtf" if real_bytes == 4 else "__builtin_sqrt" }}(x)
static BB_INLINE bb_vec bb_reciprocal(const bb_vec x)
{
    return 1 / x;
}

static BB_INLINE bb_vec bb_root(const bb_vec x, bb_vec *inverse)
{
    const bb_vec root = BB_SQRT(x);
    *inverse = 1 / root;
    return root;
}
