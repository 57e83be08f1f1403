{# All groups of a call. Large ones, and runs of equal ones, go to their kernel as they are; others through a window. #}
/* The matrices from lo to end, counted over all groups. */
static int run_part(const groups *g, int64_t lo, int64_t end)
{
    window *w = NULL;
    int worst = 0;
    for (int64_t i = 0, next, begin = 0; i < g->group_count && begin < end; i = next) {
        next = i + alike(g, i);
        const int64_t size = matrices_of(g, i, next), from = begin > lo ? begin : lo;
        const int64_t to = begin + size < end ? begin + size : end;
        begin += size;
        problem p;
        if (from >= to || problem_of_group(g, i, &p))
            continue;
        if (!w && to - from < LARGE && (w = malloc(sizeof *w))) {
            memset(w->slots, 0, sizeof w->slots);
            w->bins = w->matrices = 0;
        }
        int status;
        if (to - from >= LARGE || !w) /* without memory as without a window */
            status = run_pp(&p, {% for _, _, given in group.pointers %}{{ given }} + from, {% endfor %}{{ "g->info + from, " if row.info }}to - from, 1);
        else
            status = collected(w, g, &p, from, to);
        worst = status ? status : worst;
    }
    if (w && w->matrices) {
        const int status = emptied(w{{ ", g->info" if row.info }});
        worst = status ? status : worst;
    }
    free(w);
    return worst;
}

/* All matrices, in how many runs of groups with one problem, what they cost about, the first fault that `understood` finds. */
typedef struct {
    int64_t matrices, runs;
    double nanoseconds;
    int fault;
} survey;

static survey surveyed(const groups *g)
{
    survey s = { 0, 0, 0, 0 };
    for (int64_t i = 0, next; i < g->group_count; i = next) {
        next = i + alike(g, i);
        const int64_t size = matrices_of(g, i, next);
        problem p;
        const int fault = problem_of_group(g, i, &p);
        s.matrices += size;
        s.runs++;
        s.fault = s.fault ? s.fault : fault;
        if (fault)
            continue;
{% for name in row.sizes %}
        const double {{ name }} = (double)p.{{ name }};
{% endfor %}
        s.nanoseconds += (double)size * (({{ group.cost[0] }}) / 32 + ({{ group.cost[1] }}) / 16 + 1);
    }
    return s;
}

/* All groups but those at fault. Returns 0, or 1 where a kernel had no memory. */
static int run_groups(const groups *g, const survey *s, int num_threads)
{
    problem p;
    if (s->runs == 1 && !problem_of_group(g, 0, &p))
        return run_pp(&p, {% for _, _, given in group.pointers %}{{ given }}, {% endfor %}{{ "g->info, " if row.info }}s->matrices, num_threads) ? 1 : 0;
#ifdef _OPENMP
    int64_t threads = num_threads ? num_threads : omp_get_max_threads();
    const double tasks = s->nanoseconds / 50e3; /* less work than this is done before a thread is awake */
    if (!num_threads && (double)threads > tasks)
        threads = (int64_t)tasks;
    threads = threads > 1024 ? 1024 : threads;
    if (threads > 1) {
        int worst = 0;
#pragma omp parallel for schedule(static, 1) num_threads((int)threads) reduction(max : worst)
        for (int64_t t = 0; t < threads; t++)
            worst = run_part(g, s->matrices * t / threads, s->matrices * (t + 1) / threads) ? 1 : 0;
        return worst;
    }
#endif
    return run_part(g, 0, s->matrices) ? 1 : 0;
}
