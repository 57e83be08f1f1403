{% include "bench/peer/eigen.c" %}

extern "C" int bb_peer(ARGUMENTS)
{
    (void)work;
    EACH_MATRIX
    {
        MATRICES(p);
        b = a.triangularView<Eigen::Lower>() * b;
    }
    return 0;
}
