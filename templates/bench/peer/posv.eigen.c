{% include "bench/peer/eigen.c" %}
#include <Eigen/Cholesky>

extern "C" int bb_peer(ARGUMENTS)
{
    (void)work;
    EACH_MATRIX
    {
        MATRICES(p);
{% if n < 8 %}
        const Eigen::LLT<Eigen::Ref<matrix_A>> factor(a);
{% else %} {# column-major it is faster #}
        const Eigen::LLT<Eigen::Matrix<bb_element, N, N>> factor(a);
        a.triangularView<Eigen::Lower>() = factor.matrixL();
{% endif %}
        factor.solveInPlace(b);
    }
    return 0;
}
