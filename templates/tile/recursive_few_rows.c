{# What threads share of a triangle beside a few right-hand sides: rows behind the panel that is done. #}
{% set V = width %}
typedef struct {
    int solves, lies, back, conj;
    int64_t n, head, begin, end, many;
    const bb_real *A;
    int64_t rs, cs;
    bb_real *X;
    int64_t pitch;
} bb_few_args;

/* What blocks begin to end - 1 of columns add to rows, in the order in which one thread adds it. */
static BB_INLINE void bb_few_rows(const int lies, const bb_few_args *g, const int64_t lo, const int64_t hi)
{
    const int64_t cols = g->end - g->begin, rows = hi - lo, inner = lies == BB_DOWN ? rows : cols;
    for (int64_t p = 0; p < (lies == BB_DOWN ? cols : rows); p++)
        for (int64_t q = 0; q < inner; q++) {
            const int64_t c = lies == BB_DOWN ? p : q, r = lo + (lies == BB_DOWN ? q : p);
            const int64_t own = g->solves ? g->begin + c : g->end - 1 - c;
            bb_few_block(g->solves, lies, own ? {{ V }} : g->head, g->many, g->A, g->rs, g->cs, g->conj,
                         bb_few_at(g->back, g->n, g->head, r), bb_few_at(g->back, g->n, g->head, own), g->X, g->pitch);
        }
}

/* Rows behind a panel, counted from its end. */
static void bb_few_part(const void *arguments, const int64_t lo, const int64_t hi, const int64_t share)
{
    const bb_few_args *const g = (const bb_few_args *)arguments;
    (void)share;
    if (g->lies == BB_DOWN)
        bb_few_rows(BB_DOWN, g, g->end + lo, g->end + hi);
    else if (g->lies == BB_ACROSS)
        bb_few_rows(BB_ACROSS, g, g->end + lo, g->end + hi);
    else
        bb_few_rows(BB_APART, g, g->end + lo, g->end + hi);
}
