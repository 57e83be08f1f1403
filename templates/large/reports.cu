/* What lists of launches on large matrices do beside their kernels.
 * SPDX-License-Identifier: 0BSD
 */
{% include "target/cuda/includes.c" %}

/* The first report that is not 0 of the parts of a matrix, each of `order` rows, counted from its first row. */
extern "C" __global__ void __launch_bounds__({{ threads }})
    bb_first_report(const int32_t *reports, int64_t parts, int64_t order, int32_t *info, int64_t batch_count)
{
    const int64_t p = (int64_t)blockIdx.x * {{ threads }} + threadIdx.x;
    if (p >= batch_count)
        return;
    int32_t found = 0;
    for (int64_t i = 0; i < parts && !found; i++)
        if (reports[i * batch_count + p])
            found = (int32_t)(reports[i * batch_count + p] + i * order);
    info[p] = found;
}

/* Copies matrices of `words` of 32 bits an element, strides in elements; where `failed` is not NULL those alone that it
   tells of. */
extern "C" __global__ void __launch_bounds__({{ threads }})
    bb_copy(const uint32_t *from, int64_t rs, int64_t cs, int64_t stride, uint32_t *to, int64_t to_rs, int64_t to_cs,
            int64_t to_stride, int64_t rows, int64_t cols, int64_t words, const int32_t *failed, int64_t count)
{
    const int64_t t = (int64_t)blockIdx.x * {{ threads }} + threadIdx.x;
    if (t >= count)
        return;
    const int64_t word = t % words, i = t / words % rows, j = t / words / rows % cols, p = t / words / rows / cols;
    const int64_t source = p * stride + i * rs + j * cs, target = p * to_stride + i * to_rs + j * to_cs;
    if (!failed || failed[p])
        to[target * words + word] = from[source * words + word];
}
