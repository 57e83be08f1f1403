{% include "bench/eigen/head.cpp" %}

extern "C" void bb_eigen(letter, letter, size n, size k, scalar *, scalar *a, size lda, scalar *, scalar *c, size ldc)
{
    matrix result = at(c, n, n, ldc);
    result.triangularView<Eigen::Lower>().setZero();
    result.selfadjointView<Eigen::Lower>().rankUpdate(at(a, n, k, lda));
}
