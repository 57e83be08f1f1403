{# Groups, and batches in which each matrix is a group of its own. #}
{% for entry in own_groups %}
EXPORT {{ entry.declaration[:-1] }}
{
    if ({{ entry.count }} < 0)
        return -{{ entry.position(entry.count) }};
{% if entry.sizes %}
    for (int64_t i = 0; i < group_count; i++)
        if (group_sizes[i] < 0)
            return -{{ entry.position("group_sizes") }};
{% endif %}
{% if not entry.work %}
    if (num_threads < 0)
        return -{{ entry.position("num_threads") }};
{% endif %}
    groups g = { {{ entry.fields | join(", ") }}, NULL, NULL };
    static const unsigned char at[] = { {{ entry.positions | join(", ") }} };
    int fault;
{% if entry.work %}
    const int64_t of_kernels = needed_by_groups(&g, &fault), sorting = bytes_to_sort(&g);
    if (fault)
        return -at[fault];
    const int64_t needed = unaligned(rounded(of_kernels) + sorting);
{% set place = entry.arguments | length %}
{% include "library/given.c" %}
    char none; /* nothing takes other memory */
    g.work = of_kernels ? aligned(work) : &none;
    g.memory = sorting ? aligned(work) + rounded(of_kernels) : NULL;
{% endif %}
    const int status = all_groups(&g, 0, {{ "1" if entry.work else "num_threads" }}, &fault);
    return fault ? -at[fault] : status;
}

{% endfor %}
