/* Scratch of a thread: what the call has, if no other thread works in it, else a block of its own; where there is no memory,
   what the call has, in turn. */
static char *bb_take(const bb_args *g)
{
{% for name in unknown if name in scratch %}
    const int64_t {{ name }} = g->{{ name }};
{% endfor %}
    char *found = __atomic_exchange_n(g->work, NULL, __ATOMIC_ACQUIRE);
    if (!found)
        found = (char *)aligned_alloc(64, {{ scratch.size }});
    while (!found)
        found = __atomic_exchange_n(g->work, NULL, __ATOMIC_ACQUIRE);
    return found;
}

static void bb_give(const bb_args *g, char *block)
{
    char *none = NULL;
    if (!__atomic_compare_exchange_n(g->work, &none, block, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        free(block);
}
