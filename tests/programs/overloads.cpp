// A program in C++17 that calls one name for several precisions. It exits with the number of what went wrong.
#include "small.hpp"
#include <array>
#include <iostream>
#include <vector>

template <typename T> static bool product()
{
    // [1 2; 3 4] [0 1; 1 0] for two matrices, the second a row-major transpose
    const std::vector<T> a = { 1, 3, 2, 4, 1, 3, 2, 4 }, b = { 0, 1, 1, 0, 0, 1, 1, 0 };
    std::vector<T> c(8, T(7)), d(8, T(7));
    const std::vector<T> expected = { 2, 4, 1, 3, 2, 4, 1, 3 };
    std::array<const T *, 2> as = { a.data(), a.data() + 4 }, bs = { b.data(), b.data() + 4 };
    std::array<T *, 2> ds = { d.data(), d.data() + 4 };
    const int first = small::gemm_pp(SMALL_COL_MAJOR, SMALL_NO_TRANS, SMALL_NO_TRANS, 2, 2, 2, T(1), as.data(), 2,
                                     bs.data(), 2, T(0), ds.data(), 2, 2, 0);
    return first == 0 && d == expected;
}

int main()
{
    using complex = std::complex<double>;
    if (!product<double>() || !product<float>())
        return 1;

    const complex i(0, 1);
    const std::array<complex, 2> x = { complex(1, 2), complex(3, 0) };
    std::array<complex, 2> y = { complex(1, 0), complex(0, 0) };
    if (small::axpy_st(2, i, x.data(), 1, 2, y.data(), -1, 2, 1, 0) != 0 || y[1] != complex(-2, 1) || y[0] != complex(1, 3))
        return 2;

    const std::array<const complex *, 2> as = { &x[0], &x[1] };
    const std::array<complex *, 2> cs = { &y[0], &y[1] };
    const std::array<int, 2> uplo = { SMALL_UPPER, SMALL_LOWER }, trans = { SMALL_NO_TRANS, SMALL_TRANS };
    const std::array<std::int64_t, 2> one = { 1, 1 };
    const std::array<complex, 2> alpha = { complex(1, 0), i }, beta = { complex(0, 0), complex(0, 0) };
    if (small::syrk_variable(SMALL_COL_MAJOR, uplo.data(), trans.data(), one.data(), one.data(), alpha.data(), as.data(),
                             one.data(), beta.data(), cs.data(), one.data(), 2, 0) != 0)
        return 3;
    if (y[0] != complex(-3, 4) || y[1] != complex(0, 9))
        return 4;
    std::cout << "done\n";
    return 0;
}
