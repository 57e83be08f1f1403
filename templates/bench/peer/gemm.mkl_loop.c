{% include "bench/peer/head.c" %}
{% include "bench/peer/cblas.c" %}
{% include "bench/peer/mkl.c" %}

int bb_peer(ARGUMENTS)
{
    (void)work;
    use_threads(1);
    EACH_MATRIX
        CBLAS_GEMM(p);
    return 0;
}
