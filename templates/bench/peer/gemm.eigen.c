#define EIGEN_DONT_PARALLELIZE
#define EIGEN_NO_DEBUG
#include <Eigen/Core>
#include <complex>
{% include "bench/peer/head.c" %}
{% set element = "std::complex<bb_real>" if complex else "bb_real" %}

/* {{ m }} x {{ k }} and so on; a single row must be row-major for Eigen. */
template <int rows, int cols>
using matrix = Eigen::Matrix<{{ element }}, rows, cols, (rows == 1 && cols > 1) ? Eigen::RowMajor : Eigen::ColMajor>;

extern "C" int bb_peer(ARGUMENTS)
{
    (void)work;
    EACH_MATRIX
    {
        const Eigen::Map<const matrix<M, K>> a((const {{ element }} *)(A + p * STEP_A));
        const Eigen::Map<const matrix<K, N>> b((const {{ element }} *)(B + p * STEP_B));
        Eigen::Map<matrix<M, N>>(({{ element }} *)(C + p * STEP_C)).noalias() {{ "+=" if beta else "=" }} a * b;
    }
    return 0;
}
