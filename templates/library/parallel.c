{# What kernels of a library share their batch out with: OpenMP. #}
{% from "frame/openmp.c" import openmp with context %}
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
   `num_threads` threads, of which each does about `share`. 0 threads: as many as pay for work of so many nanoseconds.
   `size`: the bytes of the arguments, 0 where these hold no longer than the call. */
HIDDEN void {{ prefix }}parallel(void (*part)(const void *arguments, int64_t lo, int64_t hi, int64_t share),
                                 const void *arguments, size_t size, int64_t count, int64_t grain,
                                 int num_threads, double nanoseconds)
{
    if (keeping) {
        if (size && size <= sizeof keeping->arguments) {
            memcpy(keeping->arguments, arguments, size);
            keeping->part = part;
        }
        return;
    }
#ifdef _OPENMP
{% call openmp("count", "grain", "num_threads", "nanoseconds") %}
part(arguments, lo, hi, hi - lo);
{%- endcall %}

#else
    (void)grain, (void)num_threads, (void)nanoseconds;
#endif
    part(arguments, 0, count, count);
}
