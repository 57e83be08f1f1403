{# The Batched BLAS standard: a group at fault is reported and left out, the others are done. #}
enum { REPORT_ALL, REPORT_GROUP, REPORT_ANY, REPORT_NONE };

static void standard(const groups *g, int *info)
{
    const int mode = info[0], *const sizes = g->group_sizes;
    if (mode < REPORT_ALL || mode > REPORT_NONE) {
        info[0] = -3;
        return;
    }
    int first = g->group_count < 0 ? -1 : 0, *next = info + 1;
    for (int64_t i = 0; i < g->group_count; i++)
        if (sizes[i] < 0)
            first = -2;
    for (int64_t i = 0; !(first < 0) && i < g->group_count; i++) {
        problem p;
        const int fault = sizes[i] ? problem_of_group(g, i, &p) : 0; /* nothing of an empty group counts */
        first = first ? first : fault;
        const int told = mode == REPORT_ALL ? sizes[i] : mode == REPORT_GROUP;
        for (int j = 0; j < told; j++)
            *next++ = fault;
    }
    int fault;
    if (!(first < 0) && all_groups(g, 1, 0, &fault))
        first = -4;
    if (mode != REPORT_NONE)
        info[0] = first;
}
{% for f in standard %}

EXPORT void {{ f.symbol }}({{ f.parameters }})
{
    const groups g = { {{ f.fields | join(", ") }} };
    standard(&g, info);
}
{% endfor %}
