"""Level 1, 2 and 3 of the BLAS on batches.

What holds for all of them. Matrices are arrays (batch, rows, columns) of float32, float64, complex64 or complex128,
lists of 2-D arrays of one shape, or :class:`Interleaved`; all of one dtype, of any strides; one matrix for the whole
batch may be a 2-D array. Vectors are arrays (batch, n), lists of 1-D arrays, one 1-D array for all, or an Interleaved
of one column. Flags are letters: ``side`` "L" or "R"; ``uplo`` "L" or "U", the triangle that counts: the other has no
influence and keeps its values (copies of arrays may rewrite it with the same bits); ``trans`` "N", "T" or "C"; ``diag``
"N" or "U", a diagonal of ones that is not read. The operand that is changed is changed in place and returned, unless
``out`` is given, which then has the result. ``num_threads``: None leaves it to OpenMP; results do not depend on it.
``alpha`` = 0 reads no other operand, ``beta`` = 0 does not read what is overwritten. Operation counts are for real
dtypes; complex ones take 4 times as many.

TypeError (kind, dtype) and ValueError (shape, flag, overlap, read-only output) name the argument; nothing is written.
"""

from __future__ import annotations

from typing import Any

from .ir.catalog import OPS
from .runtime.call import execute
from .runtime.invoke import invoke, new_result, reduce, vector

GEMM = OPS["gemm"]


def gemm(
    a: Any,
    b: Any,
    c: Any = None,
    *,
    alpha: complex = 1.0,
    beta: complex = 0.0,
    transa: str = "N",
    transb: str = "N",
    num_threads: int | None = None,
) -> Any:
    """C := alpha op(A) op(B) + beta C for every matrix of a batch.

    op(X) is X, its transpose or its conjugate transpose, as ``transa`` and ``transb`` say ("N", "T", "C"; "R" is the
    conjugate alone). op(A) is m x k, op(B) k x n, C m x n.

    Parameters
    ----------
    a, b
        Arrays (batch, rows, columns) of float32, float64, complex64 or complex128 (all alike), lists of 2-D arrays of
        one shape, or :class:`Interleaved`. One matrix for the whole batch is a 2-D array, or a batch stride of 0.
        Read; not at all if ``alpha`` is 0.
    c
        The same kinds, overwritten in place and returned; read only if ``beta`` is not 0. None makes a new one: a
        C-contiguous array, a list if ``a`` is one, an Interleaved if ``a`` is one.
    alpha, beta
        Numbers, not NaN. 0 and 1 have code of their own.
    num_threads
        None: as many as OpenMP offers, one below a break-even size. Results do not depend on it, bit by bit.

    Arrays may have any strides, row- or column-major or neither, negative or (inputs) zero ones too: nothing is
    copied, but for operands that are not aligned or whose strides are not a whole number of elements, and lists whose
    arrays have different strides. 2 m n k operations per matrix, 4 times that if complex.

    Raises TypeError (kind, dtype) and ValueError (shape, overlap, read-only output), naming the argument; outputs are
    untouched then. Source: BLAS xGEMM; Dongarra et al., ICCS 2017, doi:10.1016/j.procs.2017.05.138.
    """
    fresh = c is None
    if fresh:
        c = new_result(GEMM, {"A": a, "B": b}, {"transa": transa, "transb": transb}, {"beta": beta})
    flags, scalars = {"transa": transa, "transb": transb}, {"alpha": alpha, "beta": beta}
    execute(GEMM, {"A": a, "B": b, "C": c}, flags, scalars, num_threads, fresh=fresh)
    return c


def symm(
    a: Any,
    b: Any,
    c: Any,
    *,
    alpha: complex = 1.0,
    beta: complex = 0.0,
    side: str = "L",
    uplo: str = "L",
    num_threads: int | None = None,
) -> Any:
    """C := alpha A B + beta C, or alpha B A + beta C with ``side`` "R", A symmetric, one triangle of it read.

    B and C are m x n; 2 m n m (or 2 m n n) operations. Source: BLAS xSYMM.
    """
    return invoke(
        OPS["symm"], {"A": a, "B": b, "C": c}, {"side": side, "uplo": uplo}, {"alpha": alpha, "beta": beta}, num_threads
    )


def hemm(
    a: Any,
    b: Any,
    c: Any,
    *,
    alpha: complex = 1.0,
    beta: complex = 0.0,
    side: str = "L",
    uplo: str = "L",
    num_threads: int | None = None,
) -> Any:
    """C := alpha A B + beta C, or alpha B A + beta C, A Hermitian: imaginary parts of its diagonal count as zero.

    For real dtypes this is :func:`symm`. Source: BLAS xHEMM.
    """
    return invoke(
        OPS["hemm"], {"A": a, "B": b, "C": c}, {"side": side, "uplo": uplo}, {"alpha": alpha, "beta": beta}, num_threads
    )


def syrk(
    a: Any,
    c: Any,
    *,
    alpha: complex = 1.0,
    beta: complex = 0.0,
    uplo: str = "L",
    trans: str = "N",
    num_threads: int | None = None,
) -> Any:
    """C := alpha op(A) op(A)' + beta C, one triangle; op(A) is n x k: A, or A' with ``trans`` "T".

    k n (n + 1) operations. Source: BLAS xSYRK.
    """
    return invoke(
        OPS["syrk"], {"A": a, "C": c}, {"uplo": uplo, "trans": trans}, {"alpha": alpha, "beta": beta}, num_threads
    )


def herk(
    a: Any,
    c: Any,
    *,
    alpha: float = 1.0,
    beta: float = 0.0,
    uplo: str = "L",
    trans: str = "N",
    num_threads: int | None = None,
) -> Any:
    """C := alpha op(A) op(A)* + beta C, one triangle; op(A) is n x k: A, or A* with ``trans`` "C"; alpha and beta real.

    The imaginary parts of C's diagonal count as zero and become zero. Source: BLAS xHERK.
    """
    return invoke(
        OPS["herk"], {"A": a, "C": c}, {"uplo": uplo, "trans": trans}, {"alpha": alpha, "beta": beta}, num_threads
    )


def syr2k(
    a: Any,
    b: Any,
    c: Any,
    *,
    alpha: complex = 1.0,
    beta: complex = 0.0,
    uplo: str = "L",
    trans: str = "N",
    num_threads: int | None = None,
) -> Any:
    """C := alpha (op(A) op(B)' + op(B) op(A)') + beta C, one triangle; op(A) and op(B) are n x k.

    2 k n (n + 1) operations. Source: BLAS xSYR2K.
    """
    return invoke(
        OPS["syr2k"],
        {"A": a, "B": b, "C": c},
        {"uplo": uplo, "trans": trans},
        {"alpha": alpha, "beta": beta},
        num_threads,
    )


def her2k(
    a: Any,
    b: Any,
    c: Any,
    *,
    alpha: complex = 1.0,
    beta: float = 0.0,
    uplo: str = "L",
    trans: str = "N",
    num_threads: int | None = None,
) -> Any:
    """C := alpha op(A) op(B)* + conj(alpha) op(B) op(A)* + beta C, one triangle, its diagonal real; beta real.

    Source: BLAS xHER2K.
    """
    return invoke(
        OPS["her2k"],
        {"A": a, "B": b, "C": c},
        {"uplo": uplo, "trans": trans},
        {"alpha": alpha, "beta": beta},
        num_threads,
    )


def trmm(
    a: Any,
    b: Any,
    *,
    alpha: complex = 1.0,
    side: str = "L",
    uplo: str = "L",
    transa: str = "N",
    diag: str = "N",
    out: Any = None,
    num_threads: int | None = None,
) -> Any:
    """B := alpha op(A) B, or alpha B op(A) with ``side`` "R", A triangular; B is m x n.

    m n m (or m n n) operations. Source: BLAS xTRMM.
    """
    return invoke(
        OPS["trmm"],
        {"A": a, "B": b},
        {"side": side, "uplo": uplo, "transa": transa, "diag": diag},
        {"alpha": alpha},
        num_threads,
        out=out,
    )


def trsm(
    a: Any,
    b: Any,
    *,
    alpha: complex = 1.0,
    side: str = "L",
    uplo: str = "L",
    transa: str = "N",
    diag: str = "N",
    out: Any = None,
    num_threads: int | None = None,
) -> Any:
    """X with op(A) X = alpha B, or X op(A) = alpha B with ``side`` "R", A triangular, overwrites B, m x n.

    A zero on the diagonal gives Inf and NaN, as in the BLAS; there is no test. The diagonal is inverted once and
    multiplied with, so an element of it must be no subnormal number. m n m (or m n n) operations. Source: BLAS xTRSM;
    Dongarra et al., Euro-Par 2017, doi:10.1007/978-3-319-64203-1_37.
    """
    return invoke(
        OPS["trsm"],
        {"A": a, "B": b},
        {"side": side, "uplo": uplo, "transa": transa, "diag": diag},
        {"alpha": alpha},
        num_threads,
        out=out,
    )


def gemv(
    a: Any,
    x: Any,
    y: Any,
    *,
    alpha: complex = 1.0,
    beta: complex = 0.0,
    trans: str = "N",
    num_threads: int | None = None,
) -> Any:
    """y := alpha op(A) x + beta y; op(A) is m x n. 2 m n operations. Source: BLAS xGEMV."""
    invoke(
        OPS["gemv"],
        {"A": a, "X": vector("x", x), "Y": vector("y", y)},
        {"trans": trans},
        {"alpha": alpha, "beta": beta},
        num_threads,
    )
    return y


def ger(x: Any, y: Any, a: Any, *, alpha: complex = 1.0, num_threads: int | None = None) -> Any:
    """A := alpha x y' + A, A m x n. 2 m n operations. Source: BLAS xGER, xGERU."""
    return invoke(OPS["ger"], {"X": vector("x", x), "Y": vector("y", y), "A": a}, {}, {"alpha": alpha}, num_threads)


def gerc(x: Any, y: Any, a: Any, *, alpha: complex = 1.0, num_threads: int | None = None) -> Any:
    """A := alpha x y* + A, A m x n. Source: BLAS xGERC."""
    return invoke(OPS["gerc"], {"X": vector("x", x), "Y": vector("y", y), "A": a}, {}, {"alpha": alpha}, num_threads)


def trsv(a: Any, x: Any, *, uplo: str = "L", trans: str = "N", diag: str = "N", num_threads: int | None = None) -> Any:
    """The solution of op(A) z = x, A triangular, overwrites x; see :func:`trsm`. n n operations. Source: BLAS xTRSV."""
    invoke(OPS["trsv"], {"A": a, "X": vector("x", x)}, {"uplo": uplo, "trans": trans, "diag": diag}, {}, num_threads)
    return x


def dot(x: Any, y: Any, *, num_threads: int | None = None) -> Any:
    """x' y of every pair, a new array (batch,); nothing is conjugated. 2 n operations. Source: BLAS xDOT, xDOTU."""
    return reduce(OPS["dot"], {"X": vector("x", x), "Y": vector("y", y)}, num_threads)


def dotc(x: Any, y: Any, *, num_threads: int | None = None) -> Any:
    """x* y of every pair, a new array (batch,): x is conjugated. Source: BLAS xDOTC."""
    return reduce(OPS["dotc"], {"X": vector("x", x), "Y": vector("y", y)}, num_threads)


def nrm2(x: Any, *, num_threads: int | None = None) -> Any:
    """The 2-norm of every vector, a new real array (batch,). Neither overflows nor vanishes before its time.

    Source: BLAS xNRM2.
    """
    return reduce(OPS["nrm2"], {"X": vector("x", x)}, num_threads).real


def axpy(x: Any, y: Any, *, alpha: complex = 1.0, num_threads: int | None = None) -> Any:
    """y := alpha x + y. 2 n operations. Source: BLAS xAXPY."""
    invoke(OPS["axpy"], {"X": vector("x", x), "Y": vector("y", y)}, {}, {"alpha": alpha}, num_threads)
    return y


def scal(x: Any, *, alpha: complex, num_threads: int | None = None) -> Any:
    """x := alpha x; ``alpha`` = 0 makes zeros of NaN too. n operations. Source: BLAS xSCAL."""
    invoke(OPS["scal"], {"X": vector("x", x)}, {}, {"alpha": alpha}, num_threads)
    return x
