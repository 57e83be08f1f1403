{# All groups of a call. Large ones, and runs of equal ones, go to their kernel as they are. Of others those that follow
   one another in memory, IN_ORDER or more, are done in this order where kernels need no neighbours; the rest goes
   through a window. #}
/* The matrices from `from` to `to`, of group i. */
static int run_now(const groups *g, const table *t, int64_t i, int64_t from, int64_t to, int num_threads)
{
    problem other;
    const int known = t && t->of[i] < KINDS;
    if (!known && problem_of_group(g, i, &other))
        return 0;
    const problem *p = known ? &t->kind[t->of[i]].p : &other;
    return {{ group.run }}(p, {{ group.from_here | join(", ") }}, to - from, num_threads) ? 1 : 0;
}

{% if keeps %}
enum { NEAR = 16384, IN_ORDER = 8 };

/* Whether a matrix lies where one looks that goes through memory: not far behind the one before. */
static inline int follows(const groups *g, int64_t i)
{
    if (!i)
        return 1;
{% for name, pointer, given in group.pointers %}
    {{ pointer[:-1] }}*const *{{ name }} = {{ given }};
{% endfor %}
{% for name, _, _ in group.pointers %}
    if ({{ name }} && (uintptr_t){{ name }}[i] - (uintptr_t){{ name }}[i - 1] >= NEAR)
        return 0;
{% endfor %}
    return 1;
}

{% endif %}
{% if keeps %}
/* The matrices from `from` to `to`: a few one by one, as a kernel then prefetches what follows in memory. */
static inline void in_order(const kept_call *call, int64_t from, int64_t to)
{
    for (int64_t step = to - from < IN_ORDER ? 1 : to - from; from < to; from += step)
        call->part(call->arguments, from, from + step, step);
}

{% endif %}
/* The matrices from lo to end, counted over all groups; without memory each group is a call. */
static int run_part(const groups *g, const table *t, int64_t lo, int64_t end)
{
    window *w = t ? new_window() : NULL;
    int worst = 0{{ ", followed = 0" if keeps }};
    for (int64_t i = 0, next, begin = 0; i < g->group_count && begin < end; i = next) {
        int64_t size = size_of_group(g, i);
        for (next = i + 1; t && t->of[i] < KINDS && next < g->group_count && t->of[next] == t->of[i]; next++)
            size += size_of_group(g, next);
        const int64_t from = begin > lo ? begin : lo, to = begin + size < end ? begin + size : end;
        begin += size;
        if (from >= to)
            continue;
{% if keeps %}
        const kept_call *call = t && t->of[i] < KINDS ? &t->kind[t->of[i]].call : NULL;
        followed = !follows(g, from) ? 0 : followed < IN_ORDER ? followed + 1 : followed;
        if (call && call->part && followed == IN_ORDER)
            in_order(call, from, to);
        else
{% endif %}
        if (!w || to - from >= LARGE || t->of[i] >= KINDS)
            worst |= run_now(g, t, i, from, to, 1);
        else
            worst |= collected(w, g, t, t->of[i], from, to);
    }
    if (w && w->matrices)
        worst |= emptied(w, t{{ ", g->info" if row.info }});
    free(w);
    return worst != 0;
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
    int worst = 0;
    if (g->group_count && s->kinds && s->kinds->count == 1 && !s->fault) { /* one large group */
        worst = run_now(g, s->kinds, 0, 0, s->matrices, num_threads);
        free(s->kinds);
        return worst;
    }
#ifdef _OPENMP
    int64_t threads = num_threads ? num_threads : omp_get_max_threads();
    if (!num_threads && threads > 1) { /* less work than this is done before a thread is awake */
        const double tasks = estimated(g, s->kinds) / 50e3;
        threads = (double)threads > tasks ? (int64_t)tasks : threads;
    }
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
