/* A program that counts what a library allocates: nothing, in functions that are given memory. It exits with the number
 * of what went wrong. */
#include "small.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* All memory of the process, one block after another; none is used again. */
static _Alignas(64) char memory[32 << 20];
static atomic_size_t end;
static atomic_int allocations;

static void *block(size_t bytes, size_t align)
{
    const size_t slack = align > 64 ? align : 0, begin = atomic_fetch_add(&end, (bytes + slack + 127) / 64 * 64);
    atomic_fetch_add(&allocations, 1);
    if (begin + bytes + slack + 128 > sizeof memory)
        return NULL;
    char *const found = memory + 64 + begin + (slack ? align - (size_t)(memory + 64 + begin) % align : 0);
    memcpy(found - sizeof bytes, &bytes, sizeof bytes);
    return found;
}

void *malloc(size_t bytes)
{
    return block(bytes, 64);
}

void *calloc(size_t count, size_t bytes)
{
    return block(count * bytes, 64);
}

void *aligned_alloc(size_t align, size_t bytes)
{
    return block(bytes, align);
}

int posix_memalign(void **found, size_t align, size_t bytes)
{
    *found = block(bytes, align);
    return *found ? 0 : ENOMEM;
}

void *realloc(void *old, size_t bytes)
{
    void *const found = block(bytes, 64);
    size_t had = 0;
    if (old)
        memcpy(&had, (char *)old - sizeof had, sizeof had);
    if (found && old)
        memcpy(found, old, had < bytes ? had : bytes);
    return found;
}

void free(void *old)
{
    (void)old;
}

enum { GROUPS = 500, BYTES = 2 << 20 };
static double a[9] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 }, b[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, c[GROUPS][9];
static const double *as[GROUPS], *bs[GROUPS];
static double *cs[GROUPS], ones[GROUPS], zeros[GROUPS];
static int plain[GROUPS];
static int64_t sizes[GROUPS], three[GROUPS], one[GROUPS];
static char work[BYTES];

/* How many allocations there are in a call for groups, of which there are so many kinds. */
static int of_groups(int64_t count, int kinds)
{
    for (int64_t i = 0; i < count; i++)
        sizes[i] = 1 + i % kinds;
    const int before = allocations;
    if (small_dgemm_group(SMALL_COL_MAJOR, plain, plain, sizes, sizes, sizes, ones, as, three, bs, three, zeros, cs, three,
                          count, one, 1))
        return -1;
    return allocations - before;
}

/* Products of Hermitian matrices, of three kinds, whose kernel has scratch: it doubles. Returns what the call does. */
static int64_t doubled(char *memory, int64_t bytes, double (*z)[6])
{
    static const double h[18] = { [0] = 2, [8] = 2, [16] = 2 }, x[6] = { 1, 0, 2, 0, 3, 0 };
    static const void *hs[12], *xs[12];
    static void *zs[12];
    static double units[24], nulls[24];
    static int left[12], upper[12];
    for (int i = 0; i < 12; i++) {
        hs[i] = h;
        xs[i] = x;
        zs[i] = z[i];
        units[2 * i] = 1;
        left[i] = SMALL_LEFT;
        upper[i] = SMALL_UPPER;
        sizes[i] = 1 + i % 3;
    }
    return small_zhemm_group_work(SMALL_COL_MAJOR, left, upper, sizes, one, units, hs, three, xs, three, nulls, zs, three, 12,
                                  one, memory, bytes);
}

int main(void)
{
    for (int i = 0; i < GROUPS; i++) {
        as[i] = a;
        bs[i] = b;
        cs[i] = c[i];
        ones[i] = 1;
        one[i] = 1;
        three[i] = 3;
        plain[i] = SMALL_NO_TRANS;
        sizes[i] = 1 + i % 3;
    }
    /* A kernel may have a block of its own; to sort few groups takes none, to sort many takes two. */
    const int each = of_groups(1, 1);
    if (each < 0 || of_groups(2, 2) != 2 * each || of_groups(10, 2) != 2 * each)
        return 1;
    if (of_groups(GROUPS, 3) != 3 * each + 2)
        return 2;
    if (c[4][0] != 1 || c[4][3] != 4 || c[4][4] != 5 || c[5][8] != 9)
        return 3;

    const int before = allocations;
    if (small_dgemm_st_work(SMALL_COL_MAJOR, SMALL_NO_TRANS, SMALL_TRANS, 3, 3, 3, 1, a, 3, 0, b, 3, 0, 0, c[0], 3, 9, 2, work,
                            BYTES) ||
        memcmp(c[1], a, sizeof a))
        return 4;
    memset(c, 0, sizeof c);
    if (small_dgemm_group_work(SMALL_COL_MAJOR, plain, plain, sizes, sizes, sizes, ones, as, three, bs, three, zeros, cs, three,
                               GROUPS, one, work, BYTES) ||
        c[4][4] != 5 || c[5][8] != 9 || c[GROUPS - 1][0] != 1)
        return 5;
    if (small_dgemm_variable_work(SMALL_ROW_MAJOR, plain, plain, sizes, sizes, sizes, ones, as, three, bs, three, zeros, cs,
                                  three, GROUPS, work, BYTES))
        return 6;
    const int one_by_one = SMALL_NO_TRANS;
    if (small_dgemv_st_work(SMALL_COL_MAJOR, one_by_one, 3, 3, 1, a, 3, 0, b, -1, 0, 0, c[0], 2, 9, 1, work, BYTES) ||
        c[0][2] != 8)
        return 7;
    /* Enough for threads, of a kernel that needs no memory itself. */
    static double x[8000], y[8000], z[8000];
    if (small_dgemm_bi_work(one_by_one, one_by_one, 1, 1, 1, 1, x, y, 0, z, 8000, NULL, 0))
        return 8;
    static double found[12][6];
    const int64_t needed = doubled(NULL, -1, found);
    if (needed <= 0 || doubled(work, needed - 1, found) != -17 || doubled(work, needed, found) ||
        found[11][4] != 6 || found[10][2] != 4)
        return 9;
    if (allocations != before)
        return 10;
    puts("done");
    return 0;
}
