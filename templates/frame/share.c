{# The split of a batch among threads, of a pool or of OpenMP; they may share each of few or large matrices. #}
{% set grain = "grain" if sliced else schedule.grain %}
{% set count = "count" if units or sliced else "batch_count" %}
{% set size = 0 if scratch.heap or units else "slices > 1 ? 0 : sizeof g" if sliced else "sizeof g" %}
#if defined(BB_POOL)
{% if sliced %}
    const int64_t grain = slices > 1 ? 1 : {{ schedule.grain }};
{% endif %}
{% if shared %}
    const int alone = batch_count == 1 || {{ nanoseconds }} > {{ shared }};
    g.team = alone ? num_threads : 1;
{% endif %}
    if (bblas_parallel && num_threads != 1{{ ' && !alone' if shared }}) {
        bblas_parallel(bb_share, &g, {{ size }}, {{ count }}, {{ grain }}, num_threads,
                       (double)batch_count * {{ nanoseconds }});
{% if scratch.heap %}
        if (!given)
            free(work);
{% endif %}
        return 0;
    }
#elif defined(_OPENMP)
{% if sliced %}
    const int64_t grain = slices > 1 ? 1 : {{ schedule.grain }};
{% endif %}
{% if shared %}
    const int alone = batch_count == 1 || {{ nanoseconds }} > {{ shared }};
{% endif %}
    const int64_t units = ({{ count }} + {{ "grain - 1" if sliced else schedule.grain - 1 }}) / {{ grain }};
    int64_t threads = num_threads;
    if (threads == 0) { /* the caller leaves it to us: as many as OpenMP has, none below the break-even size */
        threads = omp_get_max_threads();
        const double tasks = (double)batch_count * {{ nanoseconds }} / {{ task }};
        if ((double)threads > tasks)
            threads = (int64_t)tasks;
    }
    if ({{ '!alone && ' if shared }}threads > units)
        threads = units;
    if (threads > 1024) /* more than a system may be able to start, which OpenMP does not survive */
        threads = 1024;
{% if shared %}
    g.team = alone ? (int)threads : 1;
{% endif %}
    if ({{ '!alone && ' if shared }}threads > 1) {
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
