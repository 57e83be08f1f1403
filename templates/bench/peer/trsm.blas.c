{% set function = op %}
{% include "bench/peer/blas.c" %}
{% include "bench/peer/triangular.c" %}

int bb_peer(ARGUMENTS)
{
    (void)work;
    use_threads(1);
    EACH_MATRIX
        triangular("N", A + p * STEP_A, B + p * STEP_B);
    return 0;
}
