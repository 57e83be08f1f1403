{# The split of a batch among threads, of a pool or of OpenMP; they may share each of few or large matrices. #}
{% from "frame/openmp.c" import openmp with context %}
{% set grain = "grain" if sliced or pieces else schedule.grain %}
{% set count = "count" if units or sliced or pieces else "batch_count" %}
{% set size = 0 if scratch.heap or units else "slices > 1 ? 0 : sizeof g" if sliced or pieces else "sizeof g" %}
{% set apart, told = ("!alone && ", "g.team = alone ? (int)threads : 1;") if shared else ("", "") %}
{% set done %}
{% if scratch.heap %}
        if (!given)
            free(work);
{% elif divided %}
        free(part);
{% endif %}
        return 0;
{%- endset %}
#if defined(BB_POOL)
{% if sliced or pieces %}
    const int64_t grain = slices > 1 ? {{ pieces.grain if pieces else 1 }} : {{ schedule.grain }};
{% endif %}
{% if shared %}
    const int alone = batch_count == 1 || {{ nanoseconds }} > {{ shared }};
    g.team = alone ? num_threads : 1;
{% endif %}
    if (bblas_parallel && num_threads != 1{{ ' && !alone' if shared }}) {
        bblas_parallel(bb_share, &g, {{ size }}, {{ count }}, {{ grain }}, num_threads,
                       (double)batch_count * {{ nanoseconds }});
        {{ done }}
    }
#elif defined(_OPENMP)
{% if sliced or pieces %}
    const int64_t grain = slices > 1 ? {{ pieces.grain if pieces else 1 }} : {{ schedule.grain }};
{% endif %}
{% if shared %}
    const int alone = batch_count == 1 || {{ nanoseconds }} > {{ shared }};
{% endif %}
{% call openmp(count, grain, "num_threads", "(double)batch_count * " ~ nanoseconds, apart, told, done) %}
bb_part(&g, lo, hi{{ ", hi - lo" if distant }});
{%- endcall %}

#endif
