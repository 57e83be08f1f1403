"""Least squares for stacks of matrices, which NumPy has for one."""

from __future__ import annotations

from math import prod
from types import FunctionType
from typing import Any

import numpy as np

from ..arrays.fresh import empty
from ..arrays.host import Array
from ..schedule.hand_over import LARGEST
from . import kernels
from .asked import Asked, asking, precision
from .numpy_names import OURS, check_plain, function, has_its_own
from .stacks import check_readable, native

_ALONE = function("lstsq")
_WORDS = {"_raise_linalgerror_svd_nonconvergence": OURS["_raise_linalgerror_lstsq"]}
_SVD = FunctionType(OURS["svd"].__code__, OURS | _WORDS, "svd", OURS["svd"].__defaults__)
"""The function of this name, with the words of ``lstsq`` where values are not found."""
_NUMPY = "gelsd"
"""What NumPy does."""
FEW = 3
"""Numbers of a matrix that copies of a batch take longer over, one matrix after the other, than one number after the
other."""
Found = tuple[Array, Array, Array | None, Array]
"""X, ranks, singular values if there are any, and what each matrix reported."""


def lstsq(
    a: Any,
    b: Any,
    rcond: Any = None,
    *,
    driver: str = _NUMPY,
    check: str | None = None,
    return_info: bool = False,
    num_threads: int | None = None,
    dtype: Any = None,
) -> Any:
    """Least squares: the X of least norm that minimizes norm(B - A X), as :func:`numpy.linalg.lstsq`, for stacks too.

    Parameters
    ----------
    a : array_like (..., m, n)
        Keeps its values.
    b : array_like (m,) or (..., m, k)
        Right-hand sides; leading axes broadcast with those of ``a``.
    rcond : float or array_like (...), optional
        Singular values below ``rcond`` times the largest one count as zero. None: eps times max(m, n); negative: eps.
    driver : {"gelsd", "gelsy", "gels"}
        The method, by LAPACK's names. "gelsd": singular values give the ranks; X by QR if A has full rank, otherwise by
        singular vectors. "gelsy": QR with pivoting, whose diagonal gives the rank; no singular values. "gels": QR, for
        matrices of full rank; no singular values. The fastest.
    check : {"raise", "nan", "ignore"}, optional
        What happens to matrices that fail. "raise", the default: an error. "nan": their results are NaN. "ignore":
        their results have no meaning.
    return_info : bool, optional
        True: LAPACK's info of each matrix is returned, too, and no error is raised for failing matrices.
    num_threads : int, optional
        By default as many as make the call faster.
    dtype : dtype, optional
        The precision to compute in. By default single precision is computed in double, as NumPy does.

    Returns
    -------
    x : array (..., n) or (..., n, k)
    residuals : array (..., k)
        Sums of squares of B - A X. NaN for matrices with a rank below n, no columns where m <= n.
    rank : int array (...)
    s : array (..., min(m, n)) or None
        Singular values.

    Raises
    ------
    numpy.linalg.LinAlgError
        Shapes do not fit, singular values did not converge, or with "gels" a matrix does not have full rank.

    Notes
    -----
    One matrix with "gelsd" is done by NumPy. Except for rare matrices "gelsy" finds the ranks that singular values
    show. For a rank-deficient matrix its X is that of another nearby matrix (within ``rcond``) than with "gelsd".
    "gels" notices a deficient rank only if an element on the diagonal of R is exactly zero.

    Examples
    --------
    >>> a = np.tile([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]], (1000, 1, 1))
    >>> la.lstsq(a, np.array([1.0, 3.0, 5.0]), driver="gels")[0][0].round(12).tolist()
    [1.0, 2.0]
    """
    if not isinstance(driver, str) or driver not in DRIVERS:
        raise ValueError(f"driver = {driver!r}: expected one of {', '.join(DRIVERS)}")
    plain = driver == _NUMPY and check in (None, "raise") and return_info is False
    for x in (a, b):
        if has_its_own(x):
            check_plain(x, plain and dtype is None)
            return np.linalg.lstsq(a, b, rcond)
    check_readable(lstsq, (a, b), {})
    if plain and np.ndim(a) <= 2 and np.ndim(b) <= 2:
        return _ALONE(a, b, rcond, num_threads=num_threads, dtype=dtype)
    with asking(check, return_info, num_threads, dtype) as asked:
        found, info = _stacked(a, b, rcond, driver, asked)
    return (found, info) if return_info else found


def _stacked(a: Any, b: Any, rcond: Any, driver: str, asked: Asked) -> tuple[Any, Array]:
    """What is returned, and the reports."""
    a, _ = OURS["_makearray"](a)
    b, wrap = OURS["_makearray"](b)
    columns = b[:, None] if b.ndim == 1 else b
    if a.ndim < 2 or columns.ndim < 2 or a.shape[-2] != columns.shape[-2]:
        expected = "expected a (..., m, n) and b (m,) or (..., m, k)"
        raise np.linalg.LinAlgError(f"Incompatible dimensions: a is {a.shape}, b is {b.shape}: {expected}")
    kind, result = map(np.dtype, OURS["_commonType"](a, columns))
    kind = precision(kind, asked.dtype)
    leading = np.broadcast_shapes(a.shape[:-2], columns.shape[:-2])
    matrices, right = (
        native(x if x.shape[:-2] == leading else np.broadcast_to(x, leading + x.shape[-2:]), kind).reshape(
            prod(leading), *x.shape[-2:]
        )
        for x in (a, columns)
    )
    m, n = a.shape[-2:]
    x, rank, s, info = _solved(matrices, right, _limits(rcond, kind, max(m, n), leading), driver, asked)
    failed = info.any()
    if asked.raises and failed:
        raise np.linalg.LinAlgError(f"matrix {np.flatnonzero(info)[0]} does not have full rank: see driver")
    real = np.empty(0, result).real.dtype
    left = _squares(x[:, n:]) if m > n else np.empty((len(x), 0), x.real.dtype)
    if m > n and not (full := rank == n).all():
        left = np.where(full[:, None], left, np.nan)
    solved = _first(x, n).astype(result, copy=False)
    if failed and asked.check != "ignore":
        solved[info != 0], left[info != 0] = np.nan, np.nan
    shapes = solved.shape[1:] if b.ndim > 1 else (n,)
    values = None if s is None else s.astype(real).reshape(leading + s.shape[1:])
    sums = left.astype(real).reshape(leading + left.shape[1:])
    found = wrap(solved.reshape(leading + shapes)), wrap(sums), rank.reshape(leading)[()], values
    return found, (asked.info() | info.reshape(leading)) if asked.reports else info.reshape(leading)


def _limits(rcond: Any, kind: np.dtype[Any], order: int, leading: tuple[int, ...]) -> Array:
    """Of each matrix the part of the largest singular value below which one counts as zero."""
    eps = np.finfo(kind).eps
    if rcond is None:
        return np.full(prod(leading), eps * order)
    limit = np.asarray(rcond)
    if limit.dtype.kind not in "biuf":
        raise TypeError(f"rcond = {rcond!r}: expected None or real numbers, one or one for each matrix")
    return np.broadcast_to(np.where(limit < 0, eps, limit), leading).reshape(-1)


def _squares(x: Array) -> Array:
    """Sums of squares of columns: one pass, where sizes, squares and sums would be three."""
    found: Array = np.einsum("bij,bij->bj", x, x.conj() if x.dtype.kind == "c" else x).real
    return found


def _first(x: Array, rows: int) -> Array:
    """The first rows of each matrix, by themselves: few are copied one by one, in long loops over the batch."""
    if rows == x.shape[1]:
        return x
    found = empty((len(x), rows, x.shape[2]), x.dtype)
    if rows * x.shape[2] > FEW:
        found[:] = x[:, :rows]
    else:
        for i in range(rows):
            found[:, i] = x[:, i]
    return found


def _solved(a: Array, b: Array, limit: Array, driver: str, asked: Asked) -> Found:
    """X, and below it what has the norms of B - A X."""
    if a.size and b.size and max(a.shape[1:]) <= LARGEST:
        found = kernels.attempt(DRIVERS[driver], a, b, limit, asked)
        if found is not None:
            return found
    return _one_by_one(a, b, limit, asked)


def _of_full_rank(a: Array, b: Array, _: Array, asked: Asked) -> Found:
    x, info = kernels.least_squares(a, b, num_threads=asked.num_threads)
    return x, np.full(len(a), min(a.shape[1:])), None, info


def _by_values(a: Array, b: Array, limit: Array, asked: Asked) -> Found:
    """Ranks by singular values; X of those that are not full by singular vectors."""
    s = _SVD(a, compute_uv=False)
    rank = (s > limit[:, None] * s[:, :1]).sum(axis=1)
    few = np.flatnonzero(rank < min(a.shape[1:]))
    x, info = kernels.least_squares(a, b, num_threads=asked.num_threads)
    if few.size:
        with asking(asked.check, asked.reports is not None, asked.num_threads, asked.dtype) as of_few:
            u, values, vh = _SVD(a[few], full_matrices=False)
        counts = np.arange(values.shape[1]) < rank[few, None]
        inverse = np.divide(1, values, where=counts, out=np.zeros_like(values))
        within = u.conj().swapaxes(1, 2) @ b[few]
        x[few, : a.shape[2]] = vh.conj().swapaxes(1, 2) @ (inverse[:, :, None] * within)
        info[few] = of_few.info()
    return x, rank, s, info


def _by_pivots(a: Array, b: Array, limit: Array, asked: Asked) -> Found:
    """Ranks by the diagonal of R, X by QR of the adjoint of the rows of R that count."""
    m, n = a.shape[1:]
    r, order, within = kernels.pivoted(a, b, num_threads=asked.num_threads)
    sizes = abs(np.diagonal(r, axis1=1, axis2=2))
    small = sizes <= limit[:, None] * sizes[:, :1]
    rank = np.where(small.any(axis=1), small.argmax(axis=1), sizes.shape[1])
    x = np.zeros((len(a), max(m, n), b.shape[2]), a.dtype)
    x[:, n:] = within[:, n:]
    for k in np.unique(rank[rank > 0]):
        these = np.flatnonzero(rank == k) if (rank != k).any() else slice(None)
        rows, right = r[these, :k], within[these, :k]
        if k == n:
            solved = kernels.solve_upper(rows, right, num_threads=asked.num_threads)
        else:
            solved, _ = kernels.least_squares(np.triu(rows), right, num_threads=asked.num_threads)
        placed = np.empty_like(solved)
        np.put_along_axis(placed, order[these, :, None] - 1, solved, 1)
        x[these, :n] = placed
    return x, rank, None, np.zeros(len(a), np.int32)


def _one_by_one(a: Array, b: Array, limit: Array, asked: Asked) -> Found:
    """By NumPy, matrix by matrix: what is large, or empty, or where there is no compiler."""
    m, n = a.shape[1:]
    x = np.zeros((len(a), max(m, n), b.shape[2]), a.dtype)
    rank, s = np.zeros(len(a), int), np.zeros((len(a), min(m, n)), a.real.dtype)
    info = np.zeros(len(a), np.int32)
    for i in range(len(a)):
        try:
            found, left, rank[i], s[i] = OURS["lstsq"](a[i], b[i], limit[i])
        except np.linalg.LinAlgError:
            if asked.raises:
                raise
            x[i], s[i], info[i] = np.nan, np.nan, 1
            continue
        x[i, :n] = found
        if left.size:
            x[i, n] = np.sqrt(left)
    return x, rank, s, info


DRIVERS = {"gelsd": _by_values, "gelsy": _by_pivots, "gels": _of_full_rank}
