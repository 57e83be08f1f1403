/* One lane: masks are truth values. */
typedef int bb_int, bb_ints;
#define BB_SELECT(mask, x, y) ((mask) ? (x) : (y))
#define BB_COUNT(count, mask) (count) += (mask)
#define BB_REPORT(info, bad, i) (info) = (info) ? (info) : (bad) ? (i) : 0
#define BB_OFFSET(info, more) (info) += (info) ? (more) : 0
#define BB_SQRT(x) (x) = {{ target.sqrt.format(function=compute.function) }}(x)
{% include "target/" ~ target.name ~ "/reciprocal.c" %}
