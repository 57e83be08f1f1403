/* What becomes of matrices that failed.
 * SPDX-License-Identifier: 0BSD
 */
{% include "target/cuda/includes.c" %}

/* NaN where matrices that failed would have been written: parts L = 1, D = 2 and U = 4 of them. Strides are in reals of
   `words` of 32 bits. Matrix p is lane p % lanes of block p / lanes, or where a table says: of `entry` numbers for
   each, the address, and where these are 6 also rows, columns, strides, parts. Of a triangle, 1 lower and 2 upper,
   columns are stored one after another. A thread does a column. */
extern "C" __global__ void __launch_bounds__({{ threads }})
    bb_fill_nan(uint32_t *at, const int64_t *table, int64_t entry, int64_t rows, int64_t cols, int64_t rs, int64_t cs,
                int64_t parts, int64_t block, int64_t lanes, int64_t imaginary, int64_t words, int64_t triangle,
                const int32_t *info, int64_t batch_count)
{
    const int64_t t = (int64_t)blockIdx.x * {{ threads }} + threadIdx.x, p = t % batch_count, j = t / batch_count;
    if (j >= cols || !info[p])
        return;
    if (table) {
        const int64_t *own = table + p * entry;
        at = (uint32_t *)own[0];
        __builtin_assume(__isGlobal(at)); /* so stores need not find out which memory it is of */
        if (entry == 6)
            rows = own[1], cols = own[2], rs = own[3], cs = own[4], parts = own[5];
    } else {
        at += (p / lanes * block + p % lanes) * words;
    }
    if (j >= cols)
        return;
    for (int64_t i = triangle == 1 ? j : 0; i < (triangle == 2 ? j + 1 : rows); i++) {
        if (!(parts & (i > j ? 1 : i == j ? 2 : 4)))
            continue;
        const int64_t before = triangle == 1 ? j * rows - j * (j + 1) / 2 : j * (j + 1) / 2;
        uint32_t *const to = at + (triangle ? (before + i) * rs : i * rs + j * cs) * words;
        to[0] = words == 1 ? 0x7fc00000u : 0;
        if (words == 2)
            to[1] = 0x7ff80000u;
        for (int64_t word = 0; imaginary && word < words; word++)
            to[imaginary * words + word] = 0;
    }
}
