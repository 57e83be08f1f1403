{# All groups of a call. Large ones, and runs of equal ones, go to their kernel as they are; others through a window. #}
/* The matrices from `from` to `to`, of group i. */
static int run_now(const groups *g, const table *t, int64_t i, int64_t from, int64_t to, int num_threads)
{
    problem other;
    const int known = t && t->of[i] < KINDS;
    if (!known && problem_of_group(g, i, &other))
        return 0;
    const problem *p = known ? &t->kind[t->of[i]].p : &other;
    return run_pp(p, {{ group.from_here | join(", ") }}, to - from, num_threads) ? 1 : 0;
}

/* The matrices from lo to end, counted over all groups; without memory each group is a call. */
static int run_part(const groups *g, const table *t, int64_t lo, int64_t end)
{
    window *w = t ? calloc(1, sizeof *w) : NULL;
    int worst = 0;
    for (int64_t i = 0, next, begin = 0; i < g->group_count && begin < end; i = next) {
        int64_t size = size_of_group(g, i);
        for (next = i + 1; t && t->of[i] < KINDS && next < g->group_count && t->of[next] == t->of[i]; next++)
            size += size_of_group(g, next);
        const int64_t from = begin > lo ? begin : lo, to = begin + size < end ? begin + size : end;
        begin += size;
        if (from < to && (!w || to - from >= LARGE || t->of[i] >= KINDS))
            worst |= run_now(g, t, i, from, to, 1);
        else if (from < to)
            worst |= collected(w, g, t, t->of[i], from, to);
    }
    if (w && w->matrices)
        worst |= emptied(w, t{{ ", g->info" if row.info }});
    free(w);
    return worst != 0;
}

/* All groups but those at fault. Returns 0, or 1 where a kernel had no memory. */
static int run_groups(const groups *g, const survey *s, int num_threads)
{
    int worst = 0;
    if (g->group_count && s->kinds && s->kinds->count == 1 && !s->fault) { /* one large group */
        worst = run_now(g, s->kinds, 0, 0, s->matrices, num_threads);
        free(s->kinds);
        return worst;
    }
#ifdef _OPENMP
    int64_t threads = num_threads ? num_threads : omp_get_max_threads();
    const double tasks = s->nanoseconds / 50e3; /* less work than this is done before a thread is awake */
    if (!num_threads && (double)threads > tasks)
        threads = (int64_t)tasks;
    threads = threads > 1024 ? 1024 : threads < 1 ? 1 : threads;
#pragma omp parallel for schedule(static, 1) num_threads((int)threads) reduction(| : worst) if (threads > 1)
    for (int64_t t = 0; t < threads; t++)
        worst |= run_part(g, s->kinds, s->matrices * t / threads, s->matrices * (t + 1) / threads);
#else
    (void)num_threads;
    worst = run_part(g, s->kinds, 0, s->matrices);
#endif
    free(s->kinds);
    return worst;
}
