{# LU with partial pivoting and the solution of column-major systems; pivots are int32. #}
{% include "bench/peer/blas.c" %}
{% include "bench/peer/copies.c" %}
void {{ letter }}gesv_(bb_size, bb_size, bb_real *, bb_size, int *, bb_real *, bb_size, int *);

int bb_peer(ARGUMENTS)
{
    (void)work;
    const int n = N, columns = NRHS;
    use_threads(1);
    EACH_MATRIX
    {
        int info;
        COPY(A);
        COPY(B);
        {{ letter }}gesv_(&n, &columns, A + p * STEP_A, &n, (int *)IPIV + p * LD_IPIV, B + p * STEP_B, &n, &info);
    }
    return 0;
}
