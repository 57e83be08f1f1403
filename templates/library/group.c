{# Groups of matrices: what the matrices of one have in common comes in arrays, an element for each group. #}
/* What a call has for each group. Numbers are int64_t, or int where `narrow`. No sizes of groups: each is of one. */
typedef struct {
    int layout, narrow;
    int64_t group_count;
    const void *group_sizes;
{% for flag in text.flags %}
    const int *{{ flag.name }};
{% endfor %}
    const void *{{ row.sizes | join(", *") }}, *{{ text.lds | join(", *") }};
{% for scalar, parts in text.scalars %}
    const {{ text.real }} *{{ scalar }};
{% endfor %}
{% for p in group.operands %}
    {{ p.text }};
{% endfor %}
} groups;

static inline int64_t number_at(const groups *g, const void *numbers, int64_t i)
{
    return g->narrow ? ((const int *)numbers)[i] : ((const int64_t *)numbers)[i];
}

/* The problem of group i; returns what `understood` returns. */
static int problem_of_group(const groups *g, int64_t i, problem *p)
{
    const int fault = understood(p, g->layout{% for flag in text.flags %}, g->{{ flag.name }}[i]{% endfor %}{% for name in row.sizes %}, number_at(g, g->{{ name }}, i){% endfor %}{% for ld in text.lds %}, number_at(g, g->{{ ld }}, i){% endfor %});
    if (fault)
        return fault;
{% for scalar, parts in text.scalars %}
{% if parts == 2 %}
    p->{{ scalar }}[0] = g->{{ scalar }}[2 * i];
    p->{{ scalar }}[1] = g->{{ scalar }}[2 * i + 1];
{% else %}
    p->{{ scalar }} = g->{{ scalar }}[i];
{% endif %}
{% endfor %}
    return 0;
}

/* How many groups from i on have the same problem: what they have in common is told from group to group. */
static int64_t alike(const groups *g, int64_t i)
{
    const size_t number = g->narrow ? sizeof(int) : sizeof(int64_t);
    const struct {
        const void *list;
        size_t bytes;
    } lists[] = {
{% for name in row.sizes %}
        { g->{{ name }}, number },
{% endfor %}
{% for ld in text.lds %}
        { g->{{ ld }}, number },
{% endfor %}
{% for flag in text.flags %}
        { g->{{ flag.name }}, sizeof(int) },
{% endfor %}
{% for scalar, parts in text.scalars %}
        { g->{{ scalar }}, {{ parts }} * sizeof({{ text.real }}) },
{% endfor %}
    };
    int64_t end = i + 1;
    for (int64_t step = 1; step && end < g->group_count;) {
        const int64_t some = end + step <= g->group_count ? step : g->group_count - end;
        int same = 1;
        for (size_t x = 0; same && x < sizeof lists / sizeof *lists; x++) { /* each element is the one before it */
            const char *last = (const char *)lists[x].list + (size_t)(end - 1) * lists[x].bytes;
            same = !memcmp(last, last + lists[x].bytes, (size_t)some * lists[x].bytes);
        }
        end += same ? some : 0;
        step = !same ? step / 2 : step < 256 ? step * 2 : step;
    }
    return end - i;
}

/* The matrices of groups from i to end. */
static int64_t matrices_of(const groups *g, int64_t i, int64_t end)
{
    int64_t total = g->group_sizes ? 0 : end - i;
    for (; g->group_sizes && i < end; i++)
        total += number_at(g, g->group_sizes, i);
    return total;
}
