{% include "bench/peer/blas.c" %}
void {{ letter }}potrf_(bb_letter, bb_size, bb_real *, bb_size, int *, size_t);

int bb_peer(ARGUMENTS)
{
    (void)work;
    const int n = N;
    use_threads(1);
    EACH_MATRIX
    {
        int info;
        {{ letter }}potrf_("U", &n, A + p * STEP_A, &n, &info, 1);
    }
    return 0;
}
