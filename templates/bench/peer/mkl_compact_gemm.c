{% include "bench/peer/mkl_compact.c" %}
void mkl_{{ letter }}gemm_compact(int, int, int, int, int, int, {{ scalar }}, const bb_real *, int, const bb_real *, int, {{ scalar }}, bb_real *, int, int, int);

int bb_peer(ARGUMENTS)
{
    const compact c = inside(work, batch);
    use_threads(threads);
{% if converting %}
    bb_prepare(GIVEN);
{% endif %}
    mkl_{{ letter }}gemm_compact(102, 111, 111, M, N, K, {{ one }}, c.A, M, c.B, K, {{ beta_value }}, c.C, M, mkl_get_format_compact(), (int)batch);
{% if converting %}
    bb_finish(GIVEN);
{% else %}
    (void)A, (void)B, (void)C;
{% endif %}
    return 0;
}
