/* How fast memory is gone through: the same bytes in the same way as an operation, and no more arithmetic. */
#include <stdint.h>

typedef double bb_vec __attribute__((vector_size({{ simd_bytes }})));
typedef double bb_mem __attribute__((vector_size({{ simd_bytes }}), aligned(8), may_alias));
enum { READ, READ_TWO, UPDATE, ADD_TO };
{% set step = 8 * width %}
static volatile double bb_sink;

#define AT(p, i) (*(bb_mem *)((p) + (i)))
static inline __attribute__((always_inline)) void bb_go(double *x, double *y, int64_t i, int64_t end, const int how)
{
    const bb_vec scale = (bb_vec){0} + (how == UPDATE ? -1 : 1e-3);
{% for v in range(8) %}
    bb_vec sum{{ v }} = {0};
{% endfor %}
    for (; i + {{ step }} <= end; i += {{ step }}) {
{% for v in range(8) %}
        if (how == READ)
            sum{{ v }} += AT(x, i + {{ v * width }});
        else if (how == READ_TWO)
            sum{{ v }} += AT(x, i + {{ v * width }}) * AT(y, i + {{ v * width }});
        else if (how == UPDATE)
            AT(x, i + {{ v * width }}) *= scale;
        else
            AT(y, i + {{ v * width }}) += scale * AT(x, i + {{ v * width }});
{% endfor %}
    }
    double rest = 0;
    for (; i < end; i++) {
        if (how == READ || how == READ_TWO)
            rest += how == READ ? x[i] : x[i] * y[i];
        else if (how == UPDATE)
            x[i] *= scale[0];
        else
            y[i] += scale[0] * x[i];
    }
    if (how == READ || how == READ_TWO) {
        sum0 += {% for v in range(1, 8) %}{{ " + " if not loop.first }}sum{{ v }}{% endfor %};
        bb_sink = sum0[0] + rest;
    }
}

static void bb_part(double *x, double *y, int64_t i, int64_t end, int how)
{
{% for name in ("READ", "READ_TWO", "UPDATE", "ADD_TO") %}
    if (how == {{ name }})
        bb_go(x, y, i, end, {{ name }});
{% endfor %}
}

/* `count` reals of x, and of y where there are two, `times` times on `threads` threads. */
void bb_streams(int64_t times, double *x, double *y, int64_t count, int how, int threads)
{
    for (int64_t time = 0; time < times; time++) {
        if (threads == 1) {
            bb_part(x, y, 0, count, how);
            continue;
        }
        const int64_t share = count / threads / 64 * 64;
#pragma omp parallel for num_threads(threads) schedule(static)
        for (int t = 0; t < threads; t++)
            bb_part(x, y, share * t, t + 1 < threads ? share * (t + 1) : count, how);
    }
}
