{# The entry point of a kernel for all sizes that does large problems otherwise. #}
static int bb_by_size({{ parameters }}, char *given)
{
{% for bad, position in checks %}
    if ({{ bad }})
        return -{{ position }};
{% endfor %}
    if ({{ is_large }})
        return bb_large_call({{ positions | join(", ") }}, given);
    return bb_call({{ positions | join(", ") }}, given);
}

int {{ symbol }}({{ parameters }})
{
    return bb_by_size({{ positions | join(", ") }}, NULL);
}

#ifdef BB_WORK
/* On this thread, in a block of `work` aligned to 64 bytes; returns the bytes that this must have where it is NULL. */
int64_t {{ symbol }}_work({{ parameters }}, char *work)
{
    (void)num_threads;
    if (!work)
        return (int64_t){{ heap_bytes }};
    return bb_by_size({{ positions | reject("equalto", "num_threads") | join(", ") }}, 1, work);
}
#endif
