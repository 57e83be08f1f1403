{# Eigen on stacks of its own column-major matrices, of sizes that the compiler knows: a function for each call. #}
#define EIGEN_DONT_PARALLELIZE
#define EIGEN_NO_DEBUG
#define EIGEN_STACK_ALLOCATION_LIMIT 0
#include <Eigen/Dense>
#include <complex>
#include <cstdint>
#include <type_traits>
#include <unsupported/Eigen/MatrixFunctions>

typedef {{ real }} real;
typedef {{ "std::complex<real>" if complex else "real" }} element;

template <class S, class B, class X> static void solve(const S &s, const B &b, X &x)
{
    x = s.partialPivLu().solve(b);
}

template <class S, class X> static void inv(const S &s, X &x)
{
    x = s.inverse();
}

template <class S, class D> static void det(const S &s, D &d)
{
    d(0) = s.determinant();
}

template <class S, class D, class L> static void slogdet(const S &s, D &d, L &l)
{
    const Eigen::PartialPivLU<typename S::PlainObject> lu(s);
    const auto pivots = lu.matrixLU().diagonal().array();
    l(0) = pivots.abs().log().sum();
    d(0) = (pivots / pivots.abs()).prod() * real(lu.permutationP().determinant());
}

template <class S, class L> static void cholesky(const S &s, L &l)
{
    l = s.llt().matrixL();
}

template <class A, class X> static void expm(const A &a, X &x)
{
    x = a.exp();
}

template <class S, class X> static void sqrtm(const S &s, X &x)
{
    x = Eigen::SelfAdjointEigenSolver<typename S::PlainObject>(s).operatorSqrt();
}

template <class A, class B, class C> static void matmul(const A &a, const B &b, C &c)
{
    c.noalias() = a * b;
}

template <class A, class X, class Y> static void matvec(const A &a, const X &x, Y &y)
{
    y.noalias() = a * x;
}

template <class X, class Y, class Z> static void vecdot(const X &x, const Y &y, Z &z)
{
    z(0) = x.dot(y);
}

{% include "bench/stacks/eigen_decompositions.cpp" %}
{% for function in functions %}

extern "C" void bb_{{ function.name }}({% for x in function.operands %}{{ x.type }} *at_{{ x.name }}, {% endfor %}int64_t batch, int threads)
{
    (void)threads;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (int64_t p = 0; p < batch; p++) {
{% for x in function.operands %}
        Eigen::Map<{{ "const " if not x.written }}Eigen::Matrix<{{ x.type }}, {{ x.rows }}, {{ x.cols }}>> {{ x.name }}(at_{{ x.name }} + p * {{ x.rows * x.cols }});
{% endfor %}
        {{ function.name }}({{ function.operands | map(attribute="name") | join(", ") }});
    }
}
{% endfor %}
