"""Solvers and the exponential of ``scipy.linalg`` on stacks."""

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
