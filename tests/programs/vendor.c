/* A program written for a vendor's library, with the prototypes of its header. It prints all that it computes. */
#include <stdio.h>
#include <string.h>

typedef enum { CblasRowMajor = 101, CblasColMajor = 102 } CBLAS_LAYOUT;
typedef enum { CblasNoTrans = 111, CblasTrans = 112, CblasConjTrans = 113 } CBLAS_TRANSPOSE;
typedef enum { CblasUpper = 121, CblasLower = 122 } CBLAS_UPLO;
typedef enum { CblasNonUnit = 131, CblasUnit = 132 } CBLAS_DIAG;
typedef enum { CblasLeft = 141, CblasRight = 142 } CBLAS_SIDE;
#define MKL_INT int

void cblas_dgemm_batch(const CBLAS_LAYOUT Layout, const CBLAS_TRANSPOSE *TransA_Array, const CBLAS_TRANSPOSE *TransB_Array,
                       const MKL_INT *M_Array, const MKL_INT *N_Array, const MKL_INT *K_Array, const double *alpha_Array,
                       const double **A_Array, const MKL_INT *lda_Array, const double **B_Array, const MKL_INT *ldb_Array,
                       const double *beta_Array, double **C_Array, const MKL_INT *ldc_Array, const MKL_INT group_count,
                       const MKL_INT *group_size);
void cblas_dgemm_batch_strided(const CBLAS_LAYOUT Layout, const CBLAS_TRANSPOSE TransA, const CBLAS_TRANSPOSE TransB,
                               const MKL_INT M, const MKL_INT N, const MKL_INT K, const double alpha, const double *A,
                               const MKL_INT lda, const MKL_INT stridea, const double *B, const MKL_INT ldb,
                               const MKL_INT strideb, const double beta, double *C, const MKL_INT ldc, const MKL_INT stridec,
                               const MKL_INT batch_size);
void cblas_dtrsm_batch(const CBLAS_LAYOUT Layout, const CBLAS_SIDE *Side_Array, const CBLAS_UPLO *Uplo_Array,
                       const CBLAS_TRANSPOSE *Transa_Array, const CBLAS_DIAG *Diag_Array, const MKL_INT *M_Array,
                       const MKL_INT *N_Array, const double *alpha_Array, const double **A_Array, const MKL_INT *lda_Array,
                       double **B_Array, const MKL_INT *ldb_Array, const MKL_INT group_count, const MKL_INT *group_size);
void cblas_zsyrk_batch(const CBLAS_LAYOUT Layout, const CBLAS_UPLO *Uplo_Array, const CBLAS_TRANSPOSE *Trans_Array,
                       const MKL_INT *N_Array, const MKL_INT *K_Array, const void *alpha_Array, const void **A_Array,
                       const MKL_INT *lda_Array, const void *beta_Array, void **C_Array, const MKL_INT *ldc_Array,
                       const MKL_INT group_count, const MKL_INT *group_size);
void cblas_dgemv_batch(const CBLAS_LAYOUT Layout, const CBLAS_TRANSPOSE *TransA_Array, const MKL_INT *M_Array,
                       const MKL_INT *N_Array, const double *alpha_Array, const double **A_Array, const MKL_INT *lda_Array,
                       const double **X_Array, const MKL_INT *incX_Array, const double *beta_Array, double **Y_Array,
                       const MKL_INT *incY_Array, const MKL_INT group_count, const MKL_INT *group_size);
void cblas_zaxpy_batch_strided(const MKL_INT N, const void *alpha, const void *X, const MKL_INT incX, const MKL_INT stridex,
                               void *Y, const MKL_INT incY, const MKL_INT stridey, const MKL_INT batch_size);
void cblas_dcopy_batch(const MKL_INT *N_Array, const double **X_Array, const MKL_INT *incX_Array, double **Y_Array,
                       const MKL_INT *incY_Array, const MKL_INT group_count, const MKL_INT *group_size);

enum { SIZE = 64 };
static double a[SIZE], b[SIZE], c[SIZE];
static const double *as[3] = { a, a + 20, a + 40 }, *bs[3] = { b, b + 20, b + 40 };
static double *cs[3] = { c, c + 20, c + 40 };

static void made(void)
{
    for (int i = 0; i < SIZE; i++) {
        a[i] = 1 + (double)(i * 7 % 5) / 4 + 2 * (i % 6 == 0);
        b[i] = (double)(i * 3 % 7) / 2 - 1;
        c[i] = (double)(i * 5 % 11) / 3;
    }
}

static void printed(const char *what)
{
    printf("%s", what);
    for (int i = 0; i < SIZE; i++)
        printf(" %.10f", c[i] + 0.0);
    puts("");
    made();
}

int main(void)
{
    made();
    const CBLAS_TRANSPOSE transa[2] = { CblasTrans, CblasNoTrans }, transb[2] = { CblasNoTrans, CblasTrans };
    const CBLAS_TRANSPOSE plain[2] = { CblasNoTrans, CblasTrans };
    const CBLAS_SIDE side[2] = { CblasLeft, CblasRight };
    const CBLAS_UPLO uplo[2] = { CblasUpper, CblasLower };
    const CBLAS_DIAG diag[2] = { CblasNonUnit, CblasUnit };
    const MKL_INT m[2] = { 2, 3 }, n[2] = { 3, 2 }, k[2] = { 2, 3 }, ld[2] = { 5, 4 }, sizes[2] = { 1, 2 };
    const MKL_INT incx[2] = { 1, -2 }, incy[2] = { -1, 3 };
    const double alpha[4] = { 0.5, -2, 1, 3 }, beta[4] = { 1, 0.25, -1, 2 };

    for (int order = CblasRowMajor; order <= CblasColMajor; order++) {
        const CBLAS_LAYOUT layout = (CBLAS_LAYOUT)order;
        cblas_dgemm_batch(layout, transa, transb, m, n, k, alpha, as, ld, bs, ld, beta, cs, ld, 2, sizes);
        printed("dgemm_batch");
        cblas_dgemm_batch_strided(layout, CblasTrans, CblasNoTrans, 2, 3, 2, 0.5, a, 4, 0, b, 3, 20, -1, c, 5, 20, 3);
        printed("dgemm_batch_strided");
        cblas_dtrsm_batch(layout, side, uplo, plain, diag, m, n, alpha, as, ld, cs, ld, 2, sizes);
        printed("dtrsm_batch");
        const void *const zas[3] = { a, a + 20, a + 40 };
        void *zcs[3] = { c, c + 20, c + 40 };
        cblas_zsyrk_batch(layout, uplo, plain, (MKL_INT[2]){ 2, 1 }, (MKL_INT[2]){ 1, 2 }, alpha, (const void **)zas,
                          (MKL_INT[2]){ 2, 2 }, beta, zcs, (MKL_INT[2]){ 3, 1 }, 2, sizes);
        printed("zsyrk_batch");
        cblas_dgemv_batch(layout, plain, m, n, alpha, as, ld, bs, incx, beta, cs, incy, 2, sizes);
        printed("dgemv_batch");
    }
    cblas_zaxpy_batch_strided(3, alpha, a, -1, 10, c, 2, 12, 2);
    printed("zaxpy_batch_strided");
    cblas_dcopy_batch(n, as, incx, cs, incy, 2, sizes);
    printed("dcopy_batch");
    fflush(stdout);
    const MKL_INT wrong[2] = { 5, 1 };
    cblas_dgemm_batch(CblasColMajor, transa, transb, m, n, k, alpha, as, ld, bs, ld, beta, cs, wrong, 2, sizes);
    return 0;
}
