{% include "bench/peer/eigen.c" %}

extern "C" int bb_peer(ARGUMENTS)
{
    (void)work;
    EACH_MATRIX
    {
        MATRICES(p);
        matrix_C product; /* all of it is faster than two updates of a triangle */
        product.noalias() = a * b.transpose();
        c {{ "+=" if beta else "=" }} product + product.transpose();
    }
    return 0;
}
