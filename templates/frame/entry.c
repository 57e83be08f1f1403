{# The C entry point: checks, and the split of the batch among threads. #}
{% if unknown %}
#if defined(BB_POOL) || defined(_OPENMP)
/* Nanoseconds that one matrix takes, about: at 32 operations and 16 bytes in each. */
static double bb_cost(double {{ unknown | join(", double ") }})
{
    return ({{ flops }}) / 32 + ({{ bytes }}) / 16 + 1;
}
#endif

{% endif %}
#ifdef BB_POOL
/* The thread pool of a process that has one. */
void bblas_parallel(void (*part)(const void *arguments, int64_t lo, int64_t hi, int64_t share), const void *arguments,
                    size_t size, int64_t count, int64_t grain, int threads, double nanoseconds) __attribute__((weak));

static void bb_share(const void *g, int64_t lo, int64_t hi, int64_t share)
{
    bb_part(g, lo, hi{{ ", share" if distant }});
{% if not distant %}
    (void)share;
{% endif %}
}
#endif

{% set grain = schedule.grain %}
{% set count = "count" if units else "batch_count" %}
{% set size = 0 if scratch.heap or units else "sizeof g" %}
{% if scratch.heap %}
/* `given`: the scratch, where a caller has it, which must then be on one thread. */
static int bb_call({{ parameters }}, char *given)
{% else %}
int {{ symbol }}({{ parameters }})
{% endif %}
{
{% for bad, position in checks %}
    if ({{ bad }})
        return -{{ position }};
{% endfor %}
    if (batch_count == 0{{ " || " ~ nothing if nothing and not info }})
        return 0;
{% if nothing and info %}
    if ({{ nothing }}) {
{% include "frame/zero_info.c" %}
        return 0;
    }
{% endif %}
{% include "frame/argument_block.c" %}
#if defined(BB_POOL)
    if (bblas_parallel && num_threads != 1) {
        bblas_parallel(bb_share, &g, {{ size }}, {{ count }}, {{ grain }}, num_threads,
                       (double)batch_count * {{ nanoseconds }});
{% if scratch.heap %}
        if (!given)
            free(work);
{% endif %}
        return 0;
    }
#elif defined(_OPENMP)
    const int64_t units = ({{ count }} + {{ grain - 1 }}) / {{ grain }};
    int64_t threads = num_threads;
    if (threads == 0) { /* the caller leaves it to us: as many as OpenMP has, none below the break-even size */
        threads = omp_get_max_threads();
        const double tasks = (double)batch_count * {{ nanoseconds }} / {{ task }};
        if ((double)threads > tasks)
            threads = (int64_t)tasks;
    }
    if (threads > units)
        threads = units;
    if (threads > 1024) /* more than a system may be able to start, which OpenMP does not survive */
        threads = 1024;
    if (threads > 1) {
#pragma omp parallel num_threads((int)threads)
        {
            const int64_t t = omp_get_thread_num(), team = omp_get_num_threads();
            const int64_t lo = units * t / team * {{ grain }}, end = units * (t + 1) / team * {{ grain }};
            const int64_t hi = end < {{ count }} ? end : {{ count }};
            bb_part(&g, lo, hi{{ ", hi - lo" if distant }});
        }
{% if scratch.heap %}
        if (!given)
            free(work);
{% endif %}
        return 0;
    }
#endif
    bb_part(&g, 0, {{ count }}{{ ", batch_count" if distant }});
{% if scratch.heap %}
    if (!given)
        free(work);
{% endif %}
    return 0;
}
{% if scratch.heap %}

int {{ symbol }}({{ parameters }})
{
    return bb_call({{ positions | join(", ") }}, NULL);
}

#ifdef BB_WORK
/* On this thread, in a block of `work` aligned to 64 bytes; returns the bytes that this must have where it is NULL. */
int64_t {{ symbol }}_work({{ parameters }}, char *work)
{
    (void)num_threads;
    if (!work)
        return (int64_t){{ scratch.size }};
    return bb_call({{ positions | reject("equalto", "num_threads") | join(", ") }}, 1, work);
}
#endif
{% endif %}
