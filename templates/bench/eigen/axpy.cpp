{% include "bench/eigen/head.cpp" %}

extern "C" void bb_eigen(size n, scalar *alpha, scalar *x, size, scalar *y, size)
{
    at(y, n) += *alpha * at(x, n);
}
