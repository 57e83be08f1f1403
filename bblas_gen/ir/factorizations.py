"""What the public functions of factorizations with pivots or reflections say and take; see ``documentation``."""

from __future__ import annotations

from .documented import ONE_PASS, PublicFunction

_PIVOTS = "The exchanges of rows."
_FACTORS = {"A": "The factors that :func:`getrf` left.", "IPIV": "The pivots that :func:`getrf` left."}
_PLAIN = {"A": "The factors that :func:`getrfnp` left."}
_NO_PIVOTING = (
    "No rows are exchanged, so a pivot may be zero in a matrix that is not singular, which is reported, or small, which"
    " makes results inaccurate. Matrices that are diagonally dominant, by rows or columns, need no pivoting."
)
_REFLECTIONS = {
    "A": "The vectors of the reflections that :func:`geqrf` left, below the diagonal.",
    "TAU": "The factors of the reflections that :func:`geqrf` left.",
}
_VALUES = "The singular values, real, the largest first."
_SINGULAR = (
    "Entries may be as large or small as there are. Matrices with NaN or Inf are reported as 1, and have NaN for"
    " results; others whose iteration does not end as the number of pairs of columns that are left."
)

FACTORIZATIONS: dict[str, PublicFunction] = {
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
        f"A singular factor is not noticed: its X is infinite or NaN. {ONE_PASS}",
        operands=_FACTORS,
    ),
    "gesv": PublicFunction(
        "lapack",
        "Solve A X = B by LU with partial pivoting; X overwrites B, and the factors overwrite A as in getrf.",
        """
>>> a, b = np.array([[[1.0, 2.0], [4.0, 6.0]]]), np.array([[[3.0], [10.0]]])
>>> bb.gesv(a, b, overwrite=False)[0].tolist()
[[1.0], [1.0]]""",
        f"Right-hand sides of singular matrices keep their values. {ONE_PASS} Where operands are kept, the factors"
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
        f"Singular matrices keep their factors. {ONE_PASS}",
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
        f"A singular factor is not noticed: its X is infinite or NaN. {ONE_PASS}",
        operands=_PLAIN,
    ),
    "gesvnp": PublicFunction(
        "lapack",
        "Solve A X = B by LU without pivoting; X overwrites B, and the factors overwrite A as in getrfnp.",
        """
>>> a, b = np.array([[[4.0, 6.0], [1.0, 2.0]]]), np.array([[[10.0], [3.0]]])
>>> bb.gesvnp(a, b, overwrite=False)[0].tolist()
[[1.0], [1.0]]""",
        f"{_NO_PIVOTING} Right-hand sides of matrices with such a pivot keep their values. {ONE_PASS} Where operands"
        " are kept, the factors are not returned.",
        cost="2 n**3 / 3 + 2 n**2 nrhs",
    ),
    "getrinp": PublicFunction(
        "lapack",
        "Invert A with the factors that getrfnp left; the inverse overwrites A.",
        """
>>> bb.getrinp(bb.getrfnp(np.array([[[4.0, 6.0], [1.0, 2.0]]])))[0].tolist()
[[1.0, -3.0], [-0.5, 2.0]]""",
        f"Singular matrices keep their factors. {ONE_PASS}",
        operands=_PLAIN,
        cost="4 n**3 / 3",
    ),
    "geqrf": PublicFunction(
        "lapack",
        "Factor A = Q R by Householder reflections; R and the vectors of the reflections overwrite A.",
        """
>>> qr, tau = bb.geqrf(np.array([[[3.0, 5.0], [4.0, 10.0]]]))
>>> qr[0].round(12).tolist(), tau.round(12).tolist()
([[-5.0, -11.0], [0.5, 2.0]], [[1.6, 0.0]])""",
        "Q is the product of H_i = I - tau_i v_i v_i*, one after another. R is on and above the diagonal, v_i below it"
        " in column i, without its one. Signs are those of LAPACK, so the diagonal of R is real. Entries may be"
        " as large or small as there are: a column whose squares would overflow or vanish is scaled.",
        operands={"TAU": "The factors of the reflections."},
        cost="4 n**3 / 3, where A is square,",
    ),
    "ormqr": PublicFunction(
        "lapack",
        'C := op(Q) C, or C op(Q) with ``side`` "R", with the reflections that geqrf left.',
        """
>>> qr, tau = bb.geqrf(np.array([[[3.0, 5.0], [4.0, 10.0]]]))
>>> bb.ormqr(qr, tau, np.array([[[3.0], [4.0]]]), trans="C")[0].round(12).tolist()
[[-5.0], [0.0]]""",
        "For complex dtypes this is LAPACK's unmqr.",
        operands=_REFLECTIONS,
    ),
    "orgqr": PublicFunction(
        "lapack",
        "The first columns of Q with the reflections that geqrf left; they overwrite A.",
        """
>>> q = bb.orgqr(*bb.geqrf(np.array([[[3.0, 5.0], [4.0, 10.0]]])))
>>> q[0].round(12).tolist()
[[-0.6, -0.8], [-0.8, 0.6]]""",
        "A may have more columns than there are reflections, as many as rows for all of Q. For complex dtypes this is"
        " LAPACK's ungqr.",
        operands=_REFLECTIONS,
    ),
    "geqp3": PublicFunction(
        "lapack",
        "Factor A P = Q R with pivoting of columns; R and the vectors of the reflections overwrite A.",
        """
>>> qr, jpvt, tau = bb.geqp3(np.array([[[3.0, 5.0], [4.0, 10.0]]]))
>>> jpvt.tolist(), abs(np.diagonal(qr[0])).round(6).tolist()
([[2, 1]], [11.18034, 0.894427])""",
        "Column j of A P is column ``jpvt[j]`` of A. The next one is the longest of those that are left, below the rows"
        " that are done; the first of several, and NaN is never longer. So the diagonal of R falls, and where it falls"
        " to nothing the rank ends, but for rare matrices. Lengths are brought down from step to step, as in LAPACK,"
        " and computed anew where too few of their digits are left. No columns are fixed: ``jpvt`` is written only."
        " R, the vectors of the reflections and ``tau`` are as in :func:`geqrf`.",
        operands={"JPVT": "The columns of A, in their new order.", "TAU": "The factors of the reflections."},
        cost="4 n**3 / 3, where A is square,",
    ),
    "gels": PublicFunction(
        "lapack",
        "Least squares: X of least norm among those of least norm(B - op(A) X), A of full rank; X overwrites B.",
        """
>>> a, b = np.array([[[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]]), np.array([[[1.0], [3.0], [5.0]]])
>>> bb.gels(a, b, overwrite=False)[0, :2].round(12).tolist()
[[1.0], [2.0]]""",
        "op(A) is m x n. B has as many rows as the longer side of A: right-hand sides are the first m of them, X the"
        " first n. Where m > n what is below X is, by its norm, what is left: the sum of its squares is that of"
        " B - op(A) X. Where m < n the rows from m on are not read. The factors that overwrite A are those of geqrf,"
        " or, where A has fewer rows than columns, of its transpose; the factors of the reflections are not returned. A"
        " matrix is reported where a number on the diagonal of R is exactly zero, a matrix of zeros, too: its"
        " right-hand sides keep their values. Rounding often leaves other numbers there: for ranks see"
        " :func:`geqp3`. For complex dtypes ``trans`` is any letter, too.",
        operands={"B": "Right-hand sides, which X overwrites."},
        cost="2 n**2 (m - n / 3), where m >= n, and 4 m n - 2 n**2 for each right-hand side,",
    ),
    "gesvd": PublicFunction(
        "lapack",
        "Singular values and vectors, A = U S VT; as many as A has rows or columns, whichever are fewer.",
        """
>>> u, s, vt = bb.gesvd(np.array([[[3.0, 0.0], [4.0, 5.0]]]))
>>> (s**2).round(12).tolist(), (u * s[:, None] @ vt).round(12).tolist()
([[45.0, 5.0]], [[[3.0, 0.0], [4.0, 5.0]]])""",
        f"{_SINGULAR} Rows of VT are conjugated singular vectors, as NumPy returns them. Signs of vectors are none in"
        " particular, but the same in every batch.",
        operands={"S": _VALUES, "U": "The left singular vectors.", "VT": "The right ones, conjugated, as rows."},
        order=("A", "U", "S", "VT"),
        cost="14 max(m, n) k**2 + 8 k**3 with k = min(m, n), about,",
    ),
    "gesvdvals": PublicFunction(
        "lapack",
        "Singular values, S, alone.",
        """
>>> (bb.gesvdvals(np.array([[[3.0, 0.0], [4.0, 5.0]]])) ** 2).round(12).tolist()
[[45.0, 5.0]]""",
        _SINGULAR,
        operands={"S": _VALUES},
        cost="4 max(m, n) k**2 - 4 k**3 / 3 with k = min(m, n), about,",
    ),
    "syev": PublicFunction(
        "lapack",
        'Eigenvalues of symmetric or Hermitian A, and, with ``jobz`` "V", vectors, which overwrite A.',
        """
>>> v, w = bb.syev(np.array([[[2.0, 1.0], [1.0, 2.0]]]), jobz="V")
>>> w.round(12).tolist(), abs(v[0]).round(6).tolist()
([[1.0, 3.0]], [[0.707107, 0.707107], [0.707107, 0.707107]])""",
        "Values ascend. Column j of the result is a vector of length 1 of value j; its sign, or direction in the"
        " complex plane, is not determined. A keeps its values where vectors are not wanted. Of A only the triangle"
        " that ``uplo`` names is read, and the real part of the diagonal. For complex dtypes this is LAPACK's heev."
        " Of a matrix with NaN or infinity all results are NaN, and 1 is reported; where iterations do not converge"
        " it is the number of elements beside the diagonal that are left.",
        operands={"W": "The eigenvalues, real in complex dtypes, too."},
        cost="9 n**3, for values alone 4 n**3 / 3,",
    ),
    "sygv": PublicFunction(
        "lapack",
        'Eigenvalues of A beside a positive definite B, and, with ``jobz`` "V", vectors, which overwrite A.',
        """
>>> a, b = np.array([[[2.0, 1.0], [1.0, 2.0]]]), np.array([[[4.0, 0.0], [0.0, 1.0]]])
>>> bb.sygv(a, b)[1].round(6).tolist()
[[0.348612, 2.151388]]""",
        "With ``itype`` 1 column x_j of the result and value w_j are such that A x = w B x, with 2 that A B x = w"
        " x, with 3 that B A x = w x. The vectors X have X* B X = I, with 3 X* B^-1 X = I. Values ascend; signs of"
        " vectors are not determined. B is factored, its factor overwrites it as in :func:`potrf`; with that the"
        " problem becomes one of :func:`syev`, so values are as accurate as B is well-conditioned. Where vectors are"
        " not wanted the matrix of that problem is in the triangle of A. Only the triangles that ``uplo`` names are"
        " read, and real parts of diagonals. For complex dtypes this is LAPACK's hegv. A matrix whose B is not"
        " positive definite is reported as n + i, where i is what :func:`potrf` says of B; others as by"
        " :func:`syev`.",
        operands={
            "A": "Symmetric or Hermitian.",
            "B": "Positive definite.",
            "W": "The eigenvalues, real in complex dtypes, too.",
        },
        cost="11 n**3, for values alone 8 n**3 / 3,",
    ),
}
