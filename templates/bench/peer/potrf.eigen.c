{% include "bench/peer/eigen.c" %}

extern "C" int bb_peer(ARGUMENTS)
{
    (void)work;
    EACH_MATRIX
    {
        MATRICES(p);
        Eigen::LLT<Eigen::Ref<matrix_A>> factor(a);
    }
    return 0;
}
