{% include "bench/peer/head.c" %}
{% include "bench/peer/mkl.c" %}
void cblas_{{ letter }}gemm_batch(int, const int *, const int *, const int *, const int *, const int *, const void *, const bb_real **, const int *, const bb_real **, const int *, const void *, bb_real **, const int *, int, const int *);

/* Pointers to the matrices, then the parameters of every group. */
typedef struct {
    const bb_real *a, *b;
    bb_real *c, one[2], beta[2];
    int trans, m, n, k, size;
} group;

int64_t bb_work(int64_t batch)
{
    return batch * (int64_t)sizeof(group);
}

int bb_prepare(ARGUMENTS)
{
    (void)threads;
    const bb_real **a = (const bb_real **)work, **b = a + batch, **c = b + batch;
    bb_real *one = (bb_real *)(c + batch), *beta = one + 2 * batch;
    int *trans = (int *)(beta + 2 * batch), *m = trans + batch, *n = m + batch, *k = n + batch, *size = k + batch;
    for (int64_t p = 0; p < batch; p++) {
        a[p] = A + p * STEP_A, b[p] = B + p * STEP_B, c[p] = C + p * STEP_C;
        one[p * {{ parts }}] = 1, beta[p * {{ parts }}] = {{ beta }};
{% if complex %}
        one[p * 2 + 1] = beta[p * 2 + 1] = 0;
{% endif %}
        trans[p] = 111, m[p] = M, n[p] = N, k[p] = K, size[p] = {{ "1" if every_group else "(int)batch" }};
    }
    return 0;
}

int bb_peer(ARGUMENTS)
{
    (void)A, (void)B, (void)C;
    const bb_real **a = (const bb_real **)work, **b = a + batch;
    bb_real **c = (bb_real **)(b + batch);
    const bb_real *one = (bb_real *)(c + batch), *beta = one + 2 * batch;
    const int *trans = (int *)(beta + 2 * batch), *m = trans + batch, *n = m + batch, *k = n + batch, *size = k + batch;
    use_threads(threads);
    cblas_{{ letter }}gemm_batch(102, trans, trans, m, n, k, one, a, m, b, k, beta, c, m, {{ "(int)batch" if every_group else "1" }}, size);
    return 0;
}
