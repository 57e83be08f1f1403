{# Indices beside matrices by pointers, as groups have them. #}
{% set index, type = group.index.name, group.index_type %}
/* As run_pp, which takes indices a fixed stride apart: those that are not are copied, some matrices at a time. */
static int run_pointers(const problem *p, {{ group.parameters }}, char *work)
{
    enum { ROOM = 4096 };
    int32_t copies[ROOM];
    const int64_t length = {{ group.index_length }}, bytes = sizeof *copies;
    const int64_t step = batch_count > 1 ? (int64_t)((intptr_t){{ index }}[1] - (intptr_t){{ index }}[0]) : 0;
    int fixed = !length || step % bytes == 0;
    for (int64_t i = 2; length && fixed && i < batch_count; i++)
        fixed = (intptr_t){{ index }}[i] - (intptr_t){{ index }}[i - 1] == step;
    const int64_t stride = fixed ? step / bytes : length;
    const int64_t some = fixed ? batch_count : length <= ROOM ? ROOM / length : 1;
    int status = 0;
    for (int64_t done = 0, count; !status && done < batch_count; done += count) {
        count = batch_count - done < some ? batch_count - done : some;
        const int copied = !fixed && count > 1;
        {{ type }}const indices = copied ? copies : {{ index }}[done];
{% if not group.index_written %}
        for (int64_t i = 0; copied && i < count; i++)
            memcpy(copies + i * length, {{ index }}[done + i], (size_t)(length * bytes));
{% endif %}
        status = run_pp(p, {{ group.from_done }}, work);
{% if group.index_written %}
        for (int64_t i = 0; copied && i < count; i++)
            memcpy({{ index }}[done + i], copies + i * length, (size_t)(length * bytes));
{% endif %}
    }
    return status;
}
