{% include "bench/eigen/head.cpp" %}

extern "C" void bb_eigen(letter, size n, scalar *a, size lda, int *)
{
    block lower = at(a, n, n, lda);
    Eigen::LLT<block>{lower};
}
