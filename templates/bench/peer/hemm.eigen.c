{% include "bench/peer/eigen.c" %}

extern "C" int bb_peer(ARGUMENTS)
{
    (void)work;
    EACH_MATRIX
    {
        MATRICES(p);
        c.noalias() {{ "+=" if beta else "=" }} a.selfadjointView<Eigen::Lower>() * b;
    }
    return 0;
}
