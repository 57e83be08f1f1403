{% include "bench/eigen/head.cpp" %}

extern "C" void bb_eigen(letter, size m, size n, scalar *, scalar *a, size lda, scalar *x, size, scalar *, scalar *y, size)
{
    at(y, n).noalias() = at(a, m, n, lda).transpose() * at(x, m);
}
