#define EIGEN_DONT_PARALLELIZE
#define EIGEN_NO_DEBUG
#define EIGEN_STACK_ALLOCATION_LIMIT 0
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <complex>
{% include "bench/peer/head.c" %}
{% set element = "std::complex<bb_real>" if complex else "bb_real" %}

/* Row-major, as the arrays are; a single column must be column-major for Eigen. */
template <int rows, int cols>
using matrix = Eigen::Matrix<{{ element }}, rows, cols, (cols == 1 && rows > 1) ? Eigen::ColMajor : Eigen::RowMajor>;
{% for x in operands %}
typedef matrix<{{ x.cols }}, {{ x.rows }}> matrix_{{ x.name }};
{% endfor %}
/* The operands of matrix p by small letters. */
#define MATRICES(p)                                                                                                    \
{% for x in operands %}
    {% set const = "const " if not x.written %}
    Eigen::Map<{{ const }}matrix_{{ x.name }}> {{ x.name | lower }}(({{ const }}{{ element }} *)({{ x.name }} + p * STEP_{{ x.name }})); \
{% endfor %}
    static_assert(true, "")
