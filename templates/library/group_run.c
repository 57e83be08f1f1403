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
    return {{ group.run }}(p, {{ group.from_here | join(", ") }}, to - from, num_threads, g->work) ? 1 : 0;
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
/* The matrices from lo to end, counted over all groups, through a window if there is one. */
static int run_through(const groups *g, const table *t, window *w, int64_t lo, int64_t end)
{
    const uint16_t *const of = t ? t->of : NULL;
    int worst = 0{{ ", followed = 0" if keeps }};
    for (int64_t i = 0, next, begin = 0; i < g->group_count && begin < end; i = next) {
        int64_t size = size_of_group(g, i);
        for (next = i + 1; t && of[i] < KINDS && next < g->group_count && of[next] == of[i]; next++)
            size += size_of_group(g, next);
        const int64_t from = begin > lo ? begin : lo, to = begin + size < end ? begin + size : end;
        begin += size;
        if (from >= to)
            continue;
{% if keeps %}
        const kept_call *call = t && of[i] < KINDS ? &t->kind[of[i]].call : NULL;
        followed = !follows(g, from) ? 0 : followed < IN_ORDER ? followed + 1 : followed;
        if (call && call->part && followed == IN_ORDER)
            in_order(call, from, to);
        else
{% endif %}
        if (!w || to - from >= LARGE || of[i] >= KINDS)
            worst |= run_now(g, t, i, from, to, 1);
        else
            worst |= collected(w, g, t, of[i], from, to);
    }
    if (w && w->matrices)
        worst |= emptied(w, t, g->work{{ ", g->info" if row.info }});
    return worst != 0;
}
