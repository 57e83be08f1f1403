{% include "bench/peer/head.c" %}
{% include "bench/peer/mkl.c" %}
void cblas_{{ letter }}trsm_batch_strided(int, int, int, int, int, int, int, {{ scalar }}, const bb_real *, int, int, bb_real *, int, int, int);

/* B' A'^-1: on the right, upper, not transposed, with its diagonal. */
int bb_peer(ARGUMENTS)
{
    (void)work;
    use_threads(threads);
    cblas_{{ letter }}trsm_batch_strided(102, 142, 121, 111, 131, N, M, {{ one }}, A, M, M * M, B, N, M * N, (int)batch);
    return 0;
}
