/* One lane: masks are truth values. */
typedef int bb_int, bb_ints;
#define BB_SELECT(mask, x, y) ((mask) ? (x) : (y))
#define BB_COUNT(count, mask) (count) += (mask)
#define BB_REPORT(info, bad, i) (info) = (info) ? (info) : (bad) ? (i) : 0
#define BB_SQRT(x) (x) = {{ "sqrt" if target == "cuda" else "__builtin_sqrtf" if real_bytes == 4 else "__builtin_sqrt" }}(x)
{% include "verbs/divider.c" %}
