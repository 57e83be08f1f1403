{# Compact storage of all operands; a shim that includes this does its work on the members of `compact`. #}
{% include "bench/peer/head.c" %}
{% include "bench/peer/mkl.c" %}
int mkl_get_format_compact(void);
int mkl_{{ letter }}get_size_compact(int, int, int, int);
void mkl_{{ letter }}gepack_compact(int, int, int, const bb_real *const *, int, bb_real *, int, int, int);
void mkl_{{ letter }}geunpack_compact(int, int, int, bb_real *const *, int, const bb_real *, int, int, int);

static int64_t bytes(int rows, int cols, int64_t batch)
{
    const int64_t size = mkl_{{ letter }}get_size_compact(rows, cols, mkl_get_format_compact(), (int)batch);
    return (size + 63) / 64 * 64;
}

/* Work holds all operands in compact form, then pointers to the matrices of each. */
int64_t bb_work(int64_t batch)
{
    return {% for x in operands %}bytes({{ x.rows }}, {{ x.cols }}, batch) + {% endfor %}{{ operands | length }} * batch * (int64_t)sizeof(void *);
}

typedef struct {
    bb_real {% for x in operands %}*{{ x.name }}, {% endfor %}**matrices;
} compact;

static compact inside(char *work, int64_t batch)
{
    compact found;
{% for x in operands %}
    found.{{ x.name }} = (bb_real *)work;
    work += bytes({{ x.rows }}, {{ x.cols }}, batch);
{% endfor %}
    found.matrices = (bb_real **)work;
    return found;
}

int bb_prepare(ARGUMENTS)
{
    const compact c = inside(work, batch);
    use_threads(threads);
{% for x in operands %}
    bb_real **const each{{ x.name }} = c.matrices + {{ loop.index0 }} * batch;
    for (int64_t p = 0; p < batch; p++)
        each{{ x.name }}[p] = (bb_real *){{ x.name }} + p * STEP_{{ x.name }};
    mkl_{{ letter }}gepack_compact(102, {{ x.rows }}, {{ x.cols }}, (const bb_real *const *)each{{ x.name }}, {{ x.rows }}, c.{{ x.name }}, {{ x.rows }}, mkl_get_format_compact(), (int)batch);
{% endfor %}
    return 0;
}

/* Brings what was written back from compact form. */
int bb_finish(ARGUMENTS)
{
    (void)threads;
    const compact c = inside(work, batch);
{% for x in operands %}
{% if x.written %}
    mkl_{{ letter }}geunpack_compact(102, {{ x.rows }}, {{ x.cols }}, c.matrices + {{ loop.index0 }} * batch, {{ x.rows }}, c.{{ x.name }}, {{ x.rows }}, mkl_get_format_compact(), (int)batch);
{% endif %}
    (void){{ x.name }};
{% endfor %}
    return 0;
}
