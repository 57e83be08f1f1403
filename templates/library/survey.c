{# A look at all groups before anything is done. #}
/* How many groups from i on are alike: each list is compared with itself, one element on. */
static int64_t alike_from(const groups *g, int64_t i)
{
    const size_t number = g->narrow ? sizeof(int) : sizeof(int64_t);
    const struct {
        const void *list;
        size_t bytes;
    } lists[] = {
{% for name in text.numbers %}
        { g->{{ name }}, number },
{% endfor %}
{% for flag in text.flags %}
        { g->{{ flag.name }}, sizeof(int) },
{% endfor %}
{% for scalar, parts in text.scalars %}
        { g->{{ scalar }}, {{ parts }} * sizeof({{ text.real }}) },
{% endfor %}
    };
    int64_t end = i + 1;
    if (end == g->group_count || !alike(g, i, end))
        return 1;
    for (int64_t step = 8; step && end < g->group_count;) {
        const int64_t some = end + step <= g->group_count ? step : g->group_count - end;
        int same = 1;
        for (size_t x = 0; same && x < sizeof lists / sizeof *lists; x++) {
            const char *last = (const char *)lists[x].list + (size_t)(end - 1) * lists[x].bytes;
            same = !memcmp(last, last + lists[x].bytes, (size_t)some * lists[x].bytes);
        }
        end += same ? some : 0;
        step = !same ? step / 2 : step < 256 ? step * 2 : step;
    }
    return end - i;
}

/* All matrices, what they cost about, and the first fault that `understood` finds; NULL where there is no memory. */
typedef struct {
    int64_t matrices;
    double nanoseconds;
    int fault;
    table *kinds;
} survey;

/* Look at all groups. Where one is at fault kinds is NULL, unless these are to be left out. */
static survey surveyed(const groups *g, int leave_out)
{
    survey s = { 0, 0, 0, malloc(sizeof *s.kinds + (size_t)g->group_count * sizeof *s.kinds->of) };
    if (s.kinds) {
        s.kinds->count = 0;
        memset(s.kinds->slots, 0, sizeof s.kinds->slots);
    }
    for (int64_t i = 0, next; i < g->group_count; i = next) {
        int fault = 0;
        problem p;
        const int kind = s.kinds ? kind_of_group(s.kinds, g, i, &fault) : NO_ROOM;
        if (!s.kinds)
            fault = problem_of_group(g, i, &p);
        next = i + alike_from(g, i);
        int64_t matrices = 0;
        for (int64_t j = i; j < next; j++) {
            matrices += size_of_group(g, j);
            if (s.kinds)
                s.kinds->of[j] = (uint16_t)kind;
        }
        s.matrices += matrices;
        s.nanoseconds += kind < KINDS ? (double)matrices * s.kinds->kind[kind].nanoseconds : 0;
        s.fault = s.fault ? s.fault : fault;
    }
    if (s.fault && !leave_out) {
        free(s.kinds);
        s.kinds = NULL;
    }
    return s;
}
