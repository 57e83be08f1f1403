{# QR, least squares, eigenvalues and singular values by Eigen. #}
template <class A, class Q, class R> static void qr(const A &a, Q &q, R &r)
{
    const Eigen::HouseholderQR<typename A::PlainObject> found(a);
    q = found.householderQ();
    r = found.matrixQR().template triangularView<Eigen::Upper>();
}

template <class A, class H, class T> static void qr_raw(const A &a, H &h, T &t)
{
    const Eigen::HouseholderQR<typename A::PlainObject> found(a);
    h = found.matrixQR();
    t = found.hCoeffs();
}

template <class A, class B, class X> static void lstsq(const A &a, const B &b, X &x)
{
    x = a.householderQr().solve(b);
}

/* In closed form to order 3, where there is one. */
template <class S, class W, class V> static void eigh(const S &s, W &w, V &v)
{
    Eigen::SelfAdjointEigenSolver<typename S::PlainObject> found;
    found.computeDirect(s);
    w = found.eigenvalues();
    v = found.eigenvectors();
}

template <class S, class W> static void eigvalsh(const S &s, W &w)
{
    Eigen::SelfAdjointEigenSolver<typename S::PlainObject> found;
    w = found.computeDirect(s, Eigen::EigenvaluesOnly).eigenvalues();
}

/* Divide and conquer is for larger matrices. */
template <class A>
using decomposed = typename std::conditional<A::RowsAtCompileTime < 16, Eigen::JacobiSVD<typename A::PlainObject>, Eigen::BDCSVD<typename A::PlainObject>>::type;

template <class A, class U, class S, class V> static void svd(const A &a, U &u, S &s, V &v)
{
    const decomposed<A> found(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
    u = found.matrixU();
    s = found.singularValues();
    v = found.matrixV().adjoint();
}

template <class A, class S> static void svdvals(const A &a, S &s)
{
    s = decomposed<A>(a).singularValues();
}
