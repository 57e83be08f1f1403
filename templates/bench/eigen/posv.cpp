{% include "bench/eigen/head.cpp" %}

extern "C" void bb_eigen(letter, size n, size nrhs, scalar *a, size lda, scalar *b, size ldb, int *)
{
    block lower = at(a, n, n, lda);
    matrix right = at(b, n, nrhs, ldb);
    Eigen::LLT<block>(lower).solveInPlace(right);
}
