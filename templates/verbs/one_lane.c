/* One lane: masks are truth values. */
typedef int bb_int, bb_ints;
#define BB_SELECT(mask, x, y) ((mask) ? (x) : (y))
#define BB_COUNT(count, mask) (count) += (mask)
#define BB_REPORT(info, bad, i) (info) = (info) ? (info) : (bad) ? (i) : 0
#define BB_SQRT(x) (x) = {{ "sqrt" if target == "cuda" else "__builtin_sqrtf" if real_bytes == 4 else "__builtin_sqrt" }}(x)
{% if inverts %}
static BB_INLINE void bb_reciprocal(bb_vec *y, const bb_vec *x)
{
    *y = 1 / *x;
}
{% endif %}
{% if roots %}
/* 1 / x is rough^2 excess. */
static BB_INLINE void bb_root(bb_vec *x, bb_vec *inverse, bb_vec *rough, bb_vec *excess)
{
    BB_SQRT(*x);
    *rough = *inverse = 1 / *x;
    *excess = 1;
}
{% endif %}
