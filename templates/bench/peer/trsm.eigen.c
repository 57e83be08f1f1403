{% include "bench/peer/eigen.c" %}

extern "C" int bb_peer(ARGUMENTS)
{
    (void)work;
    EACH_MATRIX
    {
        MATRICES(p);
        a.triangularView<Eigen::Lower>().solveInPlace(b);
    }
    return 0;
}
