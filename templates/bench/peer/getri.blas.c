{# The inverse of column-major matrices by LU with partial pivoting; pivots are int32. #}
{% include "bench/peer/blas.c" %}
{% include "bench/peer/copies.c" %}
void {{ letter }}getrf_(bb_size, bb_size, bb_real *, bb_size, int *, int *);
void {{ letter }}getri_(bb_size, bb_real *, bb_size, const int *, bb_real *, bb_size, int *);
enum { SPACE = 64 * N }; /* as large a block as LAPACK has use for */

int bb_peer(ARGUMENTS)
{
    (void)work;
    const int n = N, elements = SPACE;
    use_threads(1);
    EACH_MATRIX
    {
        int info, *pivots = (int *)IPIV + p * LD_IPIV;
        bb_real space[SPACE * {{ parts }}];
        COPY(A);
        {{ letter }}getrf_(&n, &n, A + p * STEP_A, &n, pivots, &info);
        {{ letter }}getri_(&n, A + p * STEP_A, &n, pivots, space, &elements, &info);
    }
    return 0;
}
