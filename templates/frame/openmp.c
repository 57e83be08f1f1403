{# The split of `count` among threads of OpenMP, cut at multiples of `grain`, where there is enough to do: as many as
   are `wanted`, or are worth `nanoseconds` of work. The caller's text does lo to hi - 1, `done` is behind all. `apart`:
   the condition that they share it so, `told` what is told of their number. #}
{% macro openmp(count, grain, wanted, nanoseconds, apart="", told="", done="return;") %}
    const int64_t units = ({{ count }} + {{ grain - 1 if grain is number else grain ~ " - 1" }}) / {{ grain }};
    int64_t threads = {{ wanted }};
    if (threads == 0) { /* the caller leaves it to us: as many as OpenMP has, none below the break-even size */
        threads = omp_get_max_threads();
        const double tasks = {{ nanoseconds }} / {{ task }};
        if ((double)threads > tasks)
            threads = (int64_t)tasks;
    }
    if ({{ apart }}threads > units)
        threads = units;
    if (threads > 1024) /* more than a system may be able to start, which OpenMP does not survive */
        threads = 1024;
{% if told %}
    {{ told }}
{% endif %}
    if ({{ apart }}threads > 1) {
#pragma omp parallel num_threads((int)threads)
        {
            const int64_t t = omp_get_thread_num(), team = omp_get_num_threads();
            const int64_t lo = units * t / team * {{ grain }}, end = units * (t + 1) / team * {{ grain }};
            const int64_t hi = end < {{ count }} ? end : {{ count }};
            {{ caller() }}
        }
        {{ done }}
    }
{%- endmacro %}
