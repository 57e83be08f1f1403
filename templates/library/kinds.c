{# The problems of a call, each once: a kind. What groups have is mixed to a number, and looked up. #}
enum { KINDS = 4096, SLOTS = 2 * KINDS, NO_ROOM = 0xffff, AT_FAULT = 0xfffe, FEW = 256, LISTS = {{ group.lists | length }}, BLOCK = 128 };
#define ODD(x) ({{ text.constants.multiplier }}U * (2 * (uint64_t)(x) + 1)) /* another one for each list */

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

typedef struct {
    int count;
    int slots[SLOTS]; /* 1 + the kind that is here */
    kind kind[KINDS];
    uint16_t of[]; /* of each group its kind */
} table;

/* Some groups, one after the other: what each list has for them, which lists vary, and all mixed. Blocks in which the
 * same lists have the same number for all have one `setting`, so kinds that were met in it agree in those. */
typedef struct {
    int varying, varies[LISTS];
    int64_t setting;
    unsigned char again[LISTS]; /* whether an earlier list is the same one: then its numbers count as 0 */
    uint64_t numbers[LISTS][BLOCK], sums[BLOCK];
} block;

/* What is known of all groups before the first block. */
static void before_blocks(block *b, const groups *g)
{
    const void *const lists[LISTS] = { {% for list, _, _ in group.lists %}{{ list }}, {% endfor %} };
    b->setting = b->varying = 0;
    for (int x = 0; x < LISTS; x++) {
        b->again[x] = 0;
        for (int y = 0; y < x; y++)
            b->again[x] |= lists[x] == lists[y];
        if (b->again[x])
            memset(b->numbers[x], 0, sizeof b->numbers[x]);
    }
}

/* The numbers of `count` groups from `begin` on, `stride` bytes apart. Returns whether they vary. */
{% for bits in (32, 64) %}
static inline int fetched_{{ bits }}(uint64_t *to, const void *list, size_t stride, int64_t begin, int count)
{
    const char *from = (const char *)list + (size_t)begin * stride;
    uint{{ bits }}_t first, x, other = 0;
    memcpy(&first, from, sizeof first);
    for (int j = 0; j < count; j++) {
        memcpy(&x, from + (size_t)j * stride, sizeof x);
        to[j] = x;
        other |= x ^ first;
    }
    return other != 0;
}

{% endfor %}
/* Go on to the groups from `begin` on. */
static void next_block(block *b, const groups *g, int64_t begin, int count)
{
    int before = b->varying, same = begin > 0, vary[LISTS] = { 0 };
    uint64_t sum = 0, settled[LISTS]; /* of products with odd numbers, which wait for one another not */
    for (int x = 0; x < LISTS; x++)
        settled[x] = b->numbers[x][0];
{% for list, bytes, stride in group.lists %}
    if (!b->again[{{ loop.index0 }}])
{% if bytes %}
        vary[{{ loop.index0 }}] = fetched_{{ 8 * bytes }}(b->numbers[{{ loop.index0 }}], {{ list }}, {{ stride }}, begin, count);
{% else %}
        vary[{{ loop.index0 }}] = g->narrow ? fetched_32(b->numbers[{{ loop.index0 }}], {{ list }}, 4, begin, count) :
                           fetched_64(b->numbers[{{ loop.index0 }}], {{ list }}, 8, begin, count);
{% endif %}
{% endfor %}
    b->varying = 0;
    for (int x = 0; x < LISTS; x++) {
        if (vary[x]) {
            same &= b->varying < before && b->varies[b->varying] == x;
            b->varies[b->varying++] = x;
        } else {
            same &= settled[x] == b->numbers[x][0];
            sum += b->numbers[x][0] * ODD(x);
        }
    }
    b->setting += !same || b->varying != before;
    const int some = b->varying ? count : 1;
    for (int j = 0; j < some; j++)
        b->sums[j] = sum;
    for (int v = 0; v < b->varying; v++)
        for (int j = 0; j < count; j++)
            b->sums[j] += b->numbers[b->varies[v]][j] * ODD(b->varies[v]);
    for (int j = 0; j < some; j++)
        b->sums[j] = (b->sums[j] ^ b->sums[j] >> 32) * {{ text.constants.multiplier }}U >> 40;
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
    const int64_t slot = {{ "-1" if group.call.layout in aparts else "slot_of(p, " ~ group.call.number ~ ")" }}, from = 0;
    call->part = NULL;
    if (slot >= 0 && one_by_one[{{ prefix }}level][slot]) {
        {{ prefix }}keep(call);
        run_pp(p, {{ group.from_here | join(", ") }}, 1, 2);
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

/* The kind of group i, which is group j of a block; a new one where there is none. `fault` is what `understood` finds. */
static inline int kind_of_group(table *t, const groups *g, int64_t i, const block *b, int j, int *fault)
{
    for (uint64_t at = b->sums[j];; at++) {
        int *slot = &t->slots[at % SLOTS];
        if (*slot && is_of(&t->kind[*slot - 1], b, j))
            return *slot - 1;
        if (*slot)
            continue;
        if (t->count == KINDS)
            return (*fault = problem_of_group(g, i, &(problem){0})) ? AT_FAULT : NO_ROOM;
        if ((*fault = new_kind(t, g, i, b, j)))
            return AT_FAULT;
        *slot = t->count;
        return t->count - 1;
    }
}
