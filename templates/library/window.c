{# The matrices of small groups, up to a window of them, are sorted by kind, and each kind is one call. So vectors are
   filled across groups, and what is sorted has not left the caches. #}
enum { WINDOW = 1024, LARGE = 64 };

typedef struct {
    int matrices, kinds;
    int size_of[KINDS];     /* of a kind; then where its matrices end */
    uint16_t seen[WINDOW];  /* the kinds that there are */
    uint16_t kind_of[WINDOW];
{% for name, pointer, _ in group.pointers %}
    {{ pointer }}{{ name }}[WINDOW], {{ pointer[-1:] }}{{ name }}_sorted[WINDOW];
{% endfor %}
{% if row.info %}
    int64_t place[WINDOW];
    int32_t info[WINDOW], report[WINDOW];
{% endif %}
} window;

static window *new_window(void)
{
    window *w = malloc(sizeof *w);
    if (w) {
        w->matrices = w->kinds = 0;
        memset(w->size_of, 0, sizeof w->size_of);
    }
    return w;
}

/* Run what a window has, and empty it. */
static int emptied(window *w, const table *t{{ ", int32_t *info" if row.info }})
{
    int end = 0, worst = 0;
    for (int k = 0; k < w->kinds; k++) { /* now where its matrices begin */
        int *size = &w->size_of[w->seen[k]];
        end += *size;
        *size = end - *size;
    }
    for (int i = 0; i < w->matrices; i++) {
        const int at = w->size_of[w->kind_of[i]]++;
{% for name, _, _ in group.pointers %}
        w->{{ name }}_sorted[at] = w->{{ name }}[i];
{% endfor %}
{% if row.info %}
        w->report[i] = at;
{% endif %}
    }
    for (int k = 0, begin = 0; k < w->kinds; k++) {
        int *size = &w->size_of[w->seen[k]];
        const problem *p = &t->kind[w->seen[k]].p;
        const int status = {{ group.run }}(p, {{ group.sorted | join(", ") }}, *size - begin, 1);
        begin = *size;
        *size = 0;
        worst = status ? status : worst;
    }
{% if row.info %}
    for (int i = 0; i < w->matrices; i++)
        info[w->place[i]] = w->info[w->report[i]];
{% endif %}
    w->kinds = w->matrices = 0;
    return worst;
}

/* Put matrices of one kind into the window, which is emptied where they have no room. */
static int collected(window *w, const groups *g, const table *t, int kind, int64_t from, int64_t to)
{
    int status = 0;
    if (w->matrices + (to - from) > WINDOW)
        status = emptied(w, t{{ ", g->info" if row.info }});
    if (!w->size_of[kind])
        w->seen[w->kinds++] = (uint16_t)kind;
    w->size_of[kind] += (int)(to - from);
    for (int64_t j = from; j < to; j++) {
        const int at = w->matrices++;
        w->kind_of[at] = (uint16_t)kind;
{% for name, _, given in group.pointers %}
        w->{{ name }}[at] = {{ given }}[j];
{% endfor %}
{% for name, pointer, _ in group.pointers %}
        for (int b = 0; b < t->kind[kind].bytes[{{ loop.index0 }}]; b += 64)
            __builtin_prefetch((const char *)w->{{ name }}[at] + b, {{ 0 if pointer.startswith("const") else 1 }});
{% endfor %}
{% if row.info %}
        w->place[at] = j;
{% endif %}
    }
    return status;
}
