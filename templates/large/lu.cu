/* LU of columns of a large matrix by a block of threads, and exchanges of rows, where only run time knows sizes.
 * SPDX-License-Identifier: 0BSD
 */
{% include "target/cuda/includes.c" %}
typedef {{ real }} bb_real;
typedef struct {
    bb_real re{{ ", im" if complex }};
} bb_elem;

/* A := L U with row exchanges, m x n; pivots count from `first`, the row of the whole matrix where A begins. The first
   zero pivot is reported. */
extern "C" __global__ void __launch_bounds__({{ threads }})
    bb_{{ letter }}panel(bb_elem *A, int64_t rs, int64_t cs, int64_t stride, int64_t m, int64_t n, int32_t *ipiv,
                int64_t stride_ipiv, int64_t first, int32_t *info, int64_t batch_count)
{
    __shared__ bb_real largest[{{ threads }}];
    __shared__ int64_t where[{{ threads }}];
    const int t = (int)threadIdx.x;
    int32_t found = 0;
    A += (int64_t)blockIdx.x * stride;
    ipiv += (int64_t)blockIdx.x * stride_ipiv;
    for (int64_t j = 0; j < m && j < n; j++) {
        largest[t] = -1; /* of the rows that this thread has just reduced: nobody has to be waited for */
        where[t] = j;
        for (int64_t i = j + t; i < m; i += {{ threads }}) {
            const bb_elem x = A[i * rs + j * cs];
            const bb_real size = (x.re < 0 ? -x.re : x.re){{ " + (x.im < 0 ? -x.im : x.im)" if complex }};
            if (size > largest[t]) {
                largest[t] = size;
                where[t] = i;
            }
        }
        for (int half = {{ threads // 2 }}; half; half /= 2) {
            __syncthreads();
            if (t < half && (largest[t + half] > largest[t] ||
                             (largest[t + half] == largest[t] && where[t + half] < where[t]))) {
                largest[t] = largest[t + half];
                where[t] = where[t + half];
            }
        }
        __syncthreads();
        const int64_t row = where[0];
        const bb_real size = largest[0];
        if (t == 0)
            ipiv[j] = (int32_t)(first + row + 1);
        for (int64_t c = t; row != j && c < n; c += {{ threads }}) {
            const bb_elem x = A[j * rs + c * cs];
            A[j * rs + c * cs] = A[row * rs + c * cs];
            A[row * rs + c * cs] = x;
        }
        __syncthreads();
        found = found || size != 0 ? found : (int32_t)j + 1;
        const bb_elem pivot = A[j * (rs + cs)];
{% if complex %}
        const bb_real scale = size > 0 ? size : 1, re = pivot.re / scale, im = pivot.im / scale;
        const bb_real square = re * re + im * im;
{% endif %}
        for (int64_t i = j + 1 + t; i < m && size != 0; i += {{ threads }}) {
            bb_elem x = A[i * rs + j * cs];
{% if complex %}
            const bb_real real = x.re / scale, imag = x.im / scale;
            x.re = (real * re + imag * im) / square;
            x.im = (imag * re - real * im) / square;
{% else %}
            x.re /= pivot.re;
{% endif %}
            A[i * rs + j * cs] = x;
            for (int64_t c = j + 1; c < n; c++) {
                const bb_elem y = A[j * rs + c * cs];
                bb_elem z = A[i * rs + c * cs];
                z.re -= x.re * y.re;
{% if complex %}
                z.re += x.im * y.im;
                z.im -= x.re * y.im;
                z.im -= x.im * y.re;
{% endif %}
                A[i * rs + c * cs] = z;
            }
        }
    }
    if (t == 0)
        info[blockIdx.x] = found;
}

/* Exchanges elements of each of so many lines, `step` apart, with those that k pivots tell, which count from `first`;
   from the last one on where it goes `back`. What is none of a line's `length` elements is left alone. */
extern "C" __global__ void __launch_bounds__({{ threads }})
    bb_{{ letter }}exchange(bb_elem *A, int64_t step, int64_t next, int64_t stride, int64_t lines, const int32_t *ipiv,
                int64_t stride_ipiv, int64_t k, int64_t first, int64_t length, int64_t back, int64_t count)
{
    const int64_t t = (int64_t)blockIdx.x * {{ threads }} + threadIdx.x;
    if (t >= count)
        return;
    A += t / lines * stride + t % lines * next;
    ipiv += t / lines * stride_ipiv;
    for (int64_t l = 0; l < k; l++) {
        const int64_t i = back ? k - 1 - l : l, other = ipiv[i] - 1 - first;
        const bb_elem x = A[i * step];
        if (other != i && other >= 0 && other < length) {
            A[i * step] = A[other * step];
            A[other * step] = x;
        }
    }
}
