{# What groups have in common comes in lists, which are looked at block by block: most do not vary in one. #}
enum { LISTS = {{ group.lists | length }}, GROUPS_OF_BLOCK = 128 };
#define ODD(x) ({{ text.constants.multiplier }}U * (2 * (uint64_t)(x) + 1)) /* another one for each list */

/* Some groups, one after the other: what each list has for them, which lists vary, and all mixed. Blocks in which the
 * same lists have the same number for all have one `setting`, so kinds that were met in it agree in those. */
typedef struct {
    int varying, varies[LISTS];
    int64_t setting;
    unsigned char again[LISTS]; /* whether an earlier list is the same one: then its numbers count as 0 */
    uint64_t numbers[LISTS][GROUPS_OF_BLOCK], sums[GROUPS_OF_BLOCK];
} block;

/* What is known of all groups before the first block. */
static void before_blocks(block *b, const groups *g)
{
    const void *const lists[LISTS] = { {% for list, _, _ in group.lists %}{{ list }}, {% endfor %} };
    b->setting = b->varying = 0;
    for (int x = 0; x < LISTS; x++) {
        b->again[x] = 0;
        b->numbers[x][0] = 0;
        for (int y = 0; y < x; y++)
            b->again[x] |= lists[x] == lists[y];
        if (b->again[x])
            memset(b->numbers[x], 0, sizeof b->numbers[x]);
    }
}

/* The numbers of `count` groups from `begin` on, `stride` bytes apart. Returns whether they vary. */
{% for bits in (8, 32, 64) %}
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
{% for list, bits, stride in group.lists %}
{% set x = loop.index0 %}
    if (!b->again[{{ x }}])
{% if bits == "flag" %}
        vary[{{ x }}] = g->letters ? fetched_8(b->numbers[{{ x }}], {{ list }}, 1, begin, count) :
                           fetched_32(b->numbers[{{ x }}], {{ list }}, 4, begin, count);
{% elif bits == "number" %}
        vary[{{ x }}] = g->narrow ? fetched_32(b->numbers[{{ x }}], {{ list }}, 4, begin, count) :
                           fetched_64(b->numbers[{{ x }}], {{ list }}, 8, begin, count);
{% else %}
        vary[{{ x }}] = fetched_{{ bits }}(b->numbers[{{ x }}], {{ list }}, {{ stride }}, begin, count);
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
