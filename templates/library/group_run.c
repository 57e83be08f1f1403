/* Run what a window has, and empty it. */
static int emptied(window *w{{ ", int32_t *info" if row.info }})
{
    int end = 0, worst = 0;
    for (int b = 0; b < w->bins; b++) { /* now where its matrices begin */
        const int begin = end;
        end += w->size_of[b];
        w->size_of[b] = begin;
    }
    for (int i = 0; i < w->matrices; i++) {
        const int at = w->size_of[w->bin_of[i]]++;
{% for name, _, _ in group.pointers %}
        w->{{ name }}_sorted[at] = w->{{ name }}[i];
{% endfor %}
{% if row.info %}
        w->report[i] = at;
{% endif %}
    }
    for (int b = 0, begin = 0; b < w->bins; begin = w->size_of[b++]) {
        const int status = run_pp(&w->problem_of[b], {% for name, _, _ in group.pointers %}w->{{ name }}_sorted + begin, {% endfor %}{{ "w->info + begin, " if row.info }}w->size_of[b] - begin, 1);
        worst = status ? status : worst;
    }
{% if row.info %}
    for (int i = 0; i < w->matrices; i++)
        info[w->place[i]] = w->info[w->report[i]];
{% endif %}
    memset(w->slots, 0, sizeof w->slots);
    w->bins = w->matrices = 0;
    return worst;
}

/* The matrices from lo to end, counted over all groups. */
static int run_part(const groups *g, int64_t lo, int64_t end, int num_threads)
{
    window *w = NULL;
    int worst = 0;
    for (int64_t i = 0, begin = 0; i < g->group_count && begin < end; i++) {
        const int64_t size = size_of_group(g, i), from = begin > lo ? begin : lo;
        const int64_t to = begin + size < end ? begin + size : end;
        begin += size;
        problem p;
        if (from >= to || problem_of_group(g, i, &p))
            continue;
        if (!w && to - from < LARGE && (w = malloc(sizeof *w))) {
            memset(w->slots, 0, sizeof w->slots);
            w->bins = w->matrices = 0;
        }
        int status = 0;
        if (to - from >= LARGE || !w) { /* without memory as without a window */
            status = run_pp(&p, {% for _, _, given in group.pointers %}{{ given }} + from, {% endfor %}{{ "g->info + from, " if row.info }}to - from, num_threads);
        } else {
            if (w->matrices + (to - from) > WINDOW || w->bins == WINDOW)
                status = emptied(w{{ ", g->info" if row.info }});
            const int bin = bin_of_problem(w, &p);
            for (int64_t j = from; j < to; j++) {
                const int at = w->matrices++;
                w->bin_of[at] = bin;
{% for name, _, given in group.pointers %}
                w->{{ name }}[at] = {{ given }}[j];
{% endfor %}
{% if row.info %}
                w->place[at] = j;
{% endif %}
            }
            w->size_of[bin] += (int)(to - from);
        }
        worst = status ? status : worst;
    }
    if (w && w->matrices) {
        const int status = emptied(w{{ ", g->info" if row.info }});
        worst = status ? status : worst;
    }
    free(w);
    return worst;
}

/* All groups but those at fault. Returns 0, or 1 where a kernel had no memory. */
static int run_groups(const groups *g, int num_threads)
{
    int64_t total = 0;
    double nanoseconds = 0;
    for (int64_t i = 0; i < g->group_count; i++) {
        const int64_t size = size_of_group(g, i);
        problem p;
        total += size;
        if (problem_of_group(g, i, &p))
            continue;
{% for name in row.sizes %}
        const double {{ name }} = (double)p.{{ name }};
{% endfor %}
        nanoseconds += (double)size * (({{ group.cost[0] }}) / 32 + ({{ group.cost[1] }}) / 16 + 1);
    }
#ifdef _OPENMP
    int64_t threads = num_threads ? num_threads : omp_get_max_threads();
    const double tasks = nanoseconds / 50e3; /* less work than this is done before a thread is awake */
    if (!num_threads && (double)threads > tasks)
        threads = (int64_t)tasks;
    threads = threads > 1024 ? 1024 : threads;
    if (threads > 1 && g->group_count > 1) {
        int worst = 0;
#pragma omp parallel for schedule(static, 1) num_threads((int)threads) reduction(max : worst)
        for (int64_t t = 0; t < threads; t++)
            worst = run_part(g, total * t / threads, total * (t + 1) / threads, 1) ? 1 : 0;
        return worst;
    }
#else
    (void)nanoseconds;
#endif
    return run_part(g, 0, total, g->group_count > 1 ? 1 : num_threads) ? 1 : 0;
}
