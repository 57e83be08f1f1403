/* A program of the Batched BLAS standard, in C and in C++: complex numbers in groups and by value. It exits with the
 * number of what went wrong. */
#include "small_standard.h"
#include <math.h>
#include <stdio.h>

#ifdef __cplusplus
#define NUMBER(re, im) small_complex64_t(re, im)
#define RE(x) std::real(x)
#define IM(x) std::imag(x)
#else
#include <complex.h>
#define NUMBER(re, im) CMPLX(re, im)
#define RE(x) creal(x)
#define IM(x) cimag(x)
#endif

enum { ROW_MAJOR = 101, COL_MAJOR = 102, NO_TRANS = 111, UPPER = 121, LOWER = 122, LEFT = 141 };
enum { REPORT_ALL, REPORT_GROUP, REPORT_ANY, REPORT_NONE };

static int is(small_complex64_t x, double re, double im)
{
    return fabs(RE(x) - re) < 1e-12 && fabs(IM(x) - im) < 1e-12;
}

int main(void)
{
    const small_complex64_t i = NUMBER(0, 1), one = NUMBER(1, 0), zero = NUMBER(0, 0);
    small_complex64_t a[2] = { NUMBER(1, 2), NUMBER(3, 1) }, b[2] = { NUMBER(0, 1), NUMBER(2, 2) }, c[2] = { one, zero };
    const small_complex64_t *const as[2] = { &a[0], &a[1] }, *const bs[2] = { &b[0], &b[1] };
    small_complex64_t *cs[2] = { &c[0], &c[1] };

    /* i a a + 1 c */
    int info[3] = { REPORT_ALL, 7, 7 };
    blas_zsyrk_batchf(2, ROW_MAJOR, UPPER, NO_TRANS, 1, 1, i, as, 1, one, cs, 1, info);
    if (info[0] || info[1] || info[2] || !is(c[0], -3, -3) || !is(c[1], -6, 8))
        return 1;

    /* Two groups, the first of which has a leading dimension of 0. */
    const int sizes[2] = { 1, 1 }, uplo[2] = { UPPER, LOWER }, trans[2] = { NO_TRANS, NO_TRANS };
    const int n[2] = { 1, 1 }, ld[2] = { 1, 1 }, ldc[2] = { 0, 1 };
    const small_complex64_t alpha[2] = { one, i }, beta[2] = { zero, zero };
    info[0] = REPORT_GROUP;
    blas_zsyrk_batch(2, sizes, COL_MAJOR, uplo, trans, n, n, alpha, as, ld, beta, cs, ldc, info);
    if (info[0] != 7 || info[1] != 7 || info[2] || !is(c[0], -3, -3) || !is(c[1], -6, 8))
        return 2;

    /* The imaginary part of a Hermitian diagonal counts as 0. */
    info[0] = REPORT_ANY;
    blas_zhemm_batchf(2, COL_MAJOR, LEFT, LOWER, 1, 1, one, as, 1, bs, 1, zero, cs, 1, info);
    if (info[0] || !is(c[0], 0, 1) || !is(c[1], 6, 6))
        return 3;
    puts("done");
    return 0;
}
