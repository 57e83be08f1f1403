{# The split of a batch, `count` of units, among threads: of a pool, or of OpenMP. #}
#if defined(BB_POOL)
    if (bblas_parallel && num_threads != 1) {
        bblas_parallel(bb_share, &g, {{ 0 if scratch.heap else "sizeof g" }}, {{ count }}, {{ grain }}, num_threads,
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
