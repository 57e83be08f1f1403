/* The C interface of the BLAS: 102 is column-major, 111 no transposition. */
void cblas_{{ letter }}gemm(int, int, int, int, int, int, {{ scalar }}, const bb_real *, int, const bb_real *, int, {{ scalar }}, bb_real *, int);
#define CBLAS_GEMM(p)                                                                                                  \
    cblas_{{ letter }}gemm(102, 111, 111, M, N, K, {{ one }}, A + p * STEP_A, M, B + p * STEP_B, K, {{ beta_value }}, C + p * STEP_C, M)
