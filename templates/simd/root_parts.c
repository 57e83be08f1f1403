{# The inverse of a root in parts, by an estimate that is refined. #}
{% macro parts_of_root(estimate) %}

/* 1 / sqrt(x), x positive, normal and finite: `first`, and times `error` and `series` as much again. What it is to be
   multiplied by is multiplied by the first part, and so need not wait for all. */
static BB_INLINE void bb_parts_of_root(bb_vec *first, bb_vec *error, bb_vec *series, const bb_vec *x)
{
    {{ estimate }};
    *error = 1 - (*x * *first) * *first;
{% if compute.bytes == 8 %}
    *series = ((bb_real)0.3125 * *error + (bb_real)0.375) * *error + (bb_real)0.5;
{% else %}
    *series = (bb_real)0.375 * *error + (bb_real)0.5;
{% endif %}
}
#define BB_OVER_ROOT(y, a, first, error, series)                                                                       \
    do {                                                                                                               \
        const bb_vec rough = (a) * (first);                                                                            \
        (y) = rough + (rough * (error)) * (series);                                                                    \
    } while (0)
{% endmacro %}
