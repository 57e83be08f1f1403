{# Groups, and batches in which each matrix is a group of its own. #}
{% for entry in own_groups %}
EXPORT int {{ entry.symbol }}({{ entry.parameters }})
{
    if ({{ entry.count }} < 0)
        return -{{ entry.position(entry.count) }};
{% if entry.sizes %}
    for (int64_t i = 0; i < group_count; i++)
        if (group_sizes[i] < 0)
            return -{{ entry.position("group_sizes") }};
{% endif %}
    if (num_threads < 0)
        return -{{ entry.position("num_threads") }};
    const groups g = { layout, 0, {{ entry.count }}, {{ "group_sizes" if entry.sizes else "NULL" }}, {{ entry.fields | join(", ") }} };
    static const unsigned char at[] = { {{ entry.positions | join(", ") }} };
    for (int64_t i = 0; i < g.group_count; i++) {
        problem p;
        const int fault = problem_of_group(&g, i, &p);
        if (fault)
            return -at[fault];
    }
    return run_groups(&g, num_threads);
}

{% endfor %}
