{# What threads share of an operation: their parts of it. #}
{% if node.parts or node.twins %}
static int64_t {{ node.name }}({{ node.declared }});

typedef struct {
{% for type, name in node.parameters %}
    {{ type }}{{ name }};
{% endfor %}
    int *failed;
} {{ node.name }}_args;

{% endif %}
{% if node.parts and node.parts.rank %}
/* The second part, and what is between both. */
static int64_t {{ node.name }}_second(const int64_t at, {{ node.declared }})
{
    int64_t found;
{{ steps(node.calls[1:]) }}
    return 0;
}

/* Rows of the lower triangle, or columns of the upper one, by bands: short ones between long ones. */
static void {{ node.name }}_part(const void *arguments, const int64_t lo, const int64_t hi, const int64_t share)
{
    const {{ node.name }}_args *g = (const {{ node.name }}_args *)arguments;
    const int64_t bands = bb_bands(g->n);
    (void)share;
    for (int64_t i = lo; i < hi; i++) {
        const int64_t at = (i % 2 ? i / 2 : bands - 1 - i / 2) * {{ band }};
        const int64_t n = at + {{ band }} < g->n ? at + {{ band }} : g->n;
        const bb_means alone = { 1, NULL };
        if ({{ node.name }}_second(at, alone, n{% for _, name in node.parameters[1:] %}, g->{{ name }}{% endfor %}))
            __atomic_store_n(g->failed, 1, __ATOMIC_RELAXED);
    }
}
{% elif node.free %}
static void {{ node.name }}_part(const void *arguments, int64_t lo, int64_t hi, const int64_t share)
{
    const {{ node.name }}_args *g = (const {{ node.name }}_args *)arguments;
    const int64_t units = bb_units(g->{{ node.free }});
    (void)share;
    if (lo == hi)
        return;
    lo = g->{{ node.free }} * lo / units / {{ width }} * {{ width }};
    hi = hi == units ? g->{{ node.free }} : g->{{ node.free }} * hi / units / {{ width }} * {{ width }};
    if ({{ node.name }}((bb_means){ 1, NULL }{% for _, name in node.parameters %}, {{ node.part()[name] }}{% endfor %}))
        __atomic_store_n(g->failed, 1, __ATOMIC_RELAXED);
}
{% elif node.twins %}
/* One of two steps that need nothing of each other, or both. */
static void {{ node.name }}_half(const void *arguments, const int64_t lo, const int64_t hi, const int64_t share)
{
    const {{ node.name }}_args *g = (const {{ node.name }}_args *)arguments;
    const bb_means means = { 1, NULL };
{% for type, name in node.parameters %}
    {{ type }}{{ "const " if "*" in type }}{{ name }} = g->{{ name }};
{% endfor %}
    const int64_t at = bb_cut({{ node.order }});
    (void)share;
    for (int64_t i = lo; i < hi; i++)
        if (i ? {{ node.calls[-1].name }}(means, {{ node.calls[-1].arguments }})
              : {{ node.calls[-2].name }}(means, {{ node.calls[-2].arguments }}))
            __atomic_store_n(g->failed, 1, __ATOMIC_RELAXED);
}
{% endif %}
