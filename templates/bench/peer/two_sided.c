{# C := A B is C' := B' A': A stands on the other side, its triangle is the other. #}
{% include "bench/peer/blas.c" %}
void {{ letter }}{{ op }}_(bb_letter, bb_letter, bb_size, bb_size, const bb_real *, const bb_real *, bb_size, const bb_real *, bb_size, const bb_real *, bb_real *, bb_size, size_t, size_t);

int bb_peer(ARGUMENTS)
{
    (void)work;
    const int m = N, n = M;
    use_threads(1);
    EACH_MATRIX
        {{ letter }}{{ op }}_("R", "U", &m, &n, ONE, A + p * STEP_A, &n, B + p * STEP_B, &m, BETA, C + p * STEP_C, &m, 1, 1);
    return 0;
}
