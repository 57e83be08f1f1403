#include <libxsmm.h>
{% include "bench/peer/head.c" %}

int bb_peer(ARGUMENTS)
{
    (void)work;
    const bb_real one = 1, beta = {{ beta }};
    const libxsmm_blasint lda = M, ldb = K, ldc = M;
    const libxsmm_{{ letter }}mmfunction kernel = libxsmm_{{ letter }}mmdispatch(M, N, K, &lda, &ldb, &ldc, &one, &beta, NULL, NULL);
    if (!kernel)
        return 1;
    EACH_MATRIX
        kernel(A + p * STEP_A, B + p * STEP_B, C + p * STEP_C);
    return 0;
}
