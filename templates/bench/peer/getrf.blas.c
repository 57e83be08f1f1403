{# LU with partial pivoting of column-major matrices; pivots are int32. #}
{% include "bench/peer/blas.c" %}
{% include "bench/peer/copies.c" %}
void {{ letter }}getrf_(bb_size, bb_size, bb_real *, bb_size, int *, int *);

int bb_peer(ARGUMENTS)
{
    (void)work;
    const int m = M, n = N;
    use_threads(1);
    EACH_MATRIX
    {
        int info;
        COPY(A);
        {{ letter }}getrf_(&m, &n, A + p * STEP_A, &m, (int *)IPIV + p * LD_IPIV, &info);
    }
    return 0;
}
