{% include "bench/peer/eigen.c" %}

extern "C" int bb_peer(ARGUMENTS)
{
    (void)work;
    EACH_MATRIX
    {
        MATRICES(p);
        /* faster than rankUpdate, 27 times for n = 3 */
        c.triangularView<Eigen::Lower>() {{ "+=" if beta else "=" }} a.lazyProduct(a.transpose());
    }
    return 0;
}
