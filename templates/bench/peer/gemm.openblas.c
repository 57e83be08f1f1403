{% include "bench/peer/head.c" %}
{% include "bench/peer/cblas.c" %}
void openblas_set_num_threads(int);

int bb_peer(ARGUMENTS)
{
    (void)work;
    openblas_set_num_threads(1);
    EACH_MATRIX
        CBLAS_GEMM(p);
    return 0;
}
