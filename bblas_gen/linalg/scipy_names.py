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
    """Solve op(A) X = B for stacks of triangular A, as :func:`scipy.linalg.solve_triangular`.

    Parameters
    ----------
    a : array_like (..., n, n)
        One triangle is read.
    b : array_like (n,) or (..., n, k)
        Right-hand sides; leading axes broadcast with those of ``a``.
    trans : {0, 1, 2, "N", "T", "C"}, optional
        op(A): A, its transpose, its adjoint.
    lower : bool, optional
        Whether A is the lower triangle. By default the upper one.
    unit_diagonal : bool, optional
        Whether the diagonal is taken as ones and not read.

    Returns
    -------
    x : array (..., n) or (..., n, k)
        The solutions.

    Raises
    ------
    numpy.linalg.LinAlgError
        Where there is a zero on a diagonal; see ``check``. The info is the number of the first one, from 1.
    ValueError
        For shapes that do not fit together, and see ``check_finite``.

    Notes
    -----
    n**2 k operations per matrix; complex ones take four times as many.

    Examples
    --------
    >>> a = np.tile([[2.0, 0.0], [1.0, 4.0]], (1000, 1, 1))
    >>> la.solve_triangular(a, np.array([2.0, 5.0]), lower=True)[0].tolist()
    [1.0, 1.0]
    """
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
    """exp(A) of stacks of matrices, as :func:`scipy.linalg.expm`.

    Parameters
    ----------
    A : array_like (..., n, n)
        Keeps its values.

    Returns
    -------
    array (..., n, n)
        The exponentials, of the precision of A; those of triangular matrices have the exponentials of the diagonal on
        theirs.

    Raises
    ------
    numpy.linalg.LinAlgError
        For matrices that are not square.

    Notes
    -----
    By scaling and squaring: to n = 8 of a Taylor polynomial, beyond of a Pade approximant, in balanced matrices where
    norms are large. It takes 4 to 8 products of matrices, beyond n = 8 one solve, and as many squarings as the
    logarithm of the norm to base 2; of 2 n**3 operations each, complex ones four times as many. NaN and infinities
    stay in their matrix. Nothing can fail: the info is 0.

    Examples
    --------
    >>> la.expm(np.tile([[0.0, 1.0], [0.0, 0.0]], (50, 1, 1)))[0].tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """
    stacks = as_stacks((A,), (2,), finite=False)
    check_square(*stacks.batches)
    (a,) = stacks.batches
    if a.shape[-1] == 1:
        return None
    x = exponential(a, ASKED.get().num_threads)
    return x.reshape(stacks.shape + x.shape[1:]), np.zeros(stacks.shape, np.int32)
