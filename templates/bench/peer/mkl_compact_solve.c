{# `steps` of `factor` and `solve`, on A and B as they are, or, if not `natural`, on the transposed ones. #}
{% include "bench/peer/mkl_compact.c" %}
{% set place = "141, 122" if natural else "142, 121" %}
{% set extent = "n, columns" if natural else "columns, n" %}
void mkl_{{ letter }}potrf_compact(int, int, int, bb_real *, int, int *, int, int);
void mkl_{{ letter }}trsm_compact(int, int, int, int, int, int, int, {{ scalar }}, const bb_real *, int, bb_real *, int, int, int);

static void factor(compact c, int64_t batch)
{
    int info;
    mkl_{{ letter }}potrf_compact(102, {{ "122" if natural else "121" }}, LD_A, c.A, LD_A, &info, mkl_get_format_compact(), (int)batch);
}
{% if operands | length > 1 %}

/* op(A)^-1 B with the lower A, or B' op(A')^-1 with the upper A'. */
static void solve(compact c, int trans, int64_t batch)
{
    const int n = LD_A, columns = STEP_B / (LD_A * {{ parts }});
    mkl_{{ letter }}trsm_compact(102, {{ place }}, trans, 131, {{ extent }}, {{ one }}, c.A, LD_A, c.B, LD_B, mkl_get_format_compact(), (int)batch);
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
