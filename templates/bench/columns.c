/* How fast a matrix goes by: the reads and writes of an operation on a matrix beside vectors, by the plainest loops. */
#include <stdint.h>

typedef double bb_vec __attribute__((vector_size({{ simd_bytes }})));
typedef double bb_mem __attribute__((vector_size({{ simd_bytes }}), aligned(8), may_alias));
/* A multiple of x is added to each column; columns are added to y; products of each with x are added up, to y. */
enum { UPDATED, INTO, BESIDE };

#define AT(p, i) (*(bb_mem *)((p) + (i)))
#define STEP(i, q, v) \
    if (how == UPDATED) \
        AT(p + (q) * rows, (i) + {{ width }} * (v)) += 1e-3 * AT(x, (i) + {{ width }} * (v)); \
    else if (how == INTO) \
        own[v] += AT(p + (q) * rows, (i) + {{ width }} * (v)); \
    else \
        sum[(q) * vectors + (v)] += AT(p + (q) * rows, (i) + {{ width }} * (v)) * AT(x, (i) + {{ width }} * (v))
#define LAST(i, q) \
    if (how == UPDATED) \
        p[(q) * rows + (i)] += 1e-3 * x[i]; \
    else if (how == INTO) \
        y[i] += p[(q) * rows + (i)]; \
    else \
        rest[q] += p[(q) * rows + (i)] * x[i]

/* So many columns, side by side, from p on. */
static inline __attribute__((always_inline)) void bb_some(double *p, const double *x, double *y, const int64_t rows,
                                                          const int how, const int many)
{
    const int vectors = many < {{ most }} ? {{ most }} / many : 1;
    bb_vec sum[{{ several[-1] }}] = {0}, own[{{ most }}];
    double rest[{{ several[-1] }}] = {0};
    int64_t i = 0;
    if (how == UPDATED && many == 1 && rows > {{ 2 * most * width }})
        for (; (uintptr_t)(p + i) % {{ simd_bytes }} != 0; i++)
            LAST(i, 0);
    for (; i + {{ width }} * vectors <= rows; i += {{ width }} * vectors) {
        for (int v = 0; v < vectors; v++) {
            own[v] = AT(y, i + {{ width }} * v);
            for (int q = 0; q < many; q++) {
                STEP(i, q, v);
            }
            if (how == INTO)
                AT(y, i + {{ width }} * v) = own[v];
        }
    }
    for (; i + {{ width }} <= rows; i += {{ width }}) {
        own[0] = AT(y, i);
        for (int q = 0; q < many; q++) {
            STEP(i, q, 0);
        }
        if (how == INTO)
            AT(y, i) = own[0];
    }
    for (; i < rows; i++)
        for (int q = 0; q < many; q++) {
            LAST(i, q);
        }
    for (int q = 0; how == BESIDE && q < many; q++) {
        bb_vec all = sum[q * vectors];
        for (int v = 1; v < vectors; v++)
            all += sum[q * vectors + v];
        y[q] = rest[q] + ({% for lane in range(0, width, 2) %}{{ " + " if not loop.first }}(all[{{ lane }}] + all[{{ lane + 1 }}]){% endfor %});
    }
}

{% for name in ("UPDATED", "INTO", "BESIDE") %}
{% for many in several %}
static void bb_{{ name | lower }}_{{ many }}(double *a, const double *x, double *y, const int64_t rows, int64_t j,
                                             const int64_t end)
{
    for (; j + {{ many }} <= end; j += {{ many }})
        bb_some(a + j * rows, x, y{{ ' + j' if name == 'BESIDE' }}, rows, {{ name }}, {{ many }});
    for (; j < end; j++)
        bb_some(a + j * rows, x, y{{ ' + j' if name == 'BESIDE' }}, rows, {{ name }}, 1);
}

{% endfor %}
{% endfor %}
typedef void bb_way(double *, const double *, double *, int64_t, int64_t, int64_t);
static bb_way *const bb_ways[3][{{ several | length }}] = {
{% for name in ("updated", "into", "beside") %}
    { {% for many in several %}bb_{{ name }}_{{ many }}, {% endfor %} },
{% endfor %}
};

/* The matrix a, rows x cols, beside x and y, of which each thread has its own; `way`: how many columns together. */
void bb_columns(int64_t times, double *a, double *x, double *y, int64_t rows, int64_t cols, int how, int way,
                int threads)
{
    bb_way *const go = bb_ways[how][way];
    const int64_t pitch = (rows > cols ? rows : cols) + {{ apart }};
    for (int64_t time = 0; time < times; time++) {
        if (threads == 1) {
            go(a, x, y, rows, 0, cols);
            continue;
        }
#pragma omp parallel for num_threads(threads) schedule(static)
        for (int t = 0; t < threads; t++)
            go(a, x, y + t * pitch, rows, cols * t / threads, cols * (t + 1) / threads);
    }
}
