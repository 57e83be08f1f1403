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
    const groups g = { {{ entry.fields | join(", ") }} };
    static const unsigned char at[] = { {{ entry.positions | join(", ") }} };
    int fault;
    const int status = all_groups(&g, 0, num_threads, &fault);
    return fault ? -at[fault] : status;
}

{% endfor %}
