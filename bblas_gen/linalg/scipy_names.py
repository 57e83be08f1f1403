"""Solvers, factorizations and the exponential of ``scipy.linalg`` on stacks."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays.host import Array
from . import kernels
from .asked import ASKED
from .exponential import exponential
from .scipy_frame import Computed, as_stacks, check_square, like_scipy, report
from .stacks import native


@like_scipy("solve")
def solve(
    a: Any,
    b: Any,
    lower: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    assume_a: str | None = None,
    transposed: bool = False,
) -> Computed | None:
    """Solve A X = B for stacks of A (..., n, n) and B (..., n, k), or of one vector, as :func:`scipy.linalg.solve`."""
    if assume_a not in GENERAL or transposed:
        return None
    stacks = as_stacks((a, b), (2, 0), finite=check_finite)
    check_square(*stacks.batches)
    threads = ASKED.get().num_threads
    (x,), info = kernels.solve(*stacks.batches, num_threads=threads)
    report([x], info)
    if ASKED.get().raises:
        matrices = stacks.batches[0].reshape(-1, *np.shape(a)[-2:])
        (inverse,), singular = kernels.inv(matrices, num_threads=threads)
        report([inverse], singular | _is_ill(matrices, inverse))
    return x.reshape(stacks.shape + np.shape(b)[-min(np.ndim(b), 2) :]), info.reshape(stacks.shape)


@like_scipy("inv")
def inv(
    a: Any, overwrite_a: bool = False, check_finite: bool = True, *, assume_a: str | None = None, lower: bool = False
) -> Computed | None:
    """Inverses of stacks (..., n, n), as :func:`scipy.linalg.inv`."""
    if assume_a not in GENERAL:
        return None
    stacks = as_stacks((a,), (2,), finite=check_finite)
    check_square(*stacks.batches)
    (x,), info = kernels.inv(*stacks.batches, num_threads=ASKED.get().num_threads)
    report([x], info | _is_ill(stacks.batches[0], x) if ASKED.get().raises else info)
    return stacks.results(x, info=info)


GENERAL = (None, "gen", "general")


def _is_ill(a: Array, inverse: Array) -> Array:
    """Which matrices have a condition, in the 1-norm, of which SciPy warns."""
    size, other = (abs(x).sum(axis=-2).max(axis=-1) for x in (a, inverse))
    ill: Array = ~(size * other * (4 * np.finfo(a.dtype).eps) < 1)
    return ill


@like_scipy("det")
def det(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Computed | None:
    """Determinants of stacks (..., n, n) in double precision, as :func:`scipy.linalg.det`."""
    stacks = as_stacks((a,), (2,), finite=check_finite)
    check_square(*stacks.batches)
    (batch,) = stacks.batches
    (found,), _ = kernels.det(native(batch, np.result_type(batch, "d")), num_threads=ASKED.get().num_threads)
    return stacks.results(found)


@like_scipy("factor")
def cholesky(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Computed | None:
    """L of stacks of positive definite A = L L* (..., n, n), or U of A = U* U, as :func:`scipy.linalg.cholesky`."""
    stacks = as_stacks((a,), (2,), finite=check_finite)
    check_square(*stacks.batches)
    (c,), info = kernels.cholesky(*stacks.batches, uplo="L" if lower else "U", num_threads=ASKED.get().num_threads)
    report([c], info)
    return stacks.results(c, info=info)


@like_scipy("triangular")
def solve_triangular(
    a: Any,
    b: Any,
    trans: Any = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> Computed | None:
    """Solve op(A) X = B for stacks of triangular A (..., m, m) and of B (..., m, n) or one vector (m,), as
    :func:`scipy.linalg.solve_triangular`."""
    letters = {0: "N", 1: "T", 2: "C", "N": "N", "T": "T", "C": "C"}
    if trans not in letters:
        return None
    stacks = as_stacks((a, b), (2, 0), finite=check_finite)
    check_square(*stacks.batches)
    uplo, diag = "L" if lower else "U", "U" if unit_diagonal else "N"
    (x,), info = kernels.solve_triangular(
        *stacks.batches, uplo=uplo, trans=letters[trans], diag=diag, num_threads=ASKED.get().num_threads
    )
    report([x], info)
    return x.reshape(stacks.shape + np.shape(b)[-min(np.ndim(b), 2) :]), info.reshape(stacks.shape)


@like_scipy("factor")
def cho_factor(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Computed | None:
    """Factor stacks of positive definite A (..., n, n), as :func:`scipy.linalg.cho_factor`: the factor, beside which
    A is left, and ``lower``."""
    stacks = as_stacks((a,), (2,), finite=check_finite)
    check_square(*stacks.batches)
    (c,), info = kernels.cho_factor(*stacks.batches, uplo="L" if lower else "U", num_threads=ASKED.get().num_threads)
    report([c], info)
    flags = np.full(stacks.shape, lower) if stacks.shape else lower
    return (c.reshape(stacks.shape + c.shape[1:]), flags), info.reshape(stacks.shape)


@like_scipy("triangular")
def cho_solve(c_and_lower: Any, b: Any, overwrite_b: bool = False, check_finite: bool = True) -> Computed | None:
    """Solve A X = B for stacks, with the factors of :func:`cho_factor`, as :func:`scipy.linalg.cho_solve`."""
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
    """Factor stacks of A (..., m, n) with partial pivoting, as :func:`scipy.linalg.lu_factor`: L and U in one, and the
    row that each row was exchanged with, from 0. A singular matrix is a warning of SciPy."""
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
    """Solve op(A) X = B for stacks, with the factors of :func:`lu_factor`, as :func:`scipy.linalg.lu_solve`."""
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
    """P, L and U of stacks of A (..., m, n), or P L and U, or L's rows instead of P, as :func:`scipy.linalg.lu`."""
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


@like_scipy("expm", exponential)
def expm(A: Any) -> Computed | None:
    """exp(A) of stacks (..., n, n), as :func:`scipy.linalg.expm`."""
    stacks = as_stacks((A,), (2,), finite=False)
    check_square(*stacks.batches)
    (a,) = stacks.batches
    if a.shape[-1] == 1:
        return None
    x = exponential(a, ASKED.get().num_threads)
    return x.reshape(stacks.shape + x.shape[1:]), np.zeros(stacks.shape, np.int32)
