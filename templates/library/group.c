{# Groups of matrices: what the matrices of one have in common comes in arrays, an element for each group. #}
/* What a call has for each group. Numbers are int64_t, or int where `narrow`; flags are int, or char where they are
 * `letters`. No sizes of groups: each is of one. */
typedef struct {
    int layout, narrow, letters;
    int64_t group_count;
    const void *group_sizes;
{% for flag in text.flags %}
    const void *{{ flag.name }};
{% endfor %}
    const void *{{ row.sizes | join(", *") }}, *{{ text.lds | join(", *") }};
{% for scalar, parts in text.scalars %}
    const {{ text.real }} *{{ scalar }};
{% endfor %}
{% for p in group.operands %}
    {{ p.text }};
{% endfor %}
    char *work, *memory; /* for kernels, and to sort groups in; NULL where the caller has none */
} groups;

static inline int64_t number_at(const groups *g, const void *numbers, int64_t i)
{
    return g->narrow ? ((const int *)numbers)[i] : ((const int64_t *)numbers)[i];
}

{% if text.flags %}
/* The number of flag i; letters are those of numbers from `first` on. */
static inline int meant(const groups *g, const void *flags, int64_t i, int first, const char *letters)
{
    return g->letters ? number_of(((const char *)flags)[i], first, letters) : ((const int *)flags)[i];
}

{% endif %}
/* The problem of group i; returns what `understood` returns. */
static int problem_of_group(const groups *g, int64_t i, problem *p)
{
    const int fault = understood(p, {{ group.understood | join(", ") }});
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

static inline int64_t size_of_group(const groups *g, int64_t i)
{
    return g->group_sizes ? number_at(g, g->group_sizes, i) : 1;
}
