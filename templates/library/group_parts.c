{# The parts of all groups that threads do. #}
/* The matrices from lo to end, counted over all groups; without memory for a window each group is a call. */
static int run_part(const groups *g, const table *t, int64_t lo, int64_t end)
{
    if (!t)
        return run_through(g, t, NULL, lo, end);
    small_block small;
    const int room = room_in_window(end - lo);
    const size_t bytes = bytes_of_window(room, t->room);
    char *const given = g->memory ? g->memory + rounded((int64_t)bytes_of_table(g->group_count)) : NULL;
    char *const block = given ? given : block_of(&small, bytes);
    window w;
    if (block)
        w = empty_window(block, room, t->room);
    const int worst = run_through(g, t, block ? &w : NULL, lo, end);
    if (!given)
        release(&small, block);
    return worst;
}

#ifdef _OPENMP
/* What all matrices cost about, in nanoseconds. */
static double estimated(const groups *g, const table *t)
{
    double sum = 0;
    for (int64_t i = 0; t && i < g->group_count; i++)
        sum += t->of[i] < KINDS ? (double)size_of_group(g, i) * t->kind[t->of[i]].nanoseconds : 0;
    return sum;
}
#endif

/* All groups but those at fault. Returns 0, or 1 where a kernel had no memory. */
static int run_groups(const groups *g, const survey *s, int num_threads)
{
    if (g->group_count && s->kinds && s->kinds->count == 1 && !s->fault) /* one large group */
        return run_now(g, s->kinds, 0, 0, s->matrices, num_threads);
#ifdef _OPENMP
    int64_t threads = num_threads ? num_threads : omp_get_max_threads();
    if (!num_threads && threads > 1) { /* less work than this is done before a thread is awake */
        const double tasks = estimated(g, s->kinds) / 50e3;
        threads = (double)threads > tasks ? (int64_t)tasks : threads;
    }
    threads = threads > 1024 ? 1024 : threads;
    if (threads > 1) {
        int worst = 0;
#pragma omp parallel for schedule(static, 1) num_threads((int)threads) reduction(| : worst)
        for (int64_t t = 0; t < threads; t++)
            worst |= run_part(g, s->kinds, s->matrices * t / threads, s->matrices * (t + 1) / threads);
        return worst;
    }
#else
    (void)num_threads;
#endif
    return run_part(g, s->kinds, 0, s->matrices);
}
