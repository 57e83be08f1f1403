{# The Cholesky factor over the lower triangle of A, and with `solve` the solution over B. #}
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
{% if solve %}
        factor.solveInPlace(b);
{% endif %}
    }
    return 0;
}
