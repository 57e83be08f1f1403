{# The entry points of a kernel that works on the heap: with a block of its own, and in one of the caller's. #}
int {{ symbol }}({{ parameters }})
{
    return {{ called }}({{ positions | join(", ") }}, NULL);
}

#ifdef BB_WORK
/* On this thread, in a block of `work` aligned to 64 bytes; returns the bytes that this must have where it is NULL. */
int64_t {{ symbol }}_work({{ parameters }}, char *work)
{
    (void)num_threads;
    if (!work)
        return (int64_t){{ bytes }};
    return {{ called }}({{ positions | reject("equalto", "num_threads") | join(", ") }}, 1, work);
}
#endif
