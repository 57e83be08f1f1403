{# The problems of a call, each once: a kind, looked up by what the lists of a group have, mixed to a number. #}
enum { KINDS = 4096, NO_ROOM = 0xffff, AT_FAULT = 0xfffe, FEW = 256 };

typedef struct {
    problem p;
    uint64_t numbers[LISTS];
    int64_t setting;
    double nanoseconds; /* of a matrix */
    int bytes[{{ group.pointers | length }}]; /* of operands, where they are few: these are prefetched at once */
{% if keeps %}
    kept_call call; /* of all matrices, where a kernel does each by itself; else its part is NULL */
{% endif %}
} kind;

/* `room`: a power of two, the kinds that there may be. */
typedef struct {
    int count, room;
    kind *kind;
    int *slots;   /* 2 * room: 1 + the kind that is here */
    uint16_t *of; /* of each group its kind */
} table;

static int room_for(int64_t groups)
{
    int room = 2;
    while (room < KINDS && room < groups)
        room *= 2;
    return room;
}

static size_t bytes_of_table(int64_t groups)
{
    return (size_t)room_for(groups) * (sizeof(kind) + 2 * sizeof(int)) + (size_t)groups * sizeof(uint16_t);
}

/* A table in `block`, which has the bytes for it. */
static table empty_table(char *block, int64_t groups)
{
    table t = { 0, room_for(groups), (kind *)(void *)block, NULL, NULL };
    t.slots = (int *)(void *)(t.kind + t.room);
    t.of = (uint16_t *)(void *)(t.slots + 2 * t.room);
    memset(t.slots, 0, 2 * (size_t)t.room * sizeof *t.slots);
    return t;
}

/* Whether group j of a block is of a kind. */
static inline int is_of(kind *k, const block *b, int j)
{
    uint64_t other = 0;
    if (k->setting == b->setting) {
        for (int v = 0; v < b->varying; v++)
            other |= b->numbers[b->varies[v]][j] ^ k->numbers[b->varies[v]];
        return !other;
    }
    for (int x = 0; x < LISTS; x++)
        other |= b->numbers[x][j] ^ k->numbers[x];
    if (!other)
        k->setting = b->setting;
    return !other;
}

{% if keeps %}
/* Keep the call of the kernel that does the matrices of a problem one by one, if there is one. */
static void kept(const groups *g, const problem *p, kept_call *call)
{
{% if group.call.layout in aparts %}
    const int64_t from = 0, slot = -1;
{% else %}
    const int64_t from = 0, slot = slot_of(p, {{ group.call.number }});
{% endif %}
    call->part = NULL;
    if (slot >= 0 && one_by_one[{{ prefix }}level][slot] && !kernels[{{ prefix }}level][slot].work) {
        {{ prefix }}keep(call);
        run_pp(p, {{ group.from_here | join(", ") }}, 1, 2, NULL);
        {{ prefix }}keep(NULL);
    }
}

{% endif %}
/* Make the kind of group i, which is group j of a block. Returns what `understood` finds. */
static int new_kind(table *t, const groups *g, int64_t i, const block *b, int j)
{
    kind *found = &t->kind[t->count];
    const int fault = problem_of_group(g, i, &found->p);
    if (fault)
        return fault;
{% for name in row.sizes %}
    const double {{ name }} = (double)found->p.{{ name }};
{% endfor %}
    found->nanoseconds = ({{ group.cost[0] }}) / 32 + ({{ group.cost[1] }}) / 16 + 1;
{% for bytes in group.bytes %}
    found->bytes[{{ loop.index0 }}] = {{ bytes }} <= FEW ? (int)({{ bytes }}) : 0;
{% endfor %}
    found->setting = b->setting;
    for (int x = 0; x < LISTS; x++)
        found->numbers[x] = b->numbers[x][j];
{% if keeps %}
    kept(g, &found->p, &found->call);
{% endif %}
    t->count++;
    return 0;
}

/* The kind of group i, which is group j of a block; a new one where there is none. `fault`: what `understood` finds. */
static inline int kind_of_group(table *t, const groups *g, int64_t i, const block *b, int j, int *fault)
{
    for (uint64_t at = b->sums[j];; at++) {
        int *slot = &t->slots[at & (uint64_t)(2 * t->room - 1)];
        if (*slot && is_of(&t->kind[*slot - 1], b, j))
            return *slot - 1;
        if (*slot)
            continue;
        if (t->count == t->room)
            return (*fault = problem_of_group(g, i, &(problem){0})) ? AT_FAULT : NO_ROOM;
        if ((*fault = new_kind(t, g, i, b, j)))
            return AT_FAULT;
        *slot = t->count;
        return t->count - 1;
    }
}
