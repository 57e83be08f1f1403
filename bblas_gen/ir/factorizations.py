"""What the public functions of factorizations with pivots or reflections say and take; see ``documentation``."""

from __future__ import annotations

from .documented import ONE_PASS, PublicFunction

_PIVOTS = "The exchanges of rows."
_FACTORS = {"A": "The factors that :func:`getrf` left.", "IPIV": "The pivots that :func:`getrf` left."}
_PLAIN = {"A": "The factors that :func:`getrfnp` left."}
_NO_PIVOTING = (
    "No rows are exchanged. So a pivot may be zero although the matrix is not singular, which is reported; or it may"
    " be small, which makes results inaccurate. Matrices that are diagonally dominant, by rows or columns, need no"
    " pivoting."
)
_REFLECTIONS = {
    "A": "The vectors of the reflections that :func:`geqrf` left, below the diagonal.",
    "TAU": "The factors of the reflections that :func:`geqrf` left.",
}
_VALUES = "The singular values: real, in descending order."
_SINGULAR = (
    "Entries may be of any magnitude. A matrix with NaN or Inf has info 1, and its results are NaN. If the iteration"
    " does not converge, info is the number of pairs of columns that are left."
)

FACTORIZATIONS: dict[str, PublicFunction] = {
    "getrf": PublicFunction(
        "lapack",
        "Factor A = P L U with partial pivoting; L and U overwrite A.",
        """
>>> lu, ipiv = bb.getrf(np.array([[[1.0, 2.0], [4.0, 6.0]]]))
>>> lu[0].tolist(), ipiv.tolist()
([[4.0, 6.0], [0.25, 0.5]], [[2, 2]])""",
        "Row i was exchanged with row ``ipiv[i]``, for i = 1, 2, ... in turn. The ones on the diagonal of L are not"
        " stored. Pivots are those of LAPACK: the largest element of a column, of complex numbers by abs(re) +"
        " abs(im). NaN is never chosen as larger. A singular matrix is factored to the end.",
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
        f"Singularity is not tested: with a singular factor X is infinite or NaN. {ONE_PASS}",
        operands=_FACTORS,
    ),
    "gesv": PublicFunction(
        "lapack",
        "Solve A X = B by LU with partial pivoting; X overwrites B, and the factors overwrite A as in getrf.",
        """
>>> a, b = np.array([[[1.0, 2.0], [4.0, 6.0]]]), np.array([[[3.0], [10.0]]])
>>> bb.gesv(a, b, overwrite=False)[0].tolist()
[[1.0], [1.0]]""",
        f"Right-hand sides of singular matrices keep their values. {ONE_PASS} With ``overwrite=False`` or ``out`` the"
        " factors are not returned, and ``ipiv`` must be left out.",
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
        f"Singularity is not tested: with a singular factor X is infinite or NaN. {ONE_PASS}",
        operands=_PLAIN,
    ),
    "gesvnp": PublicFunction(
        "lapack",
        "Solve A X = B by LU without pivoting; X overwrites B, and the factors overwrite A as in getrfnp.",
        """
>>> a, b = np.array([[[4.0, 6.0], [1.0, 2.0]]]), np.array([[[10.0], [3.0]]])
>>> bb.gesvnp(a, b, overwrite=False)[0].tolist()
[[1.0], [1.0]]""",
        f"{_NO_PIVOTING} Right-hand sides of matrices with such a pivot keep their values. {ONE_PASS} With"
        " ``overwrite=False`` or ``out`` the factors are not returned.",
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
        "Q = H_1 H_2 ... with H_i = I - tau_i v_i v_i*. R is on and above the diagonal, v_i below it in column i; its"
        " leading one is not stored. Signs are those of LAPACK, so the diagonal of R is real. Entries may be of any"
        " magnitude: a column whose squares would overflow or underflow is scaled.",
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
        "The first columns of Q, from the reflections that geqrf left in A; they overwrite A.",
        """
>>> q = bb.orgqr(*bb.geqrf(np.array([[[3.0, 5.0], [4.0, 10.0]]])))
>>> q[0].round(12).tolist()
[[-0.6, -0.8], [-0.8, 0.6]]""",
        "A may have more columns than there are reflections: with as many columns as rows it becomes all of Q. For"
        " complex dtypes this is LAPACK's ungqr.",
        operands=_REFLECTIONS,
    ),
    "geqp3": PublicFunction(
        "lapack",
        "Factor A P = Q R with pivoting of columns; R and the vectors of the reflections overwrite A.",
        """
>>> qr, jpvt, tau = bb.geqp3(np.array([[[3.0, 5.0], [4.0, 10.0]]]))
>>> jpvt.tolist(), abs(np.diagonal(qr[0])).round(6).tolist()
([[2, 1]], [11.18034, 0.894427])""",
        "Column j of A P is column ``jpvt[j]`` of A. Each step takes the remaining column with the largest norm"
        " below the rows that are done; of equal ones the first, and NaN is never larger. So the diagonal of R"
        " descends in magnitude, and except for rare matrices the rank is the number of elements before it becomes"
        " negligible. Norms are updated from step to step, as in LAPACK, and computed anew where too few digits are"
        " left. No columns are fixed: ``jpvt`` is only written. R, the vectors of the reflections and ``tau`` are as"
        " in :func:`geqrf`.",
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
        "op(A) is m x n. B has max(m, n) rows: the right-hand sides are the first m of them, X is in the first n. If"
        " m > n, the sum of squares of the rows below X is that of B - op(A) X. If m < n, the rows from m on are not"
        " read. The factors that overwrite A are those of geqrf, or, if A has fewer rows than columns, of its"
        " transpose; tau is not returned. A matrix fails if an element on the diagonal of R is exactly zero: its"
        " right-hand sides keep their values. Rounding often leaves another number there; :func:`geqp3` determines"
        " ranks. All letters of ``trans`` are allowed for complex dtypes, too.",
        operands={"B": "Right-hand sides, which X overwrites."},
        cost="2 n**2 (m - n / 3), where m >= n, and 4 m n - 2 n**2 for each right-hand side,",
    ),
    "gesvd": PublicFunction(
        "lapack",
        "Singular values and vectors, A = U S VT, the thin form: min(m, n) of each.",
        """
>>> u, s, vt = bb.gesvd(np.array([[[3.0, 0.0], [4.0, 5.0]]]))
>>> (s**2).round(12).tolist(), (u * s[:, None] @ vt).round(12).tolist()
([[45.0, 5.0]], [[[3.0, 0.0], [4.0, 5.0]]])""",
        f"{_SINGULAR} Rows of VT are conjugated singular vectors, as NumPy returns them. Signs of vectors are"
        " not determined, but the same in every batch.",
        operands={"S": _VALUES, "U": "The left singular vectors.", "VT": "The right ones, conjugated, as rows."},
        order=("A", "U", "S", "VT"),
        cost="14 max(m, n) k**2 + 8 k**3 with k = min(m, n), about,",
    ),
    "gesvdvals": PublicFunction(
        "lapack",
        "Singular values S without vectors.",
        """
>>> (bb.gesvdvals(np.array([[[3.0, 0.0], [4.0, 5.0]]])) ** 2).round(12).tolist()
[[45.0, 5.0]]""",
        _SINGULAR,
        operands={"S": _VALUES},
        cost="4 max(m, n) k**2 - 4 k**3 / 3 with k = min(m, n), about,",
    ),
    "syev": PublicFunction(
        "lapack",
        'Eigenvalues of symmetric or Hermitian A; with ``jobz`` "V" also eigenvectors, which overwrite A.',
        """
>>> v, w = bb.syev(np.array([[[2.0, 1.0], [1.0, 2.0]]]), jobz="V")
>>> w.round(12).tolist(), abs(v[0]).round(6).tolist()
([[1.0, 3.0]], [[0.707107, 0.707107], [0.707107, 0.707107]])""",
        "Eigenvalues are in ascending order. Column j of the result is an eigenvector of norm 1 of value j; its"
        ' sign, or complex phase, is not determined. With ``jobz`` "N" A keeps its values. Of A only the triangle'
        " that ``uplo`` names is read, and the real part of the diagonal. For complex dtypes this is LAPACK's heev."
        " A matrix with NaN or infinity has info 1, and its results are NaN. If iterations do not converge, info is"
        " the number of off-diagonal elements that are left.",
        operands={"W": "The eigenvalues; real for complex dtypes, too."},
        cost="9 n**3, without vectors 4 n**3 / 3,",
    ),
    "sygv": PublicFunction(
        "lapack",
        'Generalized eigenvalues of A and positive definite B; with ``jobz`` "V" also eigenvectors, which overwrite A.',
        """
>>> a, b = np.array([[[2.0, 1.0], [1.0, 2.0]]]), np.array([[[4.0, 0.0], [0.0, 1.0]]])
>>> bb.sygv(a, b)[1].round(6).tolist()
[[0.348612, 2.151388]]""",
        "With ``itype`` 1 column x_j of the result and value w_j are such that A x = w B x, with 2 that A B x = w x,"
        " with 3 that B A x = w x. The vectors X have X* B X = I, with 3 X* B^-1 X = I. Eigenvalues are in ascending"
        " order; signs of vectors are not determined. The Cholesky factor of B overwrites it as in :func:`potrf`. It"
        ' reduces the problem to :func:`syev`, so values are as accurate as B is well-conditioned. With ``jobz`` "N"'
        " the triangle of A becomes that of the reduced problem. Only the triangles that ``uplo`` names are read,"
        " and real parts of diagonals. For complex dtypes this is LAPACK's hegv. Where B is not positive definite"
        " info is n + i, i that of :func:`potrf`; otherwise it is that of :func:`syev`.",
        operands={
            "A": "Symmetric or Hermitian.",
            "B": "Positive definite.",
            "W": "The eigenvalues; real for complex dtypes, too.",
        },
        cost="11 n**3, without vectors 8 n**3 / 3,",
    ),
}
