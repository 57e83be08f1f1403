/* Solve many small systems A x = b, with kernels that `bblas-gen emit` wrote: A = G G' + I, b = A times ones. */
#define _POSIX_C_SOURCE 199309L
#include <bblas_kernels.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 6 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv)
{
    const int64_t batch = argc > 1 ? atoll(argv[1]) : 100000;
    double *g = malloc(batch * N * N * sizeof *g), *a = malloc(batch * N * N * sizeof *a);
    double *b = malloc(batch * N * sizeof *b);
    int32_t *info = malloc(batch * sizeof *info);
    if (batch < 1 || !g || !a || !b || !info)
        return 2;

    for (int64_t i = 0; i < batch * N * N; i++) {
        g[i] = rand() / (double)RAND_MAX;
        a[i] = i % (N * N) % (N + 1) == 0; /* the identity */
    }
    int error = bb_dgemm_nt_st_m6n6k6(1, g, N * N, g, N * N, 1, a, N * N, batch, 0);
    for (int64_t p = 0; p < batch; p++)
        for (int i = 0; i < N; i++) {
            b[p * N + i] = 0;
            for (int j = 0; j < N; j++)
                b[p * N + i] += a[p * N * N + j * N + i];
        }

    const double started = now();
    error = error ? error : bb_dposv_l_st_n6nrhs1(a, N * N, b, N, info, batch, 0);
    const double seconds = now() - started;

    double worst = 0;
    for (int64_t p = 0; p < batch; p++)
        for (int i = 0; i < N; i++)
            worst = fmax(worst, info[p] ? INFINITY : fabs(b[p * N + i] - 1));
    if (error || !(worst < 1e-10)) {
        fprintf(stderr, "c_program: error %d, largest deviation %g\n", error, worst);
        return 1;
    }
    printf("c_program: %.1f million systems of %d unknowns solved per second\n", batch / seconds / 1e6, N);
    free(g), free(a), free(b), free(info);
    return 0;
}
