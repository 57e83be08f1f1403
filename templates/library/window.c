{# The matrices of small groups, up to a window of them, are sorted by their problem, and each problem is one call. So
   vectors are filled across groups, and what is sorted has not left the caches. #}
enum { WINDOW = 1024, SLOTS = 4 * WINDOW, LARGE = 64 };

typedef struct {
    int bins, matrices;
    problem problem_of[WINDOW];
    int size_of[WINDOW]; /* of a bin; then where its matrices end */
    int bin_of[WINDOW];  /* of a matrix */
    int slots[SLOTS];    /* 1 + the bin that is here */
{% for name, pointer, _ in group.pointers %}
    {{ pointer }}{{ name }}[WINDOW], {{ pointer[-1:] }}{{ name }}_sorted[WINDOW];
{% endfor %}
{% if row.info %}
    int64_t place[WINDOW];
    int32_t info[WINDOW], report[WINDOW];
{% endif %}
} window;

/* The bin of a problem in a window, a new one where it has none; -1 where there is no room. */
static int bin_of_problem(window *w, const problem *p)
{
    uint64_t words[sizeof *p / 8 + 1] = { 0 }, mixed = 0;
    memcpy(words, p, sizeof *p);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        mixed = ((mixed << 7 | mixed >> 57) ^ words[i]) * {{ text.constants.multiplier }}U;
    for (uint64_t at = mixed >> 32;; at++) {
        int *slot = &w->slots[at % SLOTS];
        if (*slot && !memcmp(&w->problem_of[*slot - 1], p, sizeof *p))
            return *slot - 1;
        if (*slot)
            continue;
        if (w->bins == WINDOW)
            return -1;
        w->problem_of[w->bins] = *p;
        w->size_of[w->bins] = 0;
        *slot = ++w->bins;
        return w->bins - 1;
    }
}

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

/* Put matrices of one problem into the window, which is emptied where they have no room. */
static int collected(window *w, const groups *g, const problem *p, int64_t from, int64_t to)
{
    int status = 0;
    if (w->matrices + (to - from) > WINDOW || w->bins == WINDOW)
        status = emptied(w{{ ", g->info" if row.info }});
    const int bin = bin_of_problem(w, p);
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
    return status;
}
