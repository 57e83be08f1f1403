/* cuBLAS on batches of row-major matrices, which are seen as column-major ones: transposed. p are operands, or lists of
   their matrices, then what a function works in; size are those of the operation. */
{% include "bench/peer/cuda.c" %}
int cublasCreate_v2(void **);
int bb_open(void **handle)
{
    return cublasCreate_v2(handle);
}
{% for letter, type in types.items() %}

static const {{ type }} one_{{ letter }}[2] = {1, 0}, zero_{{ letter }}[2] = {0, 0};
{% set L = letter | upper %}
int cublas{{ L }}gemmStridedBatched(void *, int, int, int, int, int, const void *, const void *, int, long long, const void *, int, long long, const void *, void *, int, long long, int);
int bb_{{ letter }}gemm_strided(ARGUMENTS)
{
    const int m = size[0], n = size[1], k = size[2];
    return cublas{{ L }}gemmStridedBatched(handle, N, N, n, m, k, one_{{ letter }}, p[1], n, (long long)k * n, p[0], k, (long long)m * k, zero_{{ letter }}, p[2], n, (long long)m * n, batch);
}
int cublas{{ L }}gemmBatched(void *, int, int, int, int, int, const void *, const void *, int, const void *, int, const void *, const void *, int, int);
int bb_{{ letter }}gemm_lists(ARGUMENTS)
{
    const int m = size[0], n = size[1], k = size[2];
    return cublas{{ L }}gemmBatched(handle, N, N, n, m, k, one_{{ letter }}, p[1], n, p[0], k, zero_{{ letter }}, p[2], n, batch);
}
/* X' A' = B', A' upper */
int cublas{{ L }}trsmBatched(void *, int, int, int, int, int, int, const void *, const void *, int, const void *, int, int);
int bb_{{ letter }}trsm_lists(ARGUMENTS)
{
    const int m = size[0], n = size[1];
    return cublas{{ L }}trsmBatched(handle, RIGHT, UPPER, N, NOT_UNIT, n, m, one_{{ letter }}, p[0], m, p[1], n, batch);
}
/* Of matrices that are column-major. */
int cublas{{ L }}getrfBatched(void *, int, const void *, int, int *, int *, int);
int bb_{{ letter }}getrf_lists(ARGUMENTS)
{
    return cublas{{ L }}getrfBatched(handle, size[0], p[0], size[0], p[1], p[2], batch);
}
int cublas{{ L }}getrsBatched(void *, int, int, int, const void *, int, const int *, const void *, int, int *, int);
int bb_{{ letter }}gesv_lists(ARGUMENTS)
{
    const int n = size[0], status = cublas{{ L }}getrfBatched(handle, n, p[0], n, p[2], p[3], batch);
    int wrong;
    return status ? status : cublas{{ L }}getrsBatched(handle, N, n, size[1], p[0], n, p[2], p[1], n, &wrong, batch);
}
/* The inverse of the transpose is that of the matrix, transposed. The last operand gets it. */
int cublas{{ L }}matinvBatched(void *, int, const void *, int, const void *, int, int *, int);
int bb_{{ letter }}inverse_lists(ARGUMENTS)
{
    return cublas{{ L }}matinvBatched(handle, size[0], p[0], size[0], p[1], size[0], p[2], batch);
}
{% endfor %}
