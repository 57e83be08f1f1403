{% include "bench/peer/head.c" %}
{% include "bench/peer/mkl.c" %}
void cblas_{{ letter }}gemm_batch_strided(int, int, int, int, int, int, {{ scalar }}, const bb_real *, int, int, const bb_real *, int, int, {{ scalar }}, bb_real *, int, int, int);

int bb_peer(ARGUMENTS)
{
    (void)work;
    use_threads(threads);
    cblas_{{ letter }}gemm_batch_strided(102, 111, 111, M, N, K, {{ one }}, A, M, M * K, B, K, K * N, {{ beta_value }}, C, M, M * N, (int)batch);
    return 0;
}
