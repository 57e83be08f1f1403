"""What ``scipy.linalg`` makes of eigenvalues and singular values, on stacks, by those of ``numpy.linalg``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays.host import Array
from . import kernels
from .asked import ASKED
from .numpy_names import OURS
from .scipy_frame import Computed, as_stacks, check_square, like_scipy, report


@like_scipy
def polar(a: Any, side: str = "right") -> Computed | None:
    """The polar factors of stacks (..., m, n), A = U P, or P U with ``side`` "left", as :func:`scipy.linalg.polar`."""
    if side not in ("right", "left"):
        return None
    stacks = as_stacks("spectral", (a,), (2,), finite=False)
    w, s, vh = OURS["svd"](stacks.batches[0], full_matrices=False)
    first, last = (_adjoint(vh), vh) if side == "right" else (w, _adjoint(w))
    return stacks.results(w @ vh, (first * s[:, None]) @ last)


@like_scipy
def pinvh(
    a: Any,
    atol: float | None = None,
    rtol: float | None = None,
    lower: bool = True,
    return_rank: bool = False,
    check_finite: bool = True,
) -> Computed | None:
    """Pseudo-inverses of stacks of Hermitian matrices (..., n, n), as :func:`scipy.linalg.pinvh`."""
    stacks = as_stacks("spectral", (a,), (2,), finite=check_finite)
    check_square(*stacks.batches)
    s, u = _eigh(stacks.batches[0], lower)
    absolute = 0.0 if atol is None else atol
    relative = s.shape[-1] * np.finfo(s.dtype).eps if rtol is None else rtol
    if absolute < 0 or relative < 0:
        return None
    counts = abs(s) > absolute + abs(s).max(axis=-1, keepdims=True) * relative
    inverse = np.divide(1, s, where=counts, out=np.zeros_like(s))
    found = (u * inverse[:, None]) @ _adjoint(u)
    return stacks.results(found, counts.sum(axis=-1)) if return_rank else stacks.results(found)


@like_scipy
def sqrtm(A: Any, disp: Any = None, blocksize: Any = None) -> Computed | None:
    """Square roots of stacks of positive definite matrices (..., n, n), as :func:`scipy.linalg.sqrtm`."""
    if not (disp is blocksize is None):
        return None
    stacks = as_stacks("spectral", (A,), (2,), finite=False)
    check_square(*stacks.batches)
    (a,) = stacks.batches
    if a.shape[-1] == 1 or not (a == _adjoint(a)).all():
        return None
    w, v = _eigh(a, True)
    rounding = (
        a.shape[-1] * np.finfo(w.dtype).eps * w[:, -1:]
    )  # a value that should be 0 has half the digits in its root
    return stacks.results((v * np.sqrt(w)[:, None]) @ _adjoint(v)) if (w > rounding).all() else None


@like_scipy
def eigh(
    a: Any,
    b: Any = None,
    *,
    lower: bool = True,
    eigvals_only: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    type: int = 1,
    check_finite: bool = True,
    subset_by_index: Any = None,
    subset_by_value: Any = None,
    driver: Any = None,
) -> Computed | None:
    """Eigenvalues and vectors of stacks of Hermitian A (..., n, n), or of A with positive definite B, A v = w B v, as
    :func:`scipy.linalg.eigh`."""
    unusual = type != 1 or not (subset_by_index is subset_by_value is driver is None)
    return None if unusual else _eigen(a, b, lower=lower, values_only=eigvals_only, check_finite=check_finite)


@like_scipy
def eigvalsh(
    a: Any,
    b: Any = None,
    *,
    lower: bool = True,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    type: int = 1,
    check_finite: bool = True,
    subset_by_index: Any = None,
    subset_by_value: Any = None,
    driver: Any = None,
) -> Computed | None:
    """The eigenvalues of :func:`eigh` alone, as :func:`scipy.linalg.eigvalsh`."""
    unusual = type != 1 or not (subset_by_index is subset_by_value is driver is None)
    return None if unusual else _eigen(a, b, lower=lower, values_only=True, check_finite=check_finite)


def _eigen(a: Any, b: Any, *, lower: bool, values_only: bool, check_finite: bool) -> Computed:
    given = (a,) if b is None else (a, b)
    stacks = as_stacks("spectral", given, (2,) * len(given), finite=check_finite)
    check_square(*stacks.batches)
    first = stacks.batches[0]
    if b is not None:
        first, factor = _reduced(*stacks.batches, lower=lower)
        lower = True
    if values_only:
        return stacks.results(OURS["eigvalsh"](first, "L" if lower else "U"))
    values, vectors = _eigh(first, lower)
    if b is not None:
        vectors = _solved(factor, vectors, "C")
    return stacks.results(values, vectors)


def _adjoint(x: Array) -> Array:
    return x.conj().swapaxes(-1, -2)


def _eigh(a: Array, lower: bool) -> tuple[Array, Array]:
    values, vectors = OURS["eigh"](a, "L" if lower else "U")
    return values, vectors


def _reduced(a: Array, b: Array, *, lower: bool) -> tuple[Array, Array]:
    """L^-1 A L^-* with B = L L*, and L."""
    strict = np.tril(a, -1) if lower else _adjoint(np.triu(a, 1))
    diagonal = np.zeros_like(a)
    place = np.arange(a.shape[-1])
    diagonal[..., place, place] = np.diagonal(a, axis1=-2, axis2=-1).real
    whole = strict + _adjoint(strict) + diagonal
    of = b if lower else _adjoint(np.triu(b))
    (factor,), info = kernels.cholesky(of.reshape(-1, *of.shape[-2:]), uplo="L", num_threads=ASKED.get().num_threads)
    report([factor], info, "The leading minor of order {} of B is not positive definite.")
    factor = factor.reshape(of.shape)
    return _adjoint(_solved(factor, _adjoint(_solved(factor, whole, "N")), "N")), factor


def _solved(factor: Array, b: Array, trans: str) -> Array:
    (x,), _ = kernels.solve_triangular(factor, b, uplo="L", trans=trans, diag="N", num_threads=ASKED.get().num_threads)
    return x
