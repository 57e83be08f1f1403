#define EIGEN_DONT_PARALLELIZE
#define EIGEN_NO_DEBUG
#define EIGEN_STACK_ALLOCATION_LIMIT 0
#include <Eigen/Core>
#include <complex>
{% include "bench/peer/head.c" %}
typedef {{ "std::complex<bb_real>" if complex else "bb_real" }} bb_element;

/* Row-major, as the arrays are; a single column must be column-major for Eigen. */
template <int rows, int cols>
using matrix = Eigen::Matrix<bb_element, rows, cols, (cols == 1 && rows > 1) ? Eigen::ColMajor : Eigen::RowMajor>;
{% for x in operands %}
typedef matrix<{{ x.cols }}, {{ x.rows }}> matrix_{{ x.name }};
{% endfor %}
/* The operands of matrix p by small letters. */
#define MATRICES(p)                                                                                                    \
{% for x in operands %}
    {% set const = "const " if not x.written %}
    Eigen::Map<{{ const }}matrix_{{ x.name }}> {{ x.name | lower }}(({{ const }}bb_element *)({{ x.name }} + p * STEP_{{ x.name }})); \
{% endfor %}
    static_assert(true, "")
