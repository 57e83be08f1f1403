{% include "bench/eigen/head.cpp" %}

extern "C" void bb_eigen(size n, size nrhs, scalar *a, size lda, int *, scalar *b, size ldb, int *)
{
    block all = at(a, n, n, lda);
    matrix right = at(b, n, nrhs, ldb);
    right = Eigen::PartialPivLU<block>(all).solve(right).eval();
}
