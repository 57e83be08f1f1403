{# Eigen for any size, with the parameters of the Fortran interface; flags are those of the problem. #}
#define EIGEN_NO_DEBUG
#include <Eigen/Dense>
#include <complex>

typedef {{ "std::complex<" ~ real ~ ">" if complex else real }} scalar;
typedef const int *size;
typedef const char *letter;
typedef Eigen::Matrix<scalar, Eigen::Dynamic, Eigen::Dynamic> dense;
typedef Eigen::Map<dense, 0, Eigen::OuterStride<>> matrix;
typedef Eigen::Map<Eigen::Matrix<scalar, Eigen::Dynamic, 1>> vector;
typedef Eigen::Ref<dense, 0, Eigen::OuterStride<>> block;

static inline matrix at(scalar *p, size rows, size cols, size ld) { return matrix(p, *rows, *cols, Eigen::OuterStride<>(*ld)); }
static inline vector at(scalar *p, size count) { return vector(p, *count); }
