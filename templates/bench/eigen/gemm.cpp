{% include "bench/eigen/head.cpp" %}

extern "C" void bb_eigen(letter, letter, size m, size n, size k, scalar *, scalar *a, size lda, scalar *b, size ldb, scalar *, scalar *c, size ldc)
{
    at(c, m, n, ldc).noalias() = at(a, m, k, lda) * at(b, k, n, ldb);
}
