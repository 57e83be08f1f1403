/* A program written for a vendor's compact functions, with the prototypes of its header. It prints what it computes, and
   where that is not what plain loops do. */
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

#define MKL_INT int
typedef enum { MKL_ROW_MAJOR = 101, MKL_COL_MAJOR = 102 } MKL_LAYOUT;
typedef enum { MKL_NOTRANS = 111, MKL_TRANS = 112, MKL_CONJTRANS = 113 } MKL_TRANSPOSE;
typedef enum { MKL_UPPER = 121, MKL_LOWER = 122 } MKL_UPLO;
typedef enum { MKL_NONUNIT = 131, MKL_UNIT = 132 } MKL_DIAG;
typedef enum { MKL_LEFT = 141, MKL_RIGHT = 142 } MKL_SIDE;
typedef enum { MKL_COMPACT_SSE = 181, MKL_COMPACT_AVX = 182, MKL_COMPACT_AVX512 = 183 } MKL_COMPACT_PACK;
typedef struct { float real, imag; } MKL_Complex8;
typedef struct { double real, imag; } MKL_Complex16;

MKL_COMPACT_PACK mkl_get_format_compact(void);

enum { NM = 19, M = 4, N = 3, K = 5 };
typedef double _Complex number;
static number a[NM][K * K], b[NM][K * K], c[NM][K * K];
static MKL_COMPACT_PACK format;

/* Storage: matrices are number[rows * columns], row by row; in a vendor's memory they have `extra` elements a line more
   than they need, in compact storage `gap`. */
#define STORAGE(letter, real, element, parts)                                                                          \
    MKL_INT mkl_##letter##get_size_compact(MKL_INT ld, MKL_INT sd, MKL_COMPACT_PACK format, MKL_INT nm);               \
    void mkl_##letter##gepack_compact(MKL_LAYOUT layout, MKL_INT rows, MKL_INT columns, const element *const *a,       \
                                      MKL_INT lda, real *ap, MKL_INT ldap, MKL_COMPACT_PACK format, MKL_INT nm);       \
    void mkl_##letter##geunpack_compact(MKL_LAYOUT layout, MKL_INT rows, MKL_INT columns, element *const *a,           \
                                        MKL_INT lda, const real *ap, MKL_INT ldap, MKL_COMPACT_PACK format,            \
                                        MKL_INT nm);                                                                   \
    static element letter##_memory[NM][64];                                                                            \
    static real *letter##_part(MKL_LAYOUT layout, MKL_INT ld, int p, int i, int j)                                     \
    {                                                                                                                  \
        return (real *)&letter##_memory[p][layout == MKL_ROW_MAJOR ? i * ld + j : j * ld + i];                         \
    }                                                                                                                  \
    static real *letter##_packed(MKL_LAYOUT layout, MKL_INT rows, MKL_INT columns, number (*x)[K * K], MKL_INT gap)    \
    {                                                                                                                  \
        const MKL_INT row_major = layout == MKL_ROW_MAJOR, ld = (row_major ? columns : rows), extra = 1;               \
        const element *from[NM];                                                                                       \
        for (int p = 0; p < NM; p++) {                                                                                 \
            from[p] = letter##_memory[p];                                                                              \
            for (int i = 0; i < rows * columns; i++) {                                                                 \
                real *to = letter##_part(layout, ld + extra, p, i / columns, i % columns);                             \
                to[0] = (real)creal(x[p][i]);                                                                          \
                to[parts - 1] = (real)(parts == 2 ? cimag(x[p][i]) : creal(x[p][i]));                                  \
            }                                                                                                          \
        }                                                                                                              \
        const MKL_INT bytes = mkl_##letter##get_size_compact(ld + gap, row_major ? rows : columns, format, NM);        \
        real *ap = calloc(1, (size_t)bytes);                                                                           \
        mkl_##letter##gepack_compact(layout, rows, columns, from, ld + extra, ap, ld + gap, format, NM);               \
        return ap;                                                                                                     \
    }                                                                                                                  \
    static void letter##_unpacked(MKL_LAYOUT layout, MKL_INT rows, MKL_INT columns, number (*x)[K * K], MKL_INT gap,   \
                                  real *ap)                                                                            \
    {                                                                                                                  \
        const MKL_INT ld = (layout == MKL_ROW_MAJOR ? columns : rows), extra = 2;                                      \
        element *to[NM];                                                                                               \
        for (int p = 0; p < NM; p++)                                                                                   \
            to[p] = letter##_memory[p];                                                                                \
        mkl_##letter##geunpack_compact(layout, rows, columns, to, ld + extra, ap, ld + gap, format, NM);               \
        free(ap);                                                                                                      \
        for (int p = 0; p < NM; p++)                                                                                   \
            for (int i = 0; i < rows * columns; i++) {                                                                 \
                const real *from = letter##_part(layout, ld + extra, p, i / columns, i % columns);                     \
                x[p][i] = (double)from[0] + (parts == 2 ? (double)from[parts - 1] * I : 0);                            \
            }                                                                                                          \
    }

static void made(int parts)
{
    for (int p = 0; p < NM; p++)
        for (int i = 0; i < K * K; i++) {
            a[p][i] = (p + i * 7) % 5 / 4.0 + (parts == 2 ? (p + i * 3) % 4 / 4.0 * I : 0);
            b[p][i] = (p + i * 3) % 7 / 2.0 - 1 + (parts == 2 ? (p + i * 5) % 3 / 2.0 * I : 0);
            c[p][i] = (p + i * 5) % 11 / 8.0;
        }
}

static void printed(const char *what, MKL_LAYOUT layout, number (*x)[K * K], number (*expected)[K * K], int count)
{
    printf("%s %s", what, layout == MKL_ROW_MAJOR ? "row-major" : "column-major");
    for (int p = 0; p < NM; p++)
        for (int i = 0; i < count; i++) {
            printf(" %.2f%+.2fi", creal(x[p][i]) + 1e-4, cimag(x[p][i]) + 1e-4);
            if (!(cabs(x[p][i] - expected[p][i]) <= 1e-4))
                printf(" wrong: %.4f%+.4fi", creal(expected[p][i]), cimag(expected[p][i]));
        }
    puts("");
}

/* C := alpha A' B + beta C, A being k x m */
#define GEMM(letter, real, parts, scalar, alpha_, beta_, alpha, beta)                                                  \
    void mkl_##letter##gemm_compact(MKL_LAYOUT, MKL_TRANSPOSE transa, MKL_TRANSPOSE transb, MKL_INT m, MKL_INT n,      \
                                    MKL_INT k, scalar, const real *ap, MKL_INT ldap, const real *bp, MKL_INT ldbp,     \
                                    scalar, real *cp, MKL_INT ldcp, MKL_COMPACT_PACK format, MKL_INT nm);              \
    static void letter##gemm(MKL_LAYOUT layout, MKL_INT gap)                                                           \
    {                                                                                                                  \
        static number expected[NM][K * K];                                                                             \
        const MKL_INT row_major = layout == MKL_ROW_MAJOR;                                                             \
        const MKL_INT lda = (row_major ? M : K), ldb = (row_major ? N : K) + gap, ldc = (row_major ? N : M) + gap;     \
        made(parts);                                                                                                   \
        for (int p = 0; p < NM; p++)                                                                                   \
            for (int i = 0; i < M * N; i++) {                                                                          \
                number sum = 0;                                                                                        \
                for (int l = 0; l < K; l++)                                                                            \
                    sum += a[p][l * M + i / N] * b[p][l * N + i % N];                                                  \
                expected[p][i] = (alpha) * sum + (beta) * c[p][i];                                                     \
            }                                                                                                          \
        real *ap = letter##_packed(layout, K, M, a, 0), *bp = letter##_packed(layout, K, N, b, gap);                   \
        real *cp = letter##_packed(layout, M, N, c, gap);                                                              \
        mkl_##letter##gemm_compact(layout, MKL_TRANS, MKL_NOTRANS, M, N, K, alpha_, ap, lda, bp, ldb, beta_, cp, ldc,  \
                                   format, NM);                                                                        \
        letter##_unpacked(layout, M, N, c, gap, cp);                                                                   \
        free(ap);                                                                                                      \
        free(bp);                                                                                                      \
        printed(#letter "gemm", layout, c, expected, M * N);                                                           \
    }

/* A = L L^H, from a matrix with a large diagonal */
#define POTRF(letter, real, parts)                                                                                     \
    void mkl_##letter##potrf_compact(MKL_LAYOUT layout, MKL_UPLO uplo, MKL_INT n, real *ap, MKL_INT ldap,              \
                                     MKL_INT *info, MKL_COMPACT_PACK format, MKL_INT nm);                              \
    static void letter##potrf(MKL_LAYOUT layout, MKL_INT gap)                                                          \
    {                                                                                                                  \
        static number l[NM][K * K];                                                                                    \
        MKL_INT info = 7;                                                                                              \
        made(parts);                                                                                                   \
        for (int p = 0; p < NM; p++)                                                                                   \
            for (int i = 0; i < K; i++)                                                                                \
                for (int j = 0; j <= i; j++) {                                                                         \
                    a[p][i * K + j] = i == j ? 12 + p : a[p][i * K + j];                                               \
                    number sum = a[p][i * K + j];                                                                      \
                    for (int k = 0; k < j; k++)                                                                        \
                        sum -= l[p][i * K + k] * conj(l[p][j * K + k]);                                                \
                    l[p][i * K + j] = i == j ? csqrt(sum) : sum / l[p][j * K + j];                                     \
                }                                                                                                      \
        real *ap = letter##_packed(layout, K, K, a, gap);                                                              \
        mkl_##letter##potrf_compact(layout, MKL_LOWER, K, ap, K + gap, &info, format, NM);                             \
        letter##_unpacked(layout, K, K, a, gap, ap);                                                                   \
        for (int p = 0; p < NM; p++)                                                                                   \
            for (int i = 0; i < K * K; i++)                                                                            \
                a[p][i] = i % K > i / K ? 0 : a[p][i];                                                                 \
        printed(#letter "potrf", layout, a, l, K * K);                                                                 \
        if (info)                                                                                                      \
            printf("wrong: info is %d\n", info);                                                                       \
    }

STORAGE(s, float, float, 1)
STORAGE(d, double, double, 1)
STORAGE(c, float, MKL_Complex8, 2)
STORAGE(z, double, MKL_Complex16, 2)
static const MKL_Complex8 two = { 2, 1 }, half = { 0.5, -1 };
GEMM(d, double, 1, double, 2, 0.5, 2, 0.5)
GEMM(c, float, 2, const MKL_Complex8 *, &two, &half, 2 + I, 0.5 - I)
POTRF(s, float, 1)
POTRF(d, double, 1)
POTRF(z, double, 2)

void mkl_dtrsm_compact(MKL_LAYOUT layout, MKL_SIDE side, MKL_UPLO uplo, MKL_TRANSPOSE transa, MKL_DIAG diag, MKL_INT m,
                       MKL_INT n, double alpha, const double *ap, MKL_INT ldap, double *bp, MKL_INT ldbp,
                       MKL_COMPACT_PACK format, MKL_INT nm);

/* B := 2 B / A, A being upper and n x n */
static void dtrsm(MKL_LAYOUT layout, MKL_INT gap)
{
    static number x[NM][K * K];
    made(1);
    for (int p = 0; p < NM; p++)
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                a[p][j * N + j] = 4 + p;
                number sum = 2 * b[p][i * N + j];
                for (int k = 0; k < j; k++)
                    sum -= x[p][i * N + k] * a[p][k * N + j];
                x[p][i * N + j] = sum / a[p][j * N + j];
            }
    double *ap = d_packed(layout, N, N, a, gap), *bp = d_packed(layout, M, N, b, 0);
    mkl_dtrsm_compact(layout, MKL_RIGHT, MKL_UPPER, MKL_NOTRANS, MKL_NONUNIT, M, N, 2, ap, N + gap, bp,
                      layout == MKL_ROW_MAJOR ? N : M, format, NM);
    d_unpacked(layout, M, N, b, 0, bp);
    free(ap);
    printed("dtrsm", layout, b, x, M * N);
}

void mkl_dgetrfnp_compact(MKL_LAYOUT layout, MKL_INT m, MKL_INT n, double *ap, MKL_INT ldap, MKL_INT *info,
                          MKL_COMPACT_PACK format, MKL_INT nm);
void mkl_zgetrinp_compact(MKL_LAYOUT layout, MKL_INT n, double *ap, MKL_INT ldap, double *work, MKL_INT lwork,
                          MKL_INT *info, MKL_COMPACT_PACK format, MKL_INT nm);

/* A = L U, A being k x n with a large diagonal */
static void dgetrfnp(MKL_LAYOUT layout, MKL_INT gap)
{
    static number f[NM][K * K];
    MKL_INT info = 7;
    made(1);
    for (int p = 0; p < NM; p++) {
        for (int i = 0; i < K * N; i++)
            f[p][i] = a[p][i] += i % N == i / N ? 6 + p : 0;
        for (int k = 0; k < N; k++)
            for (int i = k + 1; i < K; i++) {
                f[p][i * N + k] /= f[p][k * N + k];
                for (int j = k + 1; j < N; j++)
                    f[p][i * N + j] -= f[p][i * N + k] * f[p][k * N + j];
            }
    }
    double *ap = d_packed(layout, K, N, a, gap);
    mkl_dgetrfnp_compact(layout, K, N, ap, (layout == MKL_ROW_MAJOR ? N : K) + gap, &info, format, NM);
    d_unpacked(layout, K, N, a, gap, ap);
    printed("dgetrfnp", layout, a, f, K * N);
    if (info)
        printf("wrong: info is %d\n", info);
}

/* (L U)^-1, both n x n in A, with a large diagonal in U */
static void zgetrinp(MKL_LAYOUT layout, MKL_INT gap)
{
    static number x[NM][K * K];
    MKL_INT info = 7;
    double room[1];
    made(2);
    for (int p = 0; p < NM; p++)
        for (int j = 0; j < N; j++) {
            a[p][j * N + j] += 6 + p;
            for (int i = 0; i < N; i++) {
                x[p][i * N + j] = i == j;
                for (int k = 0; k < i; k++)
                    x[p][i * N + j] -= a[p][i * N + k] * x[p][k * N + j];
            }
        }
    for (int p = 0; p < NM; p++)
        for (int j = 0; j < N; j++)
            for (int i = N - 1; i >= 0; i--) {
                for (int k = i + 1; k < N; k++)
                    x[p][i * N + j] -= a[p][i * N + k] * x[p][k * N + j];
                x[p][i * N + j] /= a[p][i * N + i];
            }
    double *ap = z_packed(layout, N, N, a, gap);
    mkl_zgetrinp_compact(layout, N, ap, N + gap, room, -1, &info, format, NM);
    double *work = calloc((size_t)room[0], sizeof *work);
    mkl_zgetrinp_compact(layout, N, ap, N + gap, work, (MKL_INT)room[0], &info, format, NM);
    free(work);
    z_unpacked(layout, N, N, a, gap, ap);
    printf("%.0f numbers of workspace: ", room[0]);
    printed("zgetrinp", layout, a, x, N * N);
    if (info)
        printf("wrong: info is %d\n", info);
}

int main(void)
{
    format = mkl_get_format_compact();
    for (int order = MKL_ROW_MAJOR; order <= MKL_COL_MAJOR; order++)
        for (MKL_INT gap = 0; gap <= 2; gap += 2) {
            const MKL_LAYOUT layout = (MKL_LAYOUT)order;
            dgemm(layout, gap);
            cgemm(layout, gap);
            dtrsm(layout, gap);
            spotrf(layout, gap);
            dpotrf(layout, gap);
            zpotrf(layout, gap);
            dgetrfnp(layout, gap);
            zgetrinp(layout, gap);
        }
    return 0;
}
