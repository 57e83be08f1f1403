{# C := A A' or A A*: of the transposed A the product the other way round, of C the other triangle. #}
{% include "bench/peer/blas.c" %}
void {{ letter }}{{ op }}_(bb_letter, bb_letter, bb_size, bb_size, const bb_real *, const bb_real *, bb_size, const bb_real *, bb_real *, bb_size, size_t, size_t);

int bb_peer(ARGUMENTS)
{
    (void)work;
    const int n = N, k = K;
    use_threads(1);
    EACH_MATRIX
        {{ letter }}{{ op }}_("U", "{{ trans }}", &n, &k, ONE, A + p * STEP_A, &k, BETA, C + p * STEP_C, &n, 1, 1);
    return 0;
}
