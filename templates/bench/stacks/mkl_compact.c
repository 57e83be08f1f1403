{# MKL's compact functions on stacks in its compact form, matrices column-major; LU is without pivoting. #}
{% include "bench/stacks/mkl_compact_declared.c" %}

int64_t bb_size(int rows, int cols, int64_t batch)
{
    return mkl_{{ letter }}get_size_compact(rows, cols, mkl_get_format_compact(), (int)batch);
}

void bb_pack(int rows, int cols, const bb_real *const *from, bb_real *to, int64_t batch)
{
    use_threads(1);
    mkl_{{ letter }}gepack_compact(COLUMN_MAJOR, rows, cols, from, rows, to, rows, mkl_get_format_compact(), (int)batch);
}

void bb_unpack(int rows, int cols, bb_real *const *to, const bb_real *from, int64_t batch)
{
    use_threads(1);
    mkl_{{ letter }}geunpack_compact(COLUMN_MAJOR, rows, cols, to, rows, from, rows, mkl_get_format_compact(), (int)batch);
}

/* Reals that the functions which want some work with. */
static int wanted(int nm)
{
    bb_real inverse[2] = {0}, reflections[2] = {0}, none[2] = {0};
    int info;
    mkl_{{ letter }}getrinp_compact(COLUMN_MAJOR, N, none, N, inverse, -1, &info, mkl_get_format_compact(), nm);
    mkl_{{ letter }}geqrf_compact(COLUMN_MAJOR, N, N, none, N, none, reflections, -1, &info, mkl_get_format_compact(), nm);
    return (int)(inverse[0] > reflections[0] ? inverse[0] : reflections[0]);
}

static int64_t part_of(int64_t batch, int threads)
{
    return (batch + (int64_t)threads * MULTIPLE - 1) / ((int64_t)threads * MULTIPLE) * MULTIPLE;
}

/* Of each thread a copy of its matrices, and what functions want. */
static int64_t work_of(int64_t part)
{
    return (bb_size(N, N, part) + wanted((int)part) * (int64_t)sizeof(bb_real) * {{ parts }} + 63) / 64 * 64;
}

int64_t bb_work(int64_t batch, int threads)
{
    return threads * work_of(part_of(batch, threads));
}

static void factor(bb_real *a, int nm)
{
    int info;
    mkl_{{ letter }}getrfnp_compact(COLUMN_MAJOR, N, N, a, N, &info, mkl_get_format_compact(), nm);
}

static void solve(const bb_real *s, const bb_real *b, bb_real *x, bb_real *work, int nm)
{
    memcpy(work, s, bb_size(N, N, nm));
    memcpy(x, b, bb_size(N, 1, nm));
    factor(work, nm);
    mkl_{{ letter }}trsm_compact(COLUMN_MAJOR, LEFT, LOWER, PLAIN, UNIT, N, 1, {{ one }}, work, N, x, N, mkl_get_format_compact(), nm);
    mkl_{{ letter }}trsm_compact(COLUMN_MAJOR, LEFT, UPPER, PLAIN, GENERAL, N, 1, {{ one }}, work, N, x, N, mkl_get_format_compact(), nm);
}

static void inv(const bb_real *s, bb_real *x, bb_real *work, int nm)
{
    int info;
    memcpy(x, s, bb_size(N, N, nm));
    factor(x, nm);
    mkl_{{ letter }}getrinp_compact(COLUMN_MAJOR, N, x, N, work, wanted(nm), &info, mkl_get_format_compact(), nm);
}

static void cholesky(const bb_real *s, bb_real *l, bb_real *work, int nm)
{
    int info;
    (void)work;
    memcpy(l, s, bb_size(N, N, nm));
    mkl_{{ letter }}potrf_compact(COLUMN_MAJOR, LOWER, N, l, N, &info, mkl_get_format_compact(), nm);
}

static void qr_raw(const bb_real *a, bb_real *h, bb_real *t, bb_real *work, int nm)
{
    int info;
    memcpy(h, a, bb_size(N, N, nm));
    mkl_{{ letter }}geqrf_compact(COLUMN_MAJOR, N, N, h, N, t, work, wanted(nm), &info, mkl_get_format_compact(), nm);
}

static void matmul(const bb_real *a, const bb_real *b, bb_real *c, bb_real *work, int nm)
{
    (void)work;
    mkl_{{ letter }}gemm_compact(COLUMN_MAJOR, PLAIN, PLAIN, N, N, N, {{ one }}, a, N, b, N, {{ zero }}, c, N, mkl_get_format_compact(), nm);
}
{% for function in functions %}

void bb_{{ function.name }}({% for x in function.operands %}{{ "const " if not x.written }}bb_real *{{ x.name }}, {% endfor %}char *work, int64_t batch, int threads)
{
    const int64_t part = part_of(batch, threads), bytes = work_of(part);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (int t = 0; t < threads; t++) {
        const int64_t first = t * part, left = batch - first, count = left < part ? left : part;
        if (count <= 0)
            continue;
        use_threads(1);
        {{ function.name }}({% for x in function.operands %}{{ x.name }} + bb_size({{ x.rows }}, {{ x.cols }}, first) / (int64_t)sizeof(bb_real), {% endfor %}(bb_real *)(work + t * bytes), (int)count);
    }
}
{% endfor %}
