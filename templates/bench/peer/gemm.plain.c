{% include "bench/peer/head.c" %}

typedef {{ real }}{{ " _Complex" if complex }} bb_element;

static void product(const bb_element *restrict A, const bb_element *restrict B, bb_element *restrict C)
{
    for (int j = 0; j < N; j++) {
        bb_element sums[M];
        for (int i = 0; i < M; i++)
            sums[i] = {{ "C[j * M + i]" if beta else "0" }};
        for (int l = 0; l < K; l++)
            for (int i = 0; i < M; i++)
                sums[i] += A[l * M + i] * B[j * K + l];
        for (int i = 0; i < M; i++)
            C[j * M + i] = sums[i];
    }
}

int bb_peer(ARGUMENTS)
{
    (void)work;
    EACH_MATRIX
        product((const bb_element *)(A + p * STEP_A), (const bb_element *)(B + p * STEP_B), (bb_element *)(C + p * STEP_C));
    return 0;
}
