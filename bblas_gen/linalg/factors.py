"""Factorizations of ``scipy.linalg`` on stacks, and what is solved with factors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays.host import Array
from . import kernels
from .asked import ASKED
from .scipy_frame import Computed, as_stacks, check_square, like_scipy, report


@like_scipy("factor")
def cholesky(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Computed | None:
    """L of stacks of positive definite A = L L* (..., n, n), or U of A = U* U, as :func:`scipy.linalg.cholesky`."""
    stacks = as_stacks((a,), (2,), finite=check_finite)
    check_square(*stacks.batches)
    (c,), info = kernels.cholesky(*stacks.batches, uplo="L" if lower else "U", num_threads=ASKED.get().num_threads)
    report([c], info)
    return stacks.results(c, info=info)


@like_scipy("factor")
def cho_factor(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Computed | None:
    """Factor stacks of positive definite A = L L*, or A = U* U, as :func:`scipy.linalg.cho_factor`.

    Parameters
    ----------
    a : array_like (..., n, n)
        Real symmetric or Hermitian matrices, of which one triangle is read.
    lower : bool, optional
        True: the lower triangle is read, and the factor is L. False, the default: the upper one, and U.

    Returns
    -------
    c : array (..., n, n)
        The factors, beside which the other triangle is that of A.
    lower : bool, or bool array (...)
        As given, for each matrix: both are what :func:`cho_solve` takes.

    Raises
    ------
    numpy.linalg.LinAlgError
        Where matrices are not positive definite; see ``check``. Their info is the order of the first leading minor that
        is not.
    ValueError
        For matrices that are not square, and see ``check_finite``.

    Notes
    -----
    n**3 / 3 operations per matrix; complex ones take four times as many. Where the whole of L is wanted, zeros and all,
    :func:`cholesky` makes it.

    Examples
    --------
    >>> a = np.tile([[4.0, 2.0], [2.0, 5.0]], (1000, 1, 1))
    >>> factors = la.cho_factor(a, lower=True)
    >>> la.cho_solve(factors, np.array([8.0, 8.0]))[0].tolist()
    [1.5, 1.0]
    """
    stacks = as_stacks((a,), (2,), finite=check_finite)
    check_square(*stacks.batches)
    (c,), info = kernels.cho_factor(*stacks.batches, uplo="L" if lower else "U", num_threads=ASKED.get().num_threads)
    report([c], info)
    flags = np.full(stacks.shape, lower) if stacks.shape else lower
    return (c.reshape(stacks.shape + c.shape[1:]), flags), info.reshape(stacks.shape)


@like_scipy("triangular")
def cho_solve(c_and_lower: Any, b: Any, overwrite_b: bool = False, check_finite: bool = True) -> Computed | None:
    """Solve A X = B for stacks, with the factors of :func:`cho_factor`, as :func:`scipy.linalg.cho_solve`.

    Parameters
    ----------
    c_and_lower : (array_like (..., n, n), bool)
        What :func:`cho_factor` returned.
    b : array_like (n,) or (..., n, k)
        Right-hand sides; leading axes broadcast with those of the factors.

    Returns
    -------
    x : array (..., n) or (..., n, k)
        The solutions.

    Raises
    ------
    ValueError
        For shapes that do not fit together, and see ``check_finite``.

    Notes
    -----
    2 n**2 k operations per matrix; complex ones take four times as many. Nothing can fail: the info is 0.

    Examples
    --------
    >>> factors = la.cho_factor(np.tile(4 * np.eye(3), (1000, 1, 1)))
    >>> la.cho_solve(factors, np.ones(3))[0].tolist()
    [0.25, 0.25, 0.25]
    """
    c, lower = c_and_lower
    if np.ndim(lower):
        flags = np.unique(lower)
        if len(flags) != 1:
            return None
        lower = flags[0]
    stacks = as_stacks((c, b), (2, 0), finite=check_finite)
    check_square(*stacks.batches)
    x = kernels.cho_solve(*stacks.batches, uplo="L" if lower else "U", num_threads=ASKED.get().num_threads)
    return x.reshape(stacks.shape + np.shape(b)[-min(np.ndim(b), 2) :]), np.zeros(stacks.shape, np.int32)


@like_scipy("factor")
def lu_factor(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Computed | None:
    """Factor stacks of A = P L U with partial pivoting, as :func:`scipy.linalg.lu_factor`.

    Parameters
    ----------
    a : array_like (..., m, n)
        Keeps its values.

    Returns
    -------
    lu : array (..., m, n)
        U in the upper triangle and L below it, without the ones on its diagonal.
    piv : int32 array (..., min(m, n))
        Row i was exchanged with row ``piv[..., i]``, from 0, one exchange after another.

    Raises
    ------
    ValueError
        See ``check_finite``.

    Warns
    -----
    scipy.linalg.LinAlgWarning
        Where a pivot is exactly zero, but with ``return_info`` or another ``check`` than "raise". The info is the
        number of the first such pivot, from 1.

    Notes
    -----
    2 n**3 / 3 operations per square matrix; complex ones take four times as many. Singular matrices are factored to
    the end, whatever ``check`` is.

    Examples
    --------
    >>> lu, piv = la.lu_factor(np.tile([[1.0, 2.0], [4.0, 6.0]], (1000, 1, 1)))
    >>> lu[0].tolist(), piv[0].tolist()
    ([[4.0, 6.0], [0.25, 0.5]], [1, 1])
    """
    stacks = as_stacks((a,), (2,), finite=check_finite)
    (lu, pivots), info = kernels.lu_factor(*stacks.batches, num_threads=ASKED.get().num_threads)
    if ASKED.get().raises:
        report([], info)
    found = lu.reshape(stacks.shape + lu.shape[1:]), pivots.reshape(stacks.shape + pivots.shape[1:])
    return found, info.reshape(stacks.shape)


@like_scipy("triangular")
def lu_solve(
    lu_and_piv: Any, b: Any, trans: int = 0, overwrite_b: bool = False, check_finite: bool = True
) -> Computed | None:
    """Solve op(A) X = B for stacks, with the factors of :func:`lu_factor`, as :func:`scipy.linalg.lu_solve`.

    Parameters
    ----------
    lu_and_piv : (array_like (..., n, n), int array_like (..., n))
        What :func:`lu_factor` returned.
    b : array_like (n,) or (..., n, k)
        Right-hand sides; leading axes broadcast with those of the factors.
    trans : {0, 1, 2}, optional
        op(A): A, its transpose, its adjoint.

    Returns
    -------
    x : array (..., n) or (..., n, k)
        The solutions: infinite or NaN where a pivot is zero.

    Raises
    ------
    ValueError
        For shapes that do not fit together, and see ``check_finite``.

    Notes
    -----
    2 n**2 k operations per matrix; complex ones take four times as many. No matrix is looked at: the info is 0.

    Examples
    --------
    >>> factors = la.lu_factor(np.tile([[1.0, 2.0], [4.0, 6.0]], (1000, 1, 1)))
    >>> la.lu_solve(factors, np.array([3.0, 10.0]))[0].tolist()
    [1.0, 1.0]
    """
    lu, pivots = lu_and_piv
    if trans not in (0, 1, 2) or np.shape(pivots) != np.shape(lu)[:-1]:
        return None
    stacks = as_stacks((lu, b), (2, 0), finite=check_finite)
    check_square(*stacks.batches)
    factors, right = stacks.batches
    exchanged = np.ascontiguousarray(pivots, np.int32) + 1
    if factors.ndim == 2:
        exchanged = exchanged.reshape(-1)
    else:
        wanted = (*stacks.shape, exchanged.shape[-1])
        exchanged = np.ascontiguousarray(np.broadcast_to(exchanged, wanted)).reshape(-1, exchanged.shape[-1])
    x = kernels.lu_solve(factors, exchanged, right, trans="NTC"[trans], num_threads=ASKED.get().num_threads)
    return x.reshape(stacks.shape + np.shape(b)[-min(np.ndim(b), 2) :]), np.zeros(stacks.shape, np.int32)


@like_scipy("lu")
def lu(
    a: Any, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True, p_indices: bool = False
) -> Computed | None:
    """P, L and U of stacks of A = P L U, by partial pivoting, as :func:`scipy.linalg.lu`.

    Parameters
    ----------
    a : array_like (..., m, n)
        Keeps its values.
    permute_l : bool, optional
        Whether the rows of L are exchanged: P L and U are returned.
    p_indices : bool, optional
        Whether to return, instead of P, of each row of A the row of L: A is ``l[p] @ u``.

    Returns
    -------
    p : array (..., m, m), or int32 array (..., m) with ``p_indices``
        The permutation, of the precision of real parts. Not with ``permute_l``.
    l : array (..., m, min(m, n))
        Ones on the diagonal, zeros above it.
    u : array (..., min(m, n), n)
        Zeros below the diagonal.

    Raises
    ------
    ValueError
        See ``check_finite``.

    Notes
    -----
    2 n**3 / 3 operations per square matrix, complex ones four times as many; then NumPy puts the triangles and rows in
    their places, which takes some passes over memory: to solve, :func:`lu_factor` is faster. Nothing can fail: the info
    is 0.

    Examples
    --------
    >>> p, l, u = la.lu(np.tile([[1.0, 2.0], [4.0, 6.0]], (1000, 1, 1)))
    >>> l[0].tolist(), u[0].tolist()
    ([[1.0, 0.0], [0.25, 1.0]], [[4.0, 6.0], [0.0, 0.5]])
    """
    stacks = as_stacks((a,), (2,), finite=check_finite)
    if np.shape(a)[-2:] == (1, 1):
        return None
    (factors, pivots), _ = kernels.lu_factor(*stacks.batches, num_threads=ASKED.get().num_threads)
    m, n = factors.shape[-2:]
    k = min(m, n)
    lower = np.tril(factors[..., :k], -1)
    lower[:, np.arange(k), np.arange(k)] = 1
    upper = np.triu(factors[..., :k, :])
    rows = _rows(pivots, m)
    where = np.empty_like(rows)  # row i of A is row where[i] of L
    np.put_along_axis(where, rows, np.arange(m, dtype=rows.dtype)[None], 1)
    parts: tuple[Array, ...]
    if permute_l:
        parts = np.take_along_axis(lower, where[..., None], 1), upper
    elif p_indices:
        parts = where, lower, upper
    else:
        permutation = np.zeros((len(rows), m, m), factors.real.dtype)
        np.put_along_axis(permutation, where[..., None], 1, 2)
        parts = permutation, lower, upper
    shape = stacks.shape
    return tuple(x.reshape(shape + x.shape[1:]) for x in parts), np.zeros(shape, np.int32)


def _rows(pivots: Array, m: int) -> Array:
    """The row of A that exchanges bring to each row."""
    rows = np.tile(np.arange(m, dtype=np.int32), (len(pivots), 1))
    every = np.arange(len(pivots))
    for i, other in enumerate(pivots.T):
        taken = rows[every, other]
        rows[every, other] = rows[:, i]
        rows[:, i] = taken
    return rows


@like_scipy("factor")
def qr(
    a: Any,
    overwrite_a: bool = False,
    lwork: int | None = None,
    mode: str = "full",
    pivoting: bool = False,
    check_finite: bool = True,
) -> Computed | None:
    """Q and R of stacks of A (..., m, n), and with ``pivoting`` the numbers of columns, as :func:`scipy.linalg.qr`."""
    if lwork is not None or mode not in ("full", "economic", "r"):
        return None
    stacks = as_stacks((a,), (2,), finite=check_finite)
    threads = ASKED.get().num_threads
    factors, tau, order = kernels.reflected(*stacks.batches, pivoting=pivoting, num_threads=threads)
    rows = tau.shape[-1] if mode == "economic" else factors.shape[-2]
    parts = [np.triu(factors[:, :rows]), *order]
    if mode != "r":
        parts.insert(0, kernels.columns_of_q(factors, tau, rows, num_threads=threads))
    found, info = stacks.results(*parts)
    return (found if stacks.shape or len(parts) > 1 else (found,)), info
