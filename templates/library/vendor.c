{# Functions of vendors' libraries: where an argument is at fault nothing is computed, and xerbla's words say so. #}
/* `at`: the positions of what `understood` finds at fault; `count`: that of the number of groups. */
static void vendor(const groups *g, const char *routine, const unsigned char *at, int count)
{
    int fault = g->group_count < 0 ? count : 0;
    for (int64_t i = 0; !fault && i < g->group_count; i++)
        fault = number_at(g, g->group_sizes, i) < 0 ? count + 1 : 0;
    int found = 0;
    if (!fault && all_groups(g, 0, 0, &found))
        without_memory(routine);
    if (fault || found)
        refused(routine, fault ? fault : at[found]);
}
{% for f in batches %}

EXPORT {{ f.declaration[:-1] }}
{
    static const unsigned char at[] = { {{ f.positions | join(", ") }} };
    const groups g = { {{ f.fields | join(", ") }} };
    vendor(&g, "{{ f.routine }}", at, {{ f.count }});
}
{% endfor %}
{% for f in strided %}

EXPORT {{ f.declaration[:-1] }}
{
    const int status = {{ f.own.symbol }}({{ f.arguments }});
    if (status < 0)
        refused("{{ f.routine }}", -status{{ " - 1" if f.more }});
    if (status > 0)
        without_memory("{{ f.routine }}");
}
{% endfor %}
