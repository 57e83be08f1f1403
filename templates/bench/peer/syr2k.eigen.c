{% include "bench/peer/eigen.c" %}

extern "C" int bb_peer(ARGUMENTS)
{
    (void)work;
    EACH_MATRIX
    {
        MATRICES(p);
        c.triangularView<Eigen::Lower>() {{ "+=" if beta else "=" }} a * b.transpose();
        c.triangularView<Eigen::Lower>() += b * a.transpose();
    }
    return 0;
}
