{% include "bench/eigen/head.cpp" %}

extern "C" scalar bb_eigen(size n, scalar *x, size, scalar *y, size)
{
    return at(x, n).dot(at(y, n));
}
