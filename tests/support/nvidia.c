/* Stand-ins for cuBLAS and cuSOLVER on an emulated device: plain loops, once all that is queued is done. Matrices are
   column-major, as there. Complex types are not done. */
#include <math.h>
#include <stddef.h>

int cuStreamSynchronize(void *);
static int open(void **handle)
{
    *handle = handle;
    return 0;
}
int cublasCreate_v2(void **handle)
{
    return open(handle);
}
int cusolverDnCreate(void **handle)
{
    return open(handle);
}
#define REAL(L, real)                                                                                                  \
    static void L##multiply(int m, int n, int k, const real *a, int lda, const real *b, int ldb, real *c, int ldc)     \
    {                                                                                                                  \
        for (int j = 0; j < n; j++)                                                                                    \
            for (int i = 0; i < m; i++) {                                                                              \
                real sum = 0;                                                                                          \
                for (int l = 0; l < k; l++)                                                                            \
                    sum += a[i + l * lda] * b[l + j * ldb];                                                            \
                c[i + j * ldc] = sum;                                                                                  \
            }                                                                                                          \
    }                                                                                                                  \
    int cublas##L##gemmStridedBatched(void *h, int ta, int tb, int m, int n, int k, const real *alpha, const real *a,  \
                                      int lda, long long sa, const real *b, int ldb, long long sb, const real *beta,   \
                                      real *c, int ldc, long long sc, int batch)                                       \
    {                                                                                                                  \
        cuStreamSynchronize(0);                                                                                        \
        for (int p = 0; p < batch; p++)                                                                                \
            L##multiply(m, n, k, a + p * sa, lda, b + p * sb, ldb, c + p * sc, ldc);                                   \
        return !h || ta || tb || *alpha != 1 || *beta != 0;                                                            \
    }                                                                                                                  \
    int cublas##L##gemmBatched(void *h, int ta, int tb, int m, int n, int k, const real *alpha, const real **a,        \
                               int lda, const real **b, int ldb, const real *beta, real **c, int ldc, int batch)       \
    {                                                                                                                  \
        cuStreamSynchronize(0);                                                                                        \
        for (int p = 0; p < batch; p++)                                                                                \
            L##multiply(m, n, k, a[p], lda, b[p], ldb, c[p], ldc);                                                     \
        return !h || ta || tb || *alpha != 1 || *beta != 0;                                                            \
    }                                                                                                                  \
    /* X A = B, A upper */                                                                                             \
    int cublas##L##trsmBatched(void *h, int side, int uplo, int trans, int diag, int m, int n, const real *alpha,      \
                               const real **a, int lda, real **b, int ldb, int batch)                                  \
    {                                                                                                                  \
        cuStreamSynchronize(0);                                                                                        \
        for (int p = 0; p < batch; p++)                                                                                \
            for (int j = 0; j < n; j++)                                                                                \
                for (int i = 0; i < m; i++) {                                                                          \
                    real x = b[p][i + j * ldb];                                                                        \
                    for (int l = 0; l < j; l++)                                                                        \
                        x -= b[p][i + l * ldb] * a[p][l + j * lda];                                                    \
                    b[p][i + j * ldb] = x / a[p][j + j * lda];                                                         \
                }                                                                                                      \
        return !h || side != 1 || uplo != 1 || trans || diag || *alpha != 1;                                           \
    }                                                                                                                  \
    int cublas##L##getrfBatched(void *h, int n, real **a, int lda, int *pivots, int *info, int batch)                  \
    {                                                                                                                  \
        cuStreamSynchronize(0);                                                                                        \
        for (int p = 0; p < batch; p++, info[p - 1] = 0)                                                               \
            for (int k = 0; k < n; k++) {                                                                              \
                int best = k;                                                                                          \
                for (int i = k; i < n; i++)                                                                            \
                    if (fabs(a[p][i + k * lda]) > fabs(a[p][best + k * lda]))                                          \
                        best = i;                                                                                      \
                pivots[p * n + k] = best + 1;                                                                          \
                for (int j = 0; j < n; j++) {                                                                          \
                    const real x = a[p][k + j * lda];                                                                  \
                    a[p][k + j * lda] = a[p][best + j * lda];                                                          \
                    a[p][best + j * lda] = x;                                                                          \
                }                                                                                                      \
                for (int i = k + 1; i < n; i++) {                                                                      \
                    a[p][i + k * lda] /= a[p][k + k * lda];                                                            \
                    for (int j = k + 1; j < n; j++)                                                                    \
                        a[p][i + j * lda] -= a[p][i + k * lda] * a[p][k + j * lda];                                    \
                }                                                                                                      \
            }                                                                                                          \
        return !h;                                                                                                     \
    }                                                                                                                  \
    int cublas##L##getrsBatched(void *h, int trans, int n, int nrhs, const real **a, int lda, const int *pivots,       \
                                real **b, int ldb, int *info, int batch)                                               \
    {                                                                                                                  \
        *info = 0;                                                                                                     \
        for (int p = 0; p < batch * nrhs; p++) {                                                                       \
            const real *f = a[p / nrhs];                                                                               \
            real *x = b[p / nrhs] + p % nrhs * ldb;                                                                    \
            for (int i = 0; i < n; i++) {                                                                              \
                const int from = pivots[p / nrhs * n + i] - 1;                                                         \
                const real y = x[from];                                                                                \
                x[from] = x[i];                                                                                        \
                x[i] = y;                                                                                              \
                for (int j = 0; j < i; j++)                                                                            \
                    x[i] -= f[i + j * lda] * x[j];                                                                     \
            }                                                                                                          \
            for (int i = n - 1; i >= 0; x[i] /= f[i + i * lda], i--)                                                   \
                for (int j = i + 1; j < n; j++)                                                                        \
                    x[i] -= f[i + j * lda] * x[j];                                                                     \
        }                                                                                                              \
        return !h || trans;                                                                                            \
    }                                                                                                                  \
    int cublas##L##matinvBatched(void *h, int n, const real **a, int lda, real **b, int ldb, int *info, int batch)     \
    {                                                                                                                  \
        cuStreamSynchronize(0);                                                                                        \
        for (int p = 0; p < batch; p++, info[p - 1] = 0) {                                                             \
            real f[32 * 32], *factors = f;                                                                             \
            int pivots[32], wrong;                                                                                     \
            for (int i = 0; i < n * n; i++) {                                                                          \
                f[i] = a[p][i % n + i / n * lda];                                                                      \
                b[p][i % n + i / n * ldb] = i % n == i / n;                                                            \
            }                                                                                                          \
            cublas##L##getrfBatched(h, n, &factors, n, pivots, &wrong, 1);                                             \
            cublas##L##getrsBatched(h, 0, n, n, (const real **)&factors, n, pivots, b + p, ldb, &wrong, 1);            \
        }                                                                                                              \
        return !h;                                                                                                     \
    }                                                                                                                  \
    int cusolverDn##L##potrfBatched(void *h, int uplo, int n, real **a, int lda, int *info, int batch)                 \
    {                                                                                                                  \
        cuStreamSynchronize(0);                                                                                        \
        for (int p = 0; p < batch; p++, info[p - 1] = 0)                                                               \
            for (int j = 0; j < n; j++)                                                                                \
                for (int i = j; i < n; i++) {                                                                          \
                    real x = a[p][i + j * lda];                                                                        \
                    for (int l = 0; l < j; l++)                                                                        \
                        x -= a[p][i + l * lda] * a[p][j + l * lda];                                                    \
                    a[p][i + j * lda] = i == j ? (real)sqrt(x) : x / a[p][j + j * lda];                                \
                }                                                                                                      \
        return !h || uplo;                                                                                             \
    }                                                                                                                  \
    int cusolverDn##L##potrsBatched(void *h, int uplo, int n, int nrhs, real **a, int lda, real **b, int ldb,          \
                                    int *info, int batch)                                                              \
    {                                                                                                                  \
        cuStreamSynchronize(0);                                                                                        \
        for (int p = 0; p < batch; p++) {                                                                              \
            real *x = b[p];                                                                                            \
            for (int i = 0; i < n; x[i] /= a[p][i + i * lda], i++)                                                     \
                for (int j = 0; j < i; j++)                                                                            \
                    x[i] -= a[p][i + j * lda] * x[j];                                                                  \
            for (int i = n - 1; i >= 0; x[i] /= a[p][i + i * lda], i--)                                                \
                for (int j = i + 1; j < n; j++)                                                                        \
                    x[i] -= a[p][j + i * lda] * x[j];                                                                  \
        }                                                                                                              \
        *info = 0;                                                                                                     \
        return !h || uplo || nrhs != 1 || ldb < n;                                                                     \
    }
/* X A = B and B A, A upper, n x n. */
int cublasDtrsm_v2(void *h, int side, int uplo, int trans, int diag, int m, int n, const double *alpha, const double *a,
                   int lda, double *b, int ldb)
{
    cuStreamSynchronize(0);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            for (int l = 0; l < j; l++)
                b[i + j * ldb] -= b[i + l * ldb] * a[l + j * lda];
            b[i + j * ldb] /= a[j + j * lda];
        }
    return !h || side != 1 || uplo != 1 || trans || diag || *alpha != 1;
}
int cublasDtrmm_v2(void *h, int side, int uplo, int trans, int diag, int m, int n, const double *alpha, const double *a,
                   int lda, const double *b, int ldb, double *c, int ldc)
{
    cuStreamSynchronize(0);
    for (int j = n - 1; j >= 0; j--)
        for (int i = 0; i < m; i++) {
            double sum = 0;
            for (int l = 0; l <= j; l++)
                sum += b[i + l * ldb] * a[l + j * lda];
            c[i + j * ldc] = sum;
        }
    return !h || side != 1 || uplo != 1 || trans || diag || *alpha != 1;
}
REAL(S, float)
REAL(D, double)
#define NONE(name)                                                                                                     \
    int name(void)                                                                                                     \
    {                                                                                                                  \
        return 1;                                                                                                      \
    }
#define COMPLEX(L)                                                                                                     \
    NONE(cublas##L##gemmStridedBatched)                                                                                \
    NONE(cublas##L##gemmBatched)                                                                                       \
    NONE(cublas##L##trsmBatched)                                                                                       \
    NONE(cublas##L##getrfBatched)                                                                                      \
    NONE(cublas##L##getrsBatched)                                                                                      \
    NONE(cublas##L##matinvBatched)                                                                                     \
    NONE(cusolverDn##L##potrfBatched)                                                                                  \
    NONE(cusolverDn##L##potrsBatched)
COMPLEX(C)
COMPLEX(Z)
