{# Threads, where there is enough to do. #}
#ifdef BB_POOL
/* The thread pool of a process that has one. */
void bblas_parallel(void (*part)(const void *arguments, int64_t lo, int64_t hi, int64_t share), const void *arguments,
                    size_t size, int64_t count, int64_t grain, int threads, double nanoseconds) __attribute__((weak));
#endif

/* Calls part(arguments, lo, hi, share) for ranges that make up [0, count), cut at multiples of `grain`. */
static BB_NOINLINE void bb_share(void (*part)(const void *, int64_t, int64_t, int64_t), const void *arguments,
                                 const int64_t count, const int64_t grain, const int threads, const double nanoseconds)
{
#if defined(BB_POOL)
    if (bblas_parallel) {
        bblas_parallel(part, arguments, 0, count, grain, threads, nanoseconds);
        return;
    }
#elif defined(_OPENMP)
    const int64_t units = (count + grain - 1) / grain;
    const double tasks = nanoseconds / {{ task }};
    int64_t most = threads;
    if (threads == 0 && (most = omp_get_max_threads()) > tasks)
        most = (int64_t)tasks;
    most = most < units ? most : units;
    most = most < 1024 ? most : 1024; /* more than a system may be able to start, which OpenMP does not survive */
    if (most > 1) {
#pragma omp parallel num_threads((int)most)
        {
            const int64_t t = omp_get_thread_num(), team = omp_get_num_threads();
            const int64_t lo = units * t / team * grain, end = units * (t + 1) / team * grain;
            part(arguments, lo, end < count ? end : count, count / team);
        }
        return;
    }
#endif
    (void)grain;
    (void)threads;
    (void)nanoseconds;
    part(arguments, 0, count, count);
}

/* Where an order is cut: the largest power of two below it. */
static BB_INLINE int64_t bb_cut(const int64_t order)
{
    return (int64_t)1 << (63 - __builtin_clzll((unsigned long long)(order - 1)));
}
