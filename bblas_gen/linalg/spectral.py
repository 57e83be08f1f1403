"""What ``scipy.linalg`` makes of eigenvalues and singular values, on stacks, by those of ``numpy.linalg``."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Any

import numpy as np

from ..arguments import as_int
from ..arrays.host import Array
from . import kernels
from .asked import ASKED
from .numpy_names import OURS
from .scipy_frame import Computed, Failed, Unusual, as_stacks, check_square, like_scipy, report
from .stacks import Stacks

DRIVERS = ("gesdd", "gesvd")
"""The algorithms of SciPy's that have the same results as ours."""
_NOT_GIVEN: Any = object()
"""Arguments of which SciPy warns, even where they have the value that they had by default."""


@like_scipy("spectral")
def svd(
    a: Any,
    full_matrices: bool = True,
    compute_uv: bool = True,
    overwrite_a: bool = False,
    check_finite: bool = True,
    lapack_driver: str = "gesdd",
) -> Computed | None:
    """U, singular values and V* of stacks (..., m, n), or values alone, as :func:`scipy.linalg.svd`."""
    if lapack_driver not in DRIVERS:
        return None
    stacks = _finite(a, check_finite)
    if not compute_uv:
        return stacks.results(OURS["svd"](stacks.batches[0], compute_uv=False))
    return stacks.results(*OURS["svd"](stacks.batches[0], full_matrices=bool(full_matrices)))


@like_scipy("spectral")
def svdvals(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Computed | None:
    """The singular values of stacks (..., m, n), as :func:`scipy.linalg.svdvals`."""
    stacks = _finite(a, check_finite)
    return stacks.results(OURS["svd"](stacks.batches[0], compute_uv=False))


@like_scipy("spectral")
def pinv(
    a: Any,
    *,
    atol: float | None = None,
    rtol: float | None = None,
    return_rank: bool = False,
    check_finite: bool = True,
) -> Computed | None:
    """Pseudo-inverses of stacks (..., m, n), as :func:`scipy.linalg.pinv`."""
    stacks = _finite(a, check_finite)
    u, s, vh = OURS["svd"](stacks.batches[0], full_matrices=False)
    counts, inverse = _inverted(s, s[:, :1], atol, rtol, max(np.shape(a)[-2:]))
    found = (_adjoint(vh) * inverse[:, None]) @ _adjoint(u)
    return stacks.results(found, counts) if return_rank else stacks.results(found)


def _finite(a: Any, check_finite: bool) -> Stacks:
    """Stacks without NaN and infinities, where a matrix that fails is an error; SciPy has words of its own for that."""
    stacks = as_stacks((a,), (2,), finite=check_finite)
    if ASKED.get().raises and not (check_finite or np.isfinite(stacks.batches[0]).all()):
        raise Failed
    return stacks


def _inverted(s: Array, largest: Array, atol: Any, rtol: Any, order: int) -> tuple[Array, Array]:
    """How many of the values ``s`` of each matrix count, and the inverses of these, 0 for others."""
    absolute = 0.0 if atol is None else atol
    relative = order * np.finfo(s.dtype).eps if rtol is None else rtol
    if absolute < 0 or relative < 0:
        raise Unusual
    counts = abs(s) > absolute + largest * relative
    return counts.sum(axis=-1), np.divide(1, s, where=counts, out=np.zeros_like(s))


@like_scipy("spectral")
def polar(a: Any, side: str = "right") -> Computed | None:
    """The polar factors of stacks of A = U P, or of A = P U, as :func:`scipy.linalg.polar`.

    Parameters
    ----------
    a : array_like (..., m, n)
        Keeps its values.
    side : {"right", "left"}, optional
        On which side of U P stands: "right" is A = U P, "left" A = P U.

    Returns
    -------
    u : array (..., m, n)
        With orthonormal columns, or rows where m < n.
    p : array (..., n, n), or (..., m, m) where ``side`` is "left"
        Hermitian and positive semidefinite.

    Raises
    ------
    numpy.linalg.LinAlgError
        Where singular values are not found.
    ValueError
        For another ``side``, and for NaN and infinities, whatever ``check`` is.

    Notes
    -----
    A singular value decomposition and three products; see :func:`svd`.

    Examples
    --------
    >>> u, p = la.polar(np.tile([[0.0, -2.0], [3.0, 0.0]], (1000, 1, 1)))
    >>> u[0].round(12).tolist(), p[0].round(12).tolist()
    ([[0.0, -1.0], [1.0, 0.0]], [[3.0, 0.0], [0.0, 2.0]])
    """
    if side not in ("right", "left"):
        return None
    stacks = as_stacks((a,), (2,), finite=True)
    w, s, vh = OURS["svd"](stacks.batches[0], full_matrices=False)
    first, last = (_adjoint(vh), vh) if side == "right" else (w, _adjoint(w))
    return stacks.results(w @ vh, (first * s[:, None]) @ last)


@like_scipy("spectral")
def pinvh(
    a: Any,
    atol: float | None = None,
    rtol: float | None = None,
    lower: bool = True,
    return_rank: bool = False,
    check_finite: bool = True,
) -> Computed | None:
    """Pseudo-inverses of stacks of Hermitian matrices by their eigenvalues, as :func:`scipy.linalg.pinvh`.

    Parameters
    ----------
    a : array_like (..., n, n)
        Real symmetric or Hermitian matrices, of which one triangle is read.
    atol, rtol : float, optional
        Eigenvalues of size ``atol + rtol * largest`` or less count as zero. By default 0, and n times the precision.
    lower : bool, optional
        Which triangle is read: the lower one by default.
    return_rank : bool, optional
        Whether to return the ranks, too.

    Returns
    -------
    b : array (..., n, n)
        The pseudo-inverses.
    rank : int array (...)
        With ``return_rank``.

    Raises
    ------
    numpy.linalg.LinAlgError
        Where eigenvalues are not found.
    ValueError
        For matrices that are not square, ``atol`` or ``rtol`` less than zero, and see ``check_finite``.

    Notes
    -----
    The eigenvalues and vectors, see :func:`eigh`, and a product.

    Examples
    --------
    >>> la.pinvh(np.tile([[2.0, 0.0], [0.0, 0.0]], (1000, 1, 1)))[0].tolist()
    [[0.5, 0.0], [0.0, 0.0]]
    """
    stacks = _finite(a, check_finite)
    check_square(*stacks.batches)
    s, u = _eigh(stacks.batches[0], lower)
    counts, inverse = _inverted(s, abs(s).max(axis=-1, keepdims=True), atol, rtol, s.shape[-1])
    found = (u * inverse[:, None]) @ _adjoint(u)
    if not return_rank:
        return stacks.results(found)
    (x, rank), info = stacks.results(found, counts)
    return (x, rank if stacks.shape else int(rank)), info  # of one matrix an int, as SciPy's


@like_scipy("sqrtm")
def sqrtm(A: Any, disp: Any = _NOT_GIVEN, blocksize: Any = _NOT_GIVEN) -> Computed | None:
    """Square roots X X = A of stacks of positive definite matrices, as :func:`scipy.linalg.sqrtm`.

    Parameters
    ----------
    A : array_like (..., n, n)
        Keeps its values. Stacks in which a matrix is not Hermitian are SciPy's.
    disp, blocksize : optional
        For SciPy, which does a call that has any of them, and warns.

    Returns
    -------
    array (..., n, n)
        The roots, Hermitian and positive definite.

    Raises
    ------
    numpy.linalg.LinAlgError
        For matrices that are not square.

    Notes
    -----
    The polar factor of the Cholesky factor. Where a matrix is not finite, not positive definite, or as good as singular
    whatever its rows are scaled by, SciPy does the stack; with ``check`` "nan" or ``return_info`` that matrix has
    failed.

    Examples
    --------
    >>> la.sqrtm(np.tile([[5.0, 4.0], [4.0, 5.0]], (1000, 1, 1)))[0].round(12).tolist()
    [[2.0, 1.0], [1.0, 2.0]]
    """
    if not (disp is blocksize is _NOT_GIVEN):
        return None
    stacks = as_stacks((A,), (2,), finite=False)
    check_square(*stacks.batches)
    (a,) = stacks.batches
    differs = a != _adjoint(a)
    spoiled = differs.any(axis=(1, 2)) if differs.any() else np.zeros(len(a), bool)
    if a.shape[-1] == 1 or np.isfinite(a[spoiled]).all(axis=(1, 2)).any():
        return None
    (x,), info = kernels.sqrtm(a, num_threads=ASKED.get().num_threads)
    info[spoiled & (info == 0)] = 1  # by what stands in the triangle that no kernel reads
    report([x], info)
    return stacks.results(x, info=info)


@like_scipy("spectral")
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
    """Eigenvalues and vectors of stacks of Hermitian A (..., n, n), or of A with positive definite B: A v = w B v, with
    ``type`` 2 A B v = w v, with 3 B A v = w v, as :func:`scipy.linalg.eigh`."""
    if type not in (1, 2, 3) or not (subset_by_index is subset_by_value is driver is None):
        return None
    return _eigen(a, b, type, lower=lower, values_only=eigvals_only, check_finite=check_finite)


@like_scipy("spectral")
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
    if type not in (1, 2, 3) or not (subset_by_index is subset_by_value is driver is None):
        return None
    return _eigen(a, b, type, lower=lower, values_only=True, check_finite=check_finite)


def with_pairs(alone: Callable[..., Any], of_pairs: Callable[..., Any]) -> Callable[..., Any]:
    """NumPy's function of one matrix, which is SciPy's where ``b`` is given, or what SciPy's alone takes."""
    theirs = [x for x in signature(of_pairs).parameters.values() if x.name not in signature(alone).parameters]
    own = {x.name for x in theirs}

    @wraps(alone)
    def call(a: Any, UPLO: Any = "L", **named: Any) -> Any:
        kind = named.get("type", 1)
        if as_int(kind) not in (1, 2, 3):
            raise ValueError(f"type = {kind!r}: expected 1, 2 or 3")
        if own.isdisjoint(named):
            return alone(a, **named) if UPLO == "L" else alone(a, UPLO, **named)
        if UPLO not in ("L", "U", "l", "u"):
            raise ValueError("UPLO argument must be 'L' or 'U'")
        if UPLO not in "Ll" and named.get("lower"):
            raise TypeError(f"UPLO = {UPLO!r} beside lower = {named['lower']!r}: expected one of them")
        return of_pairs(a, **{"lower": UPLO in "Ll"} | named)

    known = signature(alone)
    pair = [x.replace(kind=Parameter.KEYWORD_ONLY) for x in theirs]
    call.__signature__ = known.replace(parameters=[*known.parameters.values(), *pair])  # type: ignore[attr-defined]
    call.__doc__ = f"{alone.__doc__}{PAIRS}"
    return call


PAIRS = """
b : (..., M, M) array, optional
    Hermitian and positive definite. What is found then is such that A v = w B v, as by SciPy's function.
type : {1, 2, 3}, optional
    With ``b`` and 2 that A B v = w v, with 3 that B A v = w v.
lower, eigvals_only, overwrite_a, overwrite_b, check_finite : optional
    As SciPy's function takes them: ``lower`` says what ``UPLO`` does.
subset_by_index, subset_by_value, driver : optional
    As SciPy's function takes them, whose results these calls have.
"""


def _eigen(a: Any, b: Any, itype: int, *, lower: bool, values_only: bool, check_finite: bool) -> Computed:
    stacks = _finite(a, check_finite) if b is None else as_stacks((a, b), (2, 2), finite=check_finite)
    check_square(*stacks.batches)
    if b is not None:
        return _pair(stacks, itype, lower=lower, values_only=values_only)
    if values_only:
        return stacks.results(OURS["eigvalsh"](stacks.batches[0], "L" if lower else "U"))
    return stacks.results(*_eigh(stacks.batches[0], lower))


def _pair(stacks: Stacks, itype: int, *, lower: bool, values_only: bool) -> Computed:
    """Of A beside B; the stack may be one of either alone."""
    letters: dict[str, Any] = {"itype": itype, "jobz": "N" if values_only else "V", "uplo": "L" if lower else "U"}
    found, info = kernels.pair(*stacks.batches, **letters, num_threads=ASKED.get().num_threads)
    report(found, info)
    return stacks.results(*found, info=info)


def _adjoint(x: Array) -> Array:
    return x.conj().swapaxes(-1, -2)


def _eigh(a: Array, lower: bool) -> tuple[Array, Array]:
    values, vectors = OURS["eigh"](a, "L" if lower else "U")
    return values, vectors
