{# Threads, where there is enough to do. #}
{% from "frame/openmp.c" import openmp with context %}
#ifdef BB_POOL
{% include "frame/pool.c" %}
#endif

/* What there is to work with: threads, and memory; NULL where each takes what it needs. */
typedef struct {
    int threads;
    char *work;
} bb_means;

static BB_INLINE int64_t bb_most(const int64_t x, const int64_t y)
{
    return x > y ? x : y;
}

/* Calls part(arguments, lo, hi, share) for ranges that make up [0, count), cut at multiples of `grain`. */
static BB_NOINLINE void bb_share(void (*part)(const void *, int64_t, int64_t, int64_t), const void *arguments,
                                 const int64_t count, const int64_t grain, const int num_threads,
                                 const double nanoseconds)
{
#if defined(BB_POOL)
    if (bblas_parallel) {
        bblas_parallel(part, arguments, 0, count, grain, num_threads, nanoseconds);
        return;
    }
#elif defined(_OPENMP)
{% call openmp("count", "grain", "num_threads", "nanoseconds") %}
part(arguments, lo, hi, hi - lo);
{%- endcall %}

#endif
    (void)grain;
    (void)num_threads;
    (void)nanoseconds;
    part(arguments, 0, count, count);
}

/* Where an order is cut: the largest power of two below it. */
static BB_INLINE int64_t bb_cut(const int64_t order)
{
    return (int64_t)1 << (63 - __builtin_clzll((unsigned long long)(order - 1)));
}

/* Parts of so many right-hand sides: of few of them, or an even number, so that two threads have as many. */
static BB_INLINE int64_t bb_units(const int64_t many)
{
    return many <= {{ schedule.few }} ? many / {{ few.grain }} : many / {{ 2 * grain }} * 2;
}

/* Bands of rows of a triangle. */
static BB_INLINE int64_t bb_bands(const int64_t n)
{
    return (n - 1) / {{ band }} + 1;
}
