/* {{ peer }}, called on a batch: C := A B + {{ beta }} C, column-major, {{ m }} x {{ n }} x {{ k }}. */
#include <stddef.h>
#include <stdint.h>
#ifdef _OPENMP
#include <omp.h>
#endif

typedef {{ real }} bb_real;
enum { M = {{ m }}, N = {{ n }}, K = {{ k }} };
/* Reals from one matrix of a batch to the next. */
enum { STEP_A = M * K * {{ parts }}, STEP_B = K * N * {{ parts }}, STEP_C = M * N * {{ parts }} };
#define ARGUMENTS const bb_real *A, const bb_real *B, bb_real *C, char *work, int64_t batch, int threads
#define EACH_MATRIX                                                                                                    \
    _Pragma("omp parallel for schedule(static) num_threads(threads) if(threads > 1)") for (int64_t p = 0; p < batch; p++)
