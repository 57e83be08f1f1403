{# What kernels of a library share their batch out with: OpenMP. #}
#ifdef _OPENMP
#include <omp.h>
#endif

#define HIDDEN __attribute__((visibility("hidden")))
{% include "library/call.c" %}

static _Thread_local kept_call *keeping;

HIDDEN void {{ prefix }}keep(kept_call *call)
{
    keeping = call;
    if (call)
        call->part = NULL;
}

/* Calls part(arguments, lo, hi, share) for ranges that make up [0, count), cut at multiples of `grain`, on at most
   `threads` threads, of which each does about `share`. 0 threads: as many as pay for work of so many nanoseconds.
   `size`: the bytes of the arguments, 0 where these hold no longer than the call. */
HIDDEN void {{ prefix }}parallel(void (*part)(const void *arguments, int64_t lo, int64_t hi, int64_t share),
                                 const void *arguments, size_t size, int64_t count, int64_t grain, int threads,
                                 double nanoseconds)
{
    if (keeping) {
        if (size && size <= sizeof keeping->arguments) {
            memcpy(keeping->arguments, arguments, size);
            keeping->part = part;
        }
        return;
    }
#ifdef _OPENMP
    const int64_t units = (count + grain - 1) / grain;
    int64_t team = threads ? threads : omp_get_max_threads();
    if (!threads && (double)team > nanoseconds / {{ task }})
        team = (int64_t)(nanoseconds / {{ task }});
    team = team > units ? units : team;
    team = team > 1024 ? 1024 : team; /* more than a system may be able to start, which OpenMP does not survive */
    if (team > 1) {
#pragma omp parallel num_threads((int)team)
        {
            const int64_t t = omp_get_thread_num(), all = omp_get_num_threads();
            const int64_t lo = units * t / all * grain, end = units * (t + 1) / all * grain;
            const int64_t hi = end < count ? end : count;
            part(arguments, lo, hi, hi - lo);
        }
        return;
    }
#else
    (void)grain, (void)threads, (void)nanoseconds;
#endif
    part(arguments, 0, count, count);
}
