{# The matrices of small groups, up to a window of them, are sorted by kind, and each kind is one call. So vectors are
   filled across groups, and what is sorted has not left the caches. #}
enum { WINDOW = 1024, LARGE = 64 };

typedef struct {
    int room, matrices, kinds;
{% for name, pointer, _ in group.pointers %}
    {{ pointer }}*{{ name }}, {{ pointer[-1:] }}*{{ name }}_sorted;
{% endfor %}
{% if row.info %}
    int64_t *place;
    int32_t *info, *report;
{% endif %}
    int *size_of;   /* of a kind; then where its matrices end */
    uint16_t *seen; /* the kinds that there are */
    uint16_t *kind_of;
} window;

static int room_in_window(int64_t matrices)
{
    return matrices < WINDOW ? (int)matrices : WINDOW;
}

static size_t bytes_of_window(int room, int kinds)
{
    const size_t each = {{ group.window }};
    return (size_t)room * each + (size_t)kinds * sizeof(int);
}

/* A window in `block`, which has the bytes for it. */
static window empty_window(char *block, int room, int kinds)
{
    window w = { .room = room };
{% for name, pointer, _ in group.pointers %}
    w.{{ name }} = (void *)block;
    w.{{ name }}_sorted = w.{{ name }} + room;
    block = (void *)(w.{{ name }}_sorted + room);
{% endfor %}
{% if row.info %}
    w.place = (void *)block;
    w.info = (void *)(w.place + room);
    w.report = w.info + room;
    block = (void *)(w.report + room);
{% endif %}
    w.size_of = (void *)block;
    w.seen = (void *)(w.size_of + kinds);
    w.kind_of = w.seen + room;
    memset(w.size_of, 0, (size_t)kinds * sizeof *w.size_of);
    return w;
}

/* Run what a window has, and empty it. */
static int emptied(window *w, const table *t, char *work{{ ", int32_t *info" if row.info }})
{
    int *const size_of = w->size_of, end = 0, worst = 0;
    const uint16_t *const kind_of = w->kind_of;
{% for name, pointer, _ in group.pointers %}
    {{ pointer }}*const {{ name }} = w->{{ name }}, {{ pointer[-1:] }}*const {{ name }}_sorted = w->{{ name }}_sorted;
{% endfor %}
    for (int k = 0; k < w->kinds; k++) { /* now where its matrices begin */
        int *size = &size_of[w->seen[k]];
        end += *size;
        *size = end - *size;
    }
    for (int i = 0; i < w->matrices; i++) {
        const int at = size_of[kind_of[i]]++;
{% for name, _, _ in group.pointers %}
        {{ name }}_sorted[at] = {{ name }}[i];
{% endfor %}
{% if row.info %}
        w->report[i] = at;
{% endif %}
    }
    for (int k = 0, begin = 0; k < w->kinds; k++) {
        int *size = &size_of[w->seen[k]];
        const problem *p = &t->kind[w->seen[k]].p;
        const int status = {{ group.run }}(p, {{ group.sorted | join(", ") }}, *size - begin, 1, work);
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
static inline int collected(window *w, const groups *g, const table *t, int kind, int64_t from, int64_t to)
{
    int status = 0;
    if (w->matrices + (to - from) > w->room)
        status = emptied(w, t, g->work{{ ", g->info" if row.info }});
    if (!w->size_of[kind])
        w->seen[w->kinds++] = (uint16_t)kind;
    w->size_of[kind] += (int)(to - from);
    int at = w->matrices;
    w->matrices += (int)(to - from);
    uint16_t *const kind_of = w->kind_of;
    const int *const bytes = t->kind[kind].bytes;
{% for name, pointer, given in group.pointers %}
    {{ pointer }}*const {{ name }} = w->{{ name }}, {{ pointer[-1:] }}const *const {{ name }}_given = {{ given }};
{% endfor %}
    for (int64_t j = from; j < to; j++, at++) {
        kind_of[at] = (uint16_t)kind;
{% for name, _, given in group.pointers %}
        {{ name }}[at] = {{ name }}_given[j];
{% endfor %}
{% for name, pointer, _ in group.pointers %}
        for (int b = 0; b < bytes[{{ loop.index0 }}]; b += 64)
            __builtin_prefetch((const char *){{ name }}[at] + b, {{ 0 if pointer.startswith("const") else 1 }});
{% endfor %}
{% if row.info %}
        w->place[at] = j;
{% endif %}
    }
    return status;
}
