{# The problems of a call, each once: a kind. What groups have is mixed to a number, and looked up. #}
enum { KINDS = 4096, SLOTS = 2 * KINDS, NO_ROOM = 0xffff, AT_FAULT = 0xfffe };

typedef struct {
    int count;
    int slots[SLOTS]; /* 1 + the kind that is here */
    struct {
        problem p;
        int64_t group; /* the first one of this kind */
        double nanoseconds;
    } kind[KINDS];
    uint16_t of[]; /* of each group its kind */
} table;

static inline uint64_t bits_of(const {{ text.real }} *x)
{
    uint64_t bits = 0;
    memcpy(&bits, x, sizeof *x);
    return bits;
}

/* Whether two groups have the same problem. */
static inline int alike(const groups *g, int64_t i, int64_t j)
{
    return {{ group.alike | join(" && ") }};
}

static inline uint64_t mixed(const groups *g, int64_t i)
{
    uint64_t sum = 0; /* of products with odd numbers, which wait for one another not */
{% for name in text.numbers %}
    sum += (uint64_t)number_at(g, g->{{ name }}, i) * {{ text.odd(loop.index) }}U;
{% endfor %}
{% for flag in text.flags %}
    sum += (uint64_t)g->{{ flag.name }}[i] * {{ text.odd(16 + loop.index) }}U;
{% endfor %}
{% for scalar, parts in text.scalars %}
    sum += bits_of(&g->{{ scalar }}[{{ parts }} * i]) * {{ text.odd(32 + loop.index) }}U;
{% endfor %}
    return (sum ^ sum >> 32) * {{ text.constants.multiplier }}U >> 40;
}

/* The kind of group i, a new one where there is none of its problem. `fault` is what `understood` finds. */
static int kind_of_group(table *t, const groups *g, int64_t i, int *fault)
{
    for (uint64_t at = mixed(g, i);; at++) {
        int *slot = &t->slots[at % SLOTS];
        if (*slot && alike(g, i, t->kind[*slot - 1].group))
            return *slot - 1;
        if (*slot)
            continue;
        problem p;
        if ((*fault = problem_of_group(g, i, &p)))
            return AT_FAULT;
        if (t->count == KINDS)
            return NO_ROOM;
{% for name in row.sizes %}
        const double {{ name }} = (double)p.{{ name }};
{% endfor %}
        t->kind[t->count].p = p;
        t->kind[t->count].group = i;
        t->kind[t->count].nanoseconds = ({{ group.cost[0] }}) / 32 + ({{ group.cost[1] }}) / 16 + 1;
        *slot = ++t->count;
        return t->count - 1;
    }
}
