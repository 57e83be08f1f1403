{% include "bench/peer/mkl_compact.c" %}
void mkl_{{ letter }}potrf_compact(int, int, int, bb_real *, int, int *, int, int);
void mkl_{{ letter }}trsm_compact(int, int, int, int, int, int, int, {{ scalar }}, const bb_real *, int, bb_real *, int, int, int);

/* Of the transposed matrices: A is upper triangular. */
static void factor(compact c, int64_t batch)
{
    int info;
    mkl_{{ letter }}potrf_compact(102, 121, LD_A, c.A, LD_A, &info, mkl_get_format_compact(), (int)batch);
}
{% if op != "potrf" %}

/* B' op(A')^-1 */
static void solve(compact c, int trans, int64_t batch)
{
    mkl_{{ letter }}trsm_compact(102, 142, 121, trans, 131, LD_B, LD_A, {{ one }}, c.A, LD_A, c.B, LD_B, mkl_get_format_compact(), (int)batch);
}
{% endif %}

int bb_peer(ARGUMENTS)
{
    const compact c = inside(work, batch);
    use_threads(threads);
{% for step in steps %}
    {{ step }};
{% endfor %}
{% for x in operands %}
    (void){{ x.name }};
{% endfor %}
    return 0;
}
