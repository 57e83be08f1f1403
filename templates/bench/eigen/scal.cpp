{% include "bench/eigen/head.cpp" %}

extern "C" void bb_eigen(size n, scalar *alpha, scalar *x, size)
{
    at(x, n) *= *alpha;
}
