{# Groups of matrices that have a problem in common, in one call. Large groups go to their kernel as they are. The
   matrices of small ones are collected, up to a window of them, sorted by problem, and each problem is one call. #}
enum { WINDOW = 1024, SLOTS = 4 * WINDOW, LARGE = 64 };

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

typedef struct {
    int bins, matrices;
    problem problem_of[WINDOW];
    int size_of[WINDOW]; /* of a bin; then where its matrices end */
    int bin_of[WINDOW];  /* of a matrix */
    int slots[SLOTS];    /* 1 + the bin that is here */
{% for name, pointer, _ in group.pointers %}
    {{ pointer }}{{ name }}[WINDOW], {{ pointer[-1:] }}{{ name }}_sorted[WINDOW];
{% endfor %}
{% if row.info %}
    int64_t place[WINDOW];
    int32_t info[WINDOW], report[WINDOW];
{% endif %}
} window;

static inline int64_t number_at(const groups *g, const void *numbers, int64_t i)
{
    return g->narrow ? ((const int *)numbers)[i] : ((const int64_t *)numbers)[i];
}

static inline int64_t size_of_group(const groups *g, int64_t i)
{
    return g->group_sizes ? number_at(g, g->group_sizes, i) : 1;
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

/* The bin of a problem in a window, a new one where it has none; -1 where there is no room. */
static int bin_of_problem(window *w, const problem *p)
{
    uint64_t words[sizeof *p / 8 + 1] = { 0 }, mixed = 0;
    memcpy(words, p, sizeof *p);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        mixed = ((mixed << 7 | mixed >> 57) ^ words[i]) * {{ text.constants.multiplier }}U;
    for (uint64_t at = mixed >> 32;; at++) {
        int *slot = &w->slots[at % SLOTS];
        if (*slot && !memcmp(&w->problem_of[*slot - 1], p, sizeof *p))
            return *slot - 1;
        if (*slot)
            continue;
        if (w->bins == WINDOW)
            return -1;
        w->problem_of[w->bins] = *p;
        w->size_of[w->bins] = 0;
        *slot = ++w->bins;
        return w->bins - 1;
    }
}
