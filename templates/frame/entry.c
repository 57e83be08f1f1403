{# The C entry point: checks, the kind of each scalar, the split of the batch among threads. #}
static void bb_part(const bb_args *shared, const int64_t lo, const int64_t hi{{ ", const int64_t share" if distant }})
{
    const bb_args own = *shared, *const g = &own; /* in registers: stores of reals cannot change it */
{% if partial %}
    const int64_t end = lo + (hi - lo) / {{ width }} * {{ width }};
{% else %}
    const int64_t end = hi;
{% endif %}
{% if distant and not by_distance %}
    const int far = share * {{ bytes }} > {{ far }}; /* from beyond a level-2 cache */
{% endif %}
{% if by_distance %}
    const int64_t bytes = share * {{ bytes }};
    const int far = bytes > {{ far }}; /* from beyond a level-2 cache */
{% if streams %}
    const int nontemporal = bytes > {{ schedule.nontemporal_bytes }} && (uintptr_t)g->{{ operands[-1].name }} % {{ compute.bytes * width }} == 0;
{% endif %}
{% endif %}
{% for case in kinds %}
    {{ case.condition }} {
{% set streamed, distant_too = case.overwrites and streams, by_distance and case.multiplies %}
{% if streamed %}
        if (nontemporal) {
            bb_range({{ case.constants }}BB_PAST, g, lo, end);
            BB_STREAMED;
        }
{% endif %}
{% if distant_too %}
        {{ "else " if streamed }}if (far)
            bb_range({{ case.constants }}BB_FAR, g, lo, end);
{% endif %}
        {{ "else" if streamed or distant_too }}
        bb_range({{ case.constants }}{{ "BB_NEAR, " if by_distance else "far, " if distant }}g, lo, end);
    }
{% endfor %}
{% if partial %}
    if (end < hi)
        bb_last({% for name in scalars %}shared->{{ name }}_is, {% endfor %}shared, end, hi);
{% endif %}
}

{% if unknown %}
#if defined(BB_POOL) || defined(_OPENMP)
/* Nanoseconds that one matrix takes, about: at 32 operations and 16 bytes in each. */
static double bb_cost(double {{ unknown | join(", double ") }})
{
    return ({{ flops }}) / 32 + ({{ bytes }}) / 16 + 1;
}
#endif

{% endif %}
{% set nanoseconds = "bb_cost(" ~ unknown | join(", ") ~ ")" if unknown else "%.3g" | format(task / schedule.min_batch_per_thread) %}
#ifdef BB_POOL
/* The thread pool of a process that has one. */
void bblas_parallel(void (*part)(const void *arguments, int64_t lo, int64_t hi, int64_t share), const void *arguments,
                    int64_t count, int64_t grain, int threads, double nanoseconds) __attribute__((weak));

static void bb_share(const void *g, int64_t lo, int64_t hi, int64_t share)
{
    bb_part(g, lo, hi{{ ", share" if distant }});
{% if not distant %}
    (void)share;
{% endif %}
}
#endif

int {{ symbol }}({{ parameters }})
{
{% for bad, position in checks %}
    if ({{ bad }})
        return -{{ position }};
{% endfor %}
    if (batch_count == 0{{ " || " ~ nothing if nothing }})
        return 0;
    const bb_args g = { {{ initializers }} };
#if defined(BB_POOL)
    if (bblas_parallel && num_threads != 1 && batch_count > {{ schedule.grain }}) {
        bblas_parallel(bb_share, &g, batch_count, {{ schedule.grain }}, num_threads, (double)batch_count * {{ nanoseconds }});
        return 0;
    }
#elif defined(_OPENMP)
    const int64_t units = (batch_count + {{ schedule.grain - 1 }}) / {{ schedule.grain }};
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
            const int64_t lo = units * t / team * {{ schedule.grain }}, end = units * (t + 1) / team * {{ schedule.grain }};
            const int64_t hi = end < batch_count ? end : batch_count;
            bb_part(&g, lo, hi{{ ", hi - lo" if distant }});
        }
        return 0;
    }
#endif
    bb_part(&g, 0, batch_count{{ ", batch_count" if distant }});
    return 0;
}
