{% include "bench/peer/eigen.c" %}

extern "C" int bb_peer(ARGUMENTS)
{
    (void)work;
    EACH_MATRIX
    {
        MATRICES(p);
        c.triangularView<Eigen::Lower>() {{ "+=" if beta else "=" }} a.lazyProduct(a.adjoint());
    }
    return 0;
}
