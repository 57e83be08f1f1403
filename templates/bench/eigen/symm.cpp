{% include "bench/eigen/head.cpp" %}

extern "C" void bb_eigen(letter, letter, size m, size n, scalar *, scalar *a, size lda, scalar *b, size ldb, scalar *, scalar *c, size ldc)
{
    at(c, m, n, ldc).noalias() = at(a, m, m, lda).selfadjointView<Eigen::Lower>() * at(b, m, n, ldb);
}
