{# posv itself where one right-hand side and a real A are their own transposes, else what it is made of. #}
{% set function = "trsm" %}
{% set whole = nrhs == 1 and not complex %}
{% include "bench/peer/blas.c" %}
{% if whole %}
void {{ letter }}posv_(bb_letter, bb_size, bb_size, bb_real *, bb_size, bb_real *, bb_size, int *, size_t);
{% else %}
{% include "bench/peer/triangular.c" %}
void {{ letter }}potrf_(bb_letter, bb_size, bb_real *, bb_size, int *, size_t);
{% endif %}

int bb_peer(ARGUMENTS)
{
    (void)work;
    const int n = N;
    use_threads(1);
    EACH_MATRIX
    {
        int info;
{% if whole %}
        const int one = 1;
        {{ letter }}posv_("U", &n, &one, A + p * STEP_A, &n, B + p * STEP_B, &n, &info, 1);
{% else %}
        {{ letter }}potrf_("U", &n, A + p * STEP_A, &n, &info, 1);
        triangular("N", A + p * STEP_A, B + p * STEP_B);
        triangular("C", A + p * STEP_A, B + p * STEP_B);
{% endif %}
    }
    return 0;
}
