{# LU of a few columns or rows where they lie, and exchanges of rows. #}
static BB_INLINE void bb_swap(bb_real *x, bb_real *y)
{
    for (int part = 0; part < {{ parts }}; part++) {
        const bb_real old = x[part];
        x[part] = y[part];
        y[part] = old;
    }
}

/* From a line to the next of L that is set aside: whole cache lines, whatever an element is. */
static BB_INLINE int64_t bb_aside(const int64_t n)
{
    return (n + 15) / 16 * 16;
}

/* Exchanges lines i and IPIV[i], where that is one, in turn or backwards: whole rows, or some columns, as they lie. */
static BB_NOINLINE void bb_exchange(const int64_t count, const int32_t *IPIV, const int backwards, bb_real *A,
                                    const int64_t lines, const int64_t line, const int64_t others, const int64_t step)
{
    const int64_t many = line == 1 ? {{ columns_abreast }} : others;
    for (int64_t c = 0; c < others; c += many, A += many * step * {{ parts }})
        for (int64_t q = 0; q < count; q++) {
            const int64_t i = backwards ? count - 1 - q : q, p = (int64_t)IPIV[i] - 1;
            for (int64_t j = 0; p != i && p >= 0 && p < lines && j < many && j < others - c; j++)
                bb_swap(A + (i * line + j * step) * {{ parts }}, A + (p * line + j * step) * {{ parts }});
        }
}

typedef struct {
    int64_t count;
    const int32_t *IPIV;
    int back;
    bb_real *A;
    int64_t lines, line, step;
} bb_exchange_args;

/* What lies beside the exchanged lines, from lo to hi - 1. */
static void bb_exchange_part(const void *arguments, const int64_t lo, const int64_t hi, const int64_t share)
{
    const bb_exchange_args *g = (const bb_exchange_args *)arguments;
    (void)share;
    bb_exchange(g->count, g->IPIV, g->back, g->A + lo * g->step * {{ parts }}, g->lines, g->line, hi - lo, g->step);
}

static BB_INLINE bb_real bb_size(const bb_real *x)
{
    return __builtin_fabs{{ storage.function }}(x[0]){{ " + __builtin_fabs" ~ storage.function ~ "(x[1])" if complex }};
}

/* to[i] -= factor * from[i] for every step-th element, forwards or backwards. */
static BB_INLINE void bb_subtract(const int64_t count, const bb_real *factor, const bb_real *BB_RESTRICT from,
                                  bb_real *BB_RESTRICT to, const int64_t step)
{
    const bb_real re = factor[0]{{ ", im = factor[1]" if complex }};
    for (int64_t q = 0, i = 0; q < count; q++, i += step) {
{% if complex %}
        to[2 * i] = to[2 * i] - re * from[2 * i] + im * from[2 * i + 1];
        to[2 * i + 1] = to[2 * i + 1] - re * from[2 * i + 1] - im * from[2 * i];
{% else %}
        to[i] -= re * from[i];
{% endif %}
    }
}

/* A column by its pivot: by a reciprocal, unless there is none. */
static BB_INLINE void bb_divide(const int64_t count, const bb_real *pivot, bb_real *x, const int64_t step)
{
{% if complex %}
    bb_real inverse[{{ schedule.cols + 1 }}];
    bb_inverse(inverse, pivot, 1);
    for (int64_t q = 0, i = 0; q < count; q++, i += 2 * step) {
        const bb_real re = x[i];
        x[i] = re * inverse[0] - x[i + 1] * inverse[{{ schedule.cols }}];
        x[i + 1] = re * inverse[{{ schedule.cols }}] + x[i + 1] * inverse[0];
    }
{% else %}
    const bb_real inverse = 1 / *pivot;
    const int tiny = __builtin_fabs{{ storage.function }}(*pivot) < {{ storage.smallest }};
    for (int64_t q = 0, i = 0; q < count; q++, i += step)
        x[i] = tiny ? x[i] / *pivot : x[i] * inverse;
{% endif %}
}

/* L and U overwrite A, with exchanges of rows where there are IPIV; the first pivot that is zero. */
static BB_NOINLINE int64_t bb_eliminate(const int64_t m, const int64_t n, bb_real *A, const int64_t rs,
                                        const int64_t cs, int32_t *IPIV)
{
    int64_t failed = 0;
    for (int64_t j = 0; j < m && j < n; j++) {
        bb_real *diagonal = A + j * (rs + cs) * {{ parts }}, largest = bb_size(diagonal);
        int64_t row = j;
        for (int64_t i = j + 1; IPIV && i < m; i++) {
            const bb_real size = bb_size(A + (i * rs + j * cs) * {{ parts }});
            if (size > largest) {
                largest = size;
                row = i;
            }
        }
        if (IPIV) {
            IPIV[j] = (int32_t)(row + 1);
            const int32_t below = (int32_t)(row - j + 1);
            bb_exchange(1, &below, 0, A + j * rs * {{ parts }}, m - j, rs, n, cs);
        }
        if (largest == 0) {
            failed = failed ? failed : j + 1;
            continue;
        }
        bb_divide(m - j - 1, diagonal, diagonal + rs * {{ parts }}, rs);
        if (rs == 1)
            for (int64_t c = 1; c < n - j; c++)
                bb_subtract(m - j - 1, diagonal + c * cs * {{ parts }}, diagonal + {{ parts }},
                            diagonal + (c * cs + 1) * {{ parts }}, 1);
        else
            for (int64_t i = 1; i < m - j; i++)
                bb_subtract(n - j - 1, diagonal + i * rs * {{ parts }}, diagonal + cs * {{ parts }},
                            diagonal + (i * rs + cs) * {{ parts }}, cs);
    }
    return failed;
}
