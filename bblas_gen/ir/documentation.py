"""What the public function of an operation says and takes beyond what follows from its row of the catalogue.

``blas.py`` and ``lapack.py`` are written from both by ``codegen.public``. An operation is in ``FUNCTIONS`` or, with the
reason, in ``INTERNAL``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class PublicFunction:
    """A function of ``module``. ``summary`` is one line; ``example`` a few that run, ``np`` and ``bb`` imported.

    ``operands``: of some, what they are, by their names in the table. ``order``: the operands as arguments, where that
    is not the order of the table. ``cost``: operations per matrix, where the row's count is not plain. ``required``:
    scalars without a default. ``real_result``: its numbers are real.
    """

    module: str
    summary: str
    example: str
    notes: str = ""
    operands: Mapping[str, str] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    cost: str = ""
    required: tuple[str, ...] = ()
    real_result: bool = False


_SYMMETRIC = {"A": "Symmetric."}
_TRIANGULAR = {"A": "Triangular."}
_FACTOR = {"A": "The factor that :func:`potrf` left."}
_PIVOTS = "The exchanges of rows."
_FACTORS = {"A": "The factors that :func:`getrf` left.", "IPIV": "The pivots that :func:`getrf` left."}
_PLAIN = {"A": "The factors that :func:`getrfnp` left."}
_NO_PIVOTING = (
    "No rows are exchanged, so a pivot may be zero in a matrix that is not singular, which is reported, or small, which"
    " makes results inaccurate. Matrices that are diagonally dominant, by rows or columns, need no pivoting."
)
_ZERO_DIAGONAL = (
    "A zero on the diagonal gives Inf and NaN, as in the BLAS; there is no test. The diagonal is inverted once and"
    " multiplied with, so none of its elements may be subnormal."
)
_HERMITIAN_RESULT = "The imaginary parts of the diagonal of C count as zero and become zero."
_ONE_PASS = "Matrices are read from memory and written to it once."

FUNCTIONS: dict[str, PublicFunction] = {
    "gemm": PublicFunction(
        "blas",
        "C := alpha op(A) op(B) + beta C.",
        """
>>> a = np.arange(12.0).reshape(3, 2, 2)
>>> bb.gemm(a, a)[1].tolist()
[[46.0, 55.0], [66.0, 79.0]]""",
        "0 and 1 as alpha and beta have code of their own.",
    ),
    "symm": PublicFunction(
        "blas",
        'C := alpha A B + beta C, or alpha B A + beta C with ``side`` "R"; A symmetric.',
        """
>>> a = np.array([[[2.0, np.nan], [1.0, 3.0]]])
>>> bb.symm(a, np.ones((1, 2, 1)))[0].tolist()
[[3.0], [4.0]]""",
        operands=_SYMMETRIC,
    ),
    "hemm": PublicFunction(
        "blas",
        'C := alpha A B + beta C, or alpha B A + beta C with ``side`` "R"; A Hermitian.',
        """
>>> a = np.array([[[2, np.nan], [1j, 3]]])
>>> bb.hemm(a, np.ones((1, 2, 1), complex))[0].tolist()
[[(2-1j)], [(3+1j)]]""",
        "The imaginary parts of the diagonal of A count as zero. For real dtypes this is :func:`symm`.",
        operands={"A": "Hermitian."},
    ),
    "syrk": PublicFunction(
        "blas",
        "C := alpha op(A) op(A)' + beta C; one triangle of C.",
        """
>>> bb.syrk(np.array([[[1.0], [2.0]]]))[0].tolist()
[[1.0, 0.0], [2.0, 4.0]]""",
    ),
    "herk": PublicFunction(
        "blas",
        "C := alpha op(A) op(A)* + beta C; one triangle of C; alpha and beta real.",
        """
>>> bb.herk(np.array([[[1], [2j]]]))[0].tolist()
[[(1+0j), 0j], [2j, (4+0j)]]""",
        _HERMITIAN_RESULT,
    ),
    "syr2k": PublicFunction(
        "blas",
        "C := alpha (op(A) op(B)' + op(B) op(A)') + beta C; one triangle of C.",
        """
>>> a, b = np.array([[[1.0], [2.0]]]), np.array([[[3.0], [4.0]]])
>>> bb.syr2k(a, b)[0].tolist()
[[6.0, 0.0], [10.0, 16.0]]""",
    ),
    "her2k": PublicFunction(
        "blas",
        "C := alpha op(A) op(B)* + conj(alpha) op(B) op(A)* + beta C; one triangle of C; beta real.",
        """
>>> a, b = np.array([[[1], [1j]]]), np.ones((1, 2, 1), complex)
>>> bb.her2k(a, b)[0].tolist()
[[(2+0j), 0j], [(1+1j), 0j]]""",
        _HERMITIAN_RESULT,
    ),
    "trmm": PublicFunction(
        "blas",
        'B := alpha op(A) B, or alpha B op(A) with ``side`` "R"; A triangular.',
        """
>>> a = np.array([[[2.0, np.nan], [1.0, 4.0]]])
>>> bb.trmm(a, np.ones((1, 2, 1)))[0].tolist()
[[2.0], [5.0]]""",
        operands=_TRIANGULAR,
    ),
    "trsm": PublicFunction(
        "blas",
        'Solve op(A) X = alpha B, or X op(A) = alpha B with ``side`` "R"; A triangular; X overwrites B.',
        """
>>> a = np.array([[[2.0, np.nan], [1.0, 4.0]]])
>>> bb.trsm(a, np.array([[[2.0], [9.0]]]))[0].tolist()
[[1.0], [2.0]]""",
        _ZERO_DIAGONAL,
        operands=_TRIANGULAR,
    ),
    "gemv": PublicFunction(
        "blas",
        "y := alpha op(A) x + beta y.",
        """
>>> a = np.array([[[1.0, 2.0], [3.0, 4.0]]])
>>> bb.gemv(a, np.ones((1, 2))).tolist()
[[3.0, 7.0]]""",
    ),
    "ger": PublicFunction(
        "blas",
        "A := alpha x y' + A.",
        """
>>> bb.ger(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0]]), np.zeros((1, 2, 2)))[0].tolist()
[[3.0, 4.0], [6.0, 8.0]]""",
        "Nothing is conjugated.",
    ),
    "gerc": PublicFunction(
        "blas",
        "A := alpha x y* + A.",
        """
>>> bb.gerc(np.array([[1, 2]], complex), np.array([[1j, 1]]), np.zeros((1, 2, 2), complex))[0].tolist()
[[-1j, (1+0j)], [-2j, (2+0j)]]""",
    ),
    "trsv": PublicFunction(
        "blas",
        "Solve op(A) z = x; A triangular; z overwrites x.",
        """
>>> a = np.array([[[2.0, np.nan], [1.0, 4.0]]])
>>> bb.trsv(a, np.array([[2.0, 9.0]])).tolist()
[[1.0, 2.0]]""",
        _ZERO_DIAGONAL,
        operands=_TRIANGULAR,
    ),
    "dot": PublicFunction(
        "blas",
        "x' y of every pair of vectors; nothing is conjugated.",
        """
>>> bb.dot(np.array([[1.0, 2.0, 3.0]]), np.ones((1, 3))).tolist()
[6.0]""",
    ),
    "dotc": PublicFunction(
        "blas",
        "x* y of every pair of vectors; x is conjugated.",
        """
>>> x = np.array([[1j, 1]])
>>> bb.dotc(x, x).tolist()
[(2+0j)]""",
    ),
    "nrm2": PublicFunction(
        "blas",
        "The 2-norm of every vector.",
        """
>>> bb.nrm2(np.array([[3.0, 4.0]])).tolist()
[5.0]""",
        "Squares neither overflow nor underflow where the norm does not.",
        real_result=True,
    ),
    "axpy": PublicFunction(
        "blas",
        "y := alpha x + y.",
        """
>>> bb.axpy(np.array([[1.0, 2.0]]), np.array([[10.0, 10.0]]), alpha=2.0).tolist()
[[12.0, 14.0]]""",
    ),
    "scal": PublicFunction(
        "blas",
        "x := alpha x.",
        """
>>> bb.scal(np.array([[1.0, 2.0]]), alpha=3.0).tolist()
[[3.0, 6.0]]""",
        "alpha = 0 writes zeros, over NaN too.",
        required=("alpha",),
    ),
    "potrf": PublicFunction(
        "lapack",
        'Factor A = L L*, or U* U with ``uplo`` "U"; A positive definite; the factor overwrites its triangle of A.',
        """
>>> bb.potrf(np.array([[[4.0, 2.0], [2.0, 5.0]]]), overwrite=False, clean=True)[0].tolist()
[[2.0, 0.0], [1.0, 2.0]]""",
        "The imaginary parts of the diagonal of A count as zero.",
        operands={"A": "Symmetric, or Hermitian, and positive definite."},
        cost="n**3 / 3",
    ),
    "potrs": PublicFunction(
        "lapack",
        "Solve A X = B with the factor that potrf left in A; X overwrites B.",
        """
>>> factor = np.array([[[2.0, 0.0], [1.0, 2.0]]])
>>> bb.potrs(factor, np.array([[[8.0], [12.0]]]))[0].tolist()
[[1.0], [2.0]]""",
        _ONE_PASS,
        operands=_FACTOR,
    ),
    "posv": PublicFunction(
        "lapack",
        "Solve A X = B; A positive definite; X overwrites B, and the factor overwrites A as in potrf.",
        """
>>> a, b = np.array([[[4.0, 0.0], [2.0, 5.0]]]), np.array([[[8.0], [12.0]]])
>>> bb.posv(a, b, overwrite=False)[0].tolist()
[[1.0], [2.0]]""",
        f"{_ONE_PASS} Where operands are kept, the factor is not returned.",
        operands={"A": "Symmetric, or Hermitian, and positive definite."},
        cost="n**3 / 3 + 2 n**2 nrhs",
    ),
    "potri": PublicFunction(
        "lapack",
        "Invert A with the factor that potrf left in A; the inverse overwrites its triangle.",
        """
>>> bb.potri(np.array([[[2.0, 0.0], [1.0, 2.0]]]), overwrite=False, symmetric=True)[0].tolist()
[[0.3125, -0.125], [-0.125, 0.25]]""",
        _ONE_PASS,
        operands=_FACTOR,
        cost="2 n**3 / 3",
    ),
    "trtri": PublicFunction(
        "lapack",
        "A := A**-1; A triangular.",
        """
>>> bb.trtri(np.array([[[2.0, 0.0], [1.0, 4.0]]]))[0].tolist()
[[0.5, 0.0], [-0.125, 0.25]]""",
        operands=_TRIANGULAR,
        cost="n**3 / 3",
    ),
    "lauum": PublicFunction(
        "lapack",
        'A := L* L, or U U* with ``uplo`` "U", of the triangle in A; the product overwrites it.',
        """
>>> bb.lauum(np.array([[[2.0, 0.0], [1.0, 2.0]]]))[0].tolist()
[[5.0, 0.0], [2.0, 4.0]]""",
        operands=_TRIANGULAR,
        cost="n**3 / 3",
    ),
    "getrf": PublicFunction(
        "lapack",
        "Factor A = P L U with partial pivoting; L and U overwrite A.",
        """
>>> lu, ipiv = bb.getrf(np.array([[[1.0, 2.0], [4.0, 6.0]]]))
>>> lu[0].tolist(), ipiv.tolist()
([[4.0, 6.0], [0.25, 0.5]], [[2, 2]])""",
        "Row i was exchanged with row ``ipiv[i]``, one exchange after another. L has ones on its diagonal, which are"
        " not stored. Pivots are chosen as LAPACK does, of complex numbers by abs(re) + abs(im); NaN is never larger."
        " Singular matrices are factored to the end.",
        operands={"IPIV": _PIVOTS},
        cost="2 n**3 / 3, where A is square,",
    ),
    "getrs": PublicFunction(
        "lapack",
        "Solve op(A) X = B with the factors and pivots that getrf left; X overwrites B.",
        """
>>> lu, ipiv = bb.getrf(np.array([[[1.0, 2.0], [4.0, 6.0]]]))
>>> bb.getrs(lu, ipiv, np.array([[[3.0], [10.0]]]))[0].tolist()
[[1.0], [1.0]]""",
        f"A singular factor is not noticed: its X is infinite or NaN. {_ONE_PASS}",
        operands=_FACTORS,
    ),
    "gesv": PublicFunction(
        "lapack",
        "Solve A X = B by LU with partial pivoting; X overwrites B, and the factors overwrite A as in getrf.",
        """
>>> a, b = np.array([[[1.0, 2.0], [4.0, 6.0]]]), np.array([[[3.0], [10.0]]])
>>> bb.gesv(a, b, overwrite=False)[0].tolist()
[[1.0], [1.0]]""",
        f"Right-hand sides of singular matrices keep their values. {_ONE_PASS} Where operands are kept, the factors"
        " are not returned, and ``ipiv`` is not taken.",
        operands={"IPIV": _PIVOTS},
        cost="2 n**3 / 3 + 2 n**2 nrhs",
    ),
    "getri": PublicFunction(
        "lapack",
        "Invert A with the factors and pivots that getrf left; the inverse overwrites A.",
        """
>>> bb.getri(*bb.getrf(np.array([[[1.0, 2.0], [4.0, 6.0]]])))[0].tolist()
[[-3.0, 1.0], [2.0, -0.5]]""",
        f"Singular matrices keep their factors. {_ONE_PASS}",
        operands=_FACTORS,
        cost="4 n**3 / 3",
    ),
    "getrfnp": PublicFunction(
        "lapack",
        "Factor A = L U without pivoting; L and U overwrite A.",
        """
>>> bb.getrfnp(np.array([[[4.0, 6.0], [1.0, 2.0]]]))[0].tolist()
[[4.0, 6.0], [0.25, 0.5]]""",
        f"{_NO_PIVOTING} L has ones on its diagonal, which are not stored. Where :func:`getrf` would exchange no rows"
        " the factors have the same bits.",
        cost="2 n**3 / 3, where A is square,",
    ),
    "getrsnp": PublicFunction(
        "lapack",
        "Solve op(A) X = B with the factors that getrfnp left; X overwrites B.",
        """
>>> lu = bb.getrfnp(np.array([[[4.0, 6.0], [1.0, 2.0]]]))
>>> bb.getrsnp(lu, np.array([[[10.0], [3.0]]]))[0].tolist()
[[1.0], [1.0]]""",
        f"A singular factor is not noticed: its X is infinite or NaN. {_ONE_PASS}",
        operands=_PLAIN,
    ),
    "gesvnp": PublicFunction(
        "lapack",
        "Solve A X = B by LU without pivoting; X overwrites B, and the factors overwrite A as in getrfnp.",
        """
>>> a, b = np.array([[[4.0, 6.0], [1.0, 2.0]]]), np.array([[[10.0], [3.0]]])
>>> bb.gesvnp(a, b, overwrite=False)[0].tolist()
[[1.0], [1.0]]""",
        f"{_NO_PIVOTING} Right-hand sides of matrices with such a pivot keep their values. {_ONE_PASS} Where operands"
        " are kept, the factors are not returned.",
        cost="2 n**3 / 3 + 2 n**2 nrhs",
    ),
    "getrinp": PublicFunction(
        "lapack",
        "Invert A with the factors that getrfnp left; the inverse overwrites A.",
        """
>>> bb.getrinp(bb.getrfnp(np.array([[[4.0, 6.0], [1.0, 2.0]]])))[0].tolist()
[[1.0, -3.0], [-0.5, 2.0]]""",
        f"Singular matrices keep their factors. {_ONE_PASS}",
        operands=_PLAIN,
        cost="4 n**3 / 3",
    ),
    "geadd": PublicFunction(
        "lapack",
        "B := alpha op(A) + beta B.",
        """
>>> bb.geadd(np.ones((1, 1, 2)), np.full((1, 1, 2), 4.0), alpha=2.0, beta=0.5).tolist()
[[[4.0, 4.0]]]""",
        required=("beta",),
    ),
    "lascl": PublicFunction(
        "lapack",
        "A := alpha A.",
        """
>>> bb.lascl(np.array([[[1.0, 2.0]]]), alpha=3.0).tolist()
[[[3.0, 6.0]]]""",
        "alpha = 0 writes zeros, over NaN too. :func:`scal` does the same with vectors.",
        required=("alpha",),
    ),
    "adddiag": PublicFunction(
        "lapack",
        "A := alpha I + A.",
        """
>>> bb.adddiag(np.array([[[1.0, 2.0], [3.0, 4.0]]]), alpha=0.5)[0].tolist()
[[1.5, 2.0], [3.0, 4.5]]""",
        required=("alpha",),
    ),
    "logdet": PublicFunction(
        "lapack",
        "log(det(A)) with the factor that potrf left in A: twice the sum of the logarithms of its diagonal.",
        """
>>> bb.logdet(bb.potrf(np.array([[[4.0, 0.0], [2.0, 5.0]]]))).tolist()  # log(16)
[2.772588722239781]""",
        "Signs and imaginary parts of the diagonal do not count, so half of it is log(abs(det(A))) with the real"
        " factors that :func:`getrf` left. A zero gives -Inf, Inf gives Inf, both give NaN. The diagonal is multiplied"
        " to twice the precision, exponents apart, and one logarithm taken: the error is below 1 ulp, or (n eps)**2"
        " where that is more.",
        operands=_FACTOR,
        real_result=True,
    ),
}

INTERNAL = {
    "laswp": "a step of getrs, gesv and getri",
    "gedet": "the last step of linalg.det and linalg.slogdet",
    "trilu": "a step of getri and getrinp",
    "trti2": "trtri tests the diagonal first",
    "checkdiag": "a step of trtri and potri",
    "laset": "a step of potrf and trtri with clean",
    "lasym": "a step of potri and lauum with symmetric",
    "lacpy": "interleave and deinterleave copy between layouts",
}
"""Operations without a function of their own, and why."""
