{# One call of a peer for each matrix of a variable batch, and calls of a library with one matrix. #}
#include <stddef.h>
#include <stdint.h>
{% if library %}
{% include "bench/peer/" ~ library ~ ".c" %}

void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *, const int *, const double *, const int *, const double *, double *, const int *, size_t, size_t);
void dposv_(const char *, const int *, const int *, double *, const int *, double *, const int *, int *, size_t);

void bb_loop_gemm(const int64_t *sizes, double *const *A, double *const *B, double *const *C, int64_t batch)
{
    const double one = 1, zero = 0;
    use_threads(1);
    for (int64_t i = 0; i < batch; i++) {
        const int n = (int)sizes[i];
        dgemm_("N", "N", &n, &n, &n, &one, A[i], &n, B[i], &n, &zero, C[i], &n, 1, 1);
    }
}

void bb_loop_posv(const int64_t *sizes, double *const *A, double *const *B, int64_t batch)
{
    const int one = 1;
    use_threads(1);
    for (int64_t i = 0; i < batch; i++) {
        const int n = (int)sizes[i];
        int info;
        dposv_("L", &n, &one, A[i], &n, B[i], &n, &info, 1);
    }
}
{% else %}

/* Calls with one matrix of n = 1 to 8, one after the other: of the function, or of the kernels that it would run. */
void bb_calls(int (*function)(int, int, int, int64_t, int64_t, int64_t, double, const double *const *, int64_t, const double *const *, int64_t, double, double *const *, int64_t, int64_t, int), const double *const *A, double *const *C, int64_t calls)
{
    for (int64_t i = 0; i < calls; i++) {
        const int64_t n = 1 + i % 8;
        function(102, 111, 111, n, n, n, 1, A, n, A, n, 0, C, n, 1, 1);
    }
}

void bb_direct(int (*const *kernels)(double, const double *const *, int64_t, const double *const *, int64_t, double, double *const *, int64_t, int64_t, int), const double *const *A, double *const *C, int64_t calls)
{
    for (int64_t i = 0; i < calls; i++) {
        const int64_t n = 1 + i % 8;
        kernels[n - 1](1, A, n, A, n, 0, C, n, 1, 1);
    }
}
{% endif %}
