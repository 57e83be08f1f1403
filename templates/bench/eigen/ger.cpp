{% include "bench/eigen/head.cpp" %}

extern "C" void bb_eigen(size m, size n, scalar *alpha, scalar *x, size, scalar *y, size, scalar *a, size lda)
{
    at(a, m, n, lda).noalias() += *alpha * at(x, m) * at(y, n).transpose();
}
