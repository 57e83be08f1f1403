{% include "bench/eigen/head.cpp" %}

extern "C" scalar bb_eigen(size n, scalar *x, size)
{
    return at(x, n).norm();
}
