{# A look at all groups before anything is done. #}
/* All matrices, the first fault that `understood` finds, and the kinds; NULL where there was no memory. */
typedef struct {
    int64_t matrices;
    int fault;
    table *kinds;
} survey;

/* The first fault of all groups, and their matrices. */
static void surveyed_one_by_one(const groups *g, survey *s)
{
    problem p;
    for (int64_t i = 0; i < g->group_count; i++) {
        s->matrices += size_of_group(g, i);
        if (!s->fault)
            s->fault = problem_of_group(g, i, &p);
    }
}

/* The kinds of the groups from `begin` on, which are a block. */
static void sorted(const groups *g, survey *s, const block *b, int64_t begin, int count)
{
    table *t = s->kinds;
    int kind = 0;
    for (int j = 0; j < count; j++) {
        if (!j || b->varying) {
            int fault = 0;
            kind = kind_of_group(t, g, begin + j, b, j, &fault);
            s->fault = s->fault ? s->fault : fault;
        }
        t->of[begin + j] = (uint16_t)kind;
    }
    for (int j = 0; j < count; j++)
        s->matrices += size_of_group(g, begin + j);
}

/* Look at all groups; `kinds` is an empty table, or NULL. */
static survey surveyed(const groups *g, table *kinds)
{
    survey s = { 0, 0, kinds };
    if (!kinds) {
        surveyed_one_by_one(g, &s);
        return s;
    }
    block b;
    before_blocks(&b, g);
    for (int64_t begin = 0; begin < g->group_count; begin += GROUPS_OF_BLOCK) {
        const int count = g->group_count - begin < GROUPS_OF_BLOCK ? (int)(g->group_count - begin) : GROUPS_OF_BLOCK;
        next_block(&b, g, begin, count);
        sorted(g, &s, &b, begin, count);
    }
    return s;
}
