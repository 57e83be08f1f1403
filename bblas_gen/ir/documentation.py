"""What the public function of an operation says and takes beyond what follows from its row of the catalogue.

``blas.py`` and ``lapack.py`` are written from both by ``codegen.public``. An operation is in ``FUNCTIONS`` or, with the
reason, in ``INTERNAL``.
"""

from __future__ import annotations

from .documented import ONE_PASS, PublicFunction
from .factorizations import FACTORIZATIONS

_SYMMETRIC = {"A": "Symmetric."}
_TRIANGULAR = {"A": "Triangular."}
_FACTOR = {"A": "The factor that :func:`potrf` left."}
_ZERO_DIAGONAL = (
    "Singularity is not tested, as in the BLAS: a zero on the diagonal gives Inf and NaN. The solve multiplies by"
    " inverses of the diagonal, so none of its elements may be subnormal."
)
_HERMITIAN_RESULT = "The imaginary parts of the diagonal of C count as zero and become zero."

FUNCTIONS: dict[str, PublicFunction] = {
    "gemm": PublicFunction(
        "blas",
        "C := alpha op(A) op(B) + beta C.",
        """
>>> a = np.arange(12.0).reshape(3, 2, 2)
>>> bb.gemm(a, a)[1].tolist()
[[46.0, 55.0], [66.0, 79.0]]""",
        "For alpha and beta of 0 and 1 there is faster code.",
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
        ONE_PASS,
        operands=_FACTOR,
    ),
    "posv": PublicFunction(
        "lapack",
        "Solve A X = B; A positive definite; X overwrites B, and the factor overwrites A as in potrf.",
        """
>>> a, b = np.array([[[4.0, 0.0], [2.0, 5.0]]]), np.array([[[8.0], [12.0]]])
>>> bb.posv(a, b, overwrite=False)[0].tolist()
[[1.0], [2.0]]""",
        f"{ONE_PASS} With ``overwrite=False`` or ``out``, the factor is not returned.",
        operands={"A": "Symmetric, or Hermitian, and positive definite."},
        cost="n**3 / 3 + 2 n**2 nrhs",
    ),
    "potri": PublicFunction(
        "lapack",
        "Invert A with the factor that potrf left in A; the inverse overwrites its triangle.",
        """
>>> bb.potri(np.array([[[2.0, 0.0], [1.0, 2.0]]]), overwrite=False, symmetric=True)[0].tolist()
[[0.3125, -0.125], [-0.125, 0.25]]""",
        ONE_PASS,
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
    **FACTORIZATIONS,
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
    "gedet": "the last step of linalg.det",
    "geslogdet": "the last step of linalg.slogdet",
    "getaylor": "the first step of linalg.expm of small orders",
    "halve": "the first step of linalg.expm of larger orders",
    "gepade7": "a step of linalg.expm of these in single precision",
    "gepade13": "a step of linalg.expm of these",
    "squaring": "a step of linalg.expm",
    "similar": "the last step of linalg.expm of larger orders",
    "posqrt": "linalg.sqrtm does it",
    "trilu": "a step of getri and getrinp",
    "trti2": "trtri tests the diagonal first",
    "checkdiag": "a step of trtri and potri",
    "laset": "a step of potrf and trtri with clean",
    "sygst": "the second step of sygv",
    "triu": "a step of linalg.qr",
    "lasym": "a step of potri and lauum with symmetric",
    "lacpy": "interleave and deinterleave copy between layouts",
}
"""Operations without a function of their own, and why."""
