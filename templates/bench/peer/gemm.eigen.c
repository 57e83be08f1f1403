{% include "bench/peer/eigen.c" %}

extern "C" int bb_peer(ARGUMENTS)
{
    (void)work;
    EACH_MATRIX
    {
        MATRICES(p);
        c.noalias() {{ "+=" if beta else "=" }} b * a; /* the mirrored problem, mirrored back */
    }
    return 0;
}
