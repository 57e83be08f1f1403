{% include "bench/peer/head.c" %}
{% include "bench/peer/mkl.c" %}
int mkl_get_format_compact(void);
int mkl_{{ letter }}get_size_compact(int, int, int, int);
void mkl_{{ letter }}gepack_compact(int, int, int, const bb_real *const *, int, bb_real *, int, int, int);
void mkl_{{ letter }}geunpack_compact(int, int, int, bb_real *const *, int, const bb_real *, int, int, int);
void mkl_{{ letter }}gemm_compact(int, int, int, int, int, int, {{ scalar }}, const bb_real *, int, const bb_real *, int, {{ scalar }}, bb_real *, int, int, int);

static int64_t bytes(int rows, int cols, int64_t batch)
{
    const int64_t size = mkl_{{ letter }}get_size_compact(rows, cols, mkl_get_format_compact(), (int)batch);
    return (size + 63) / 64 * 64;
}

/* Work holds A, B and C in compact form, then pointers to the matrices of each. */
int64_t bb_work(int64_t batch)
{
    return bytes(M, K, batch) + bytes(K, N, batch) + bytes(M, N, batch) + 3 * batch * (int64_t)sizeof(void *);
}

static void pack(int rows, int cols, bb_real **matrices, char *packed, int64_t batch)
{
    mkl_{{ letter }}gepack_compact(102, rows, cols, (const bb_real *const *)matrices, rows, (bb_real *)packed, rows, mkl_get_format_compact(), (int)batch);
}

int bb_prepare(ARGUMENTS)
{
    char *const b = work + bytes(M, K, batch), *const c = b + bytes(K, N, batch);
    bb_real **matrices = (bb_real **)(c + bytes(M, N, batch));
    for (int64_t p = 0; p < batch; p++) {
        matrices[p] = (bb_real *)A + p * STEP_A;
        matrices[batch + p] = (bb_real *)B + p * STEP_B;
        matrices[2 * batch + p] = C + p * STEP_C;
    }
    use_threads(threads);
    pack(M, K, matrices, work, batch);
    pack(K, N, matrices + batch, b, batch);
    pack(M, N, matrices + 2 * batch, c, batch);
    return 0;
}

/* Brings C back from compact form. */
int bb_finish(ARGUMENTS)
{
    (void)A, (void)B, (void)C, (void)threads;
    char *const c = work + bytes(M, K, batch) + bytes(K, N, batch);
    bb_real **matrices = (bb_real **)(c + bytes(M, N, batch)) + 2 * batch;
    mkl_{{ letter }}geunpack_compact(102, M, N, matrices, M, (bb_real *)c, M, mkl_get_format_compact(), (int)batch);
    return 0;
}

int bb_peer(ARGUMENTS)
{
    char *const b = work + bytes(M, K, batch), *const c = b + bytes(K, N, batch);
    use_threads(threads);
{% if converting %}
    bb_prepare(A, B, C, work, batch, threads);
{% endif %}
    mkl_{{ letter }}gemm_compact(102, 111, 111, M, N, K, {{ one }}, (bb_real *)work, M, (bb_real *)b, K, {{ beta_value }}, (bb_real *)c, M, mkl_get_format_compact(), (int)batch);
{% if converting %}
    bb_finish(A, B, C, work, batch, threads);
{% else %}
    (void)A, (void)B, (void)C;
{% endif %}
    return 0;
}
