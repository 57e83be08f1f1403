{% include "bench/eigen/head.cpp" %}

extern "C" void bb_eigen(letter, letter, letter, letter, size m, size n, scalar *, scalar *a, size lda, scalar *b, size ldb)
{
    at(b, m, n, ldb) = at(a, m, m, lda).triangularView<Eigen::Lower>() * at(b, m, n, ldb);
}
