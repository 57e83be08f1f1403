"""Batches (batch, rows, columns) in, new batches and reports out: what is computed of them, and by which operations."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ..arrays.host import Array
from ..blas import trsm
from ..ir.operation import Step
from ..ir.sequence import step
from ..lapack import geqrf, gesv, gesvd, gesvdvals, getrf, getrs, orgqr, potrf, potrs, syev
from ..sequences import OperationSequence, sequence
from .asked import ASKED

Done = tuple[tuple[Array, ...], Array]
"""Results and reports."""


def solve(a: Array, b: Array, *, num_threads: int | None) -> Done:
    """A^-1 B; with one step of refinement where that is asked for."""
    if ASKED.get().refine:
        return _run(_refined(), num_threads, A=a, B=b, X=None)
    x, info = gesv(a, b, overwrite=False, check="ignore", return_info=True, num_threads=num_threads)
    return (x,), info


def inv(a: Array, *, num_threads: int | None) -> Done:
    """A^-1."""
    return _run(_inverse(), num_threads, A=a, X=None)


def cholesky_lower(a: Array, *, num_threads: int | None) -> Done:
    """L with A = L L*, zeros above."""
    return _cholesky(a, uplo="L", num_threads=num_threads)


def cholesky_upper(a: Array, *, num_threads: int | None) -> Done:
    """U with A = U* U, zeros below."""
    return _cholesky(a, uplo="U", num_threads=num_threads)


def det(a: Array, *, num_threads: int | None) -> Done:
    """det(A), 0 where a pivot is."""
    mantissa, exponent, info = _determinant(a, num_threads=num_threads)
    power = exponent.astype(np.int32)
    if mantissa.dtype.kind != "c":
        return (np.ldexp(mantissa, power),), info
    parts = mantissa.view(mantissa.real.dtype).reshape(-1, 2)
    return (np.ldexp(parts, power[:, None]).view(mantissa.dtype)[:, 0],), info


def slogdet(a: Array, *, num_threads: int | None) -> Done:
    """The sign of det(A), or its direction, and the logarithm of its size."""
    mantissa, exponent, info = _determinant(a, num_threads=num_threads)
    with np.errstate(divide="ignore", invalid="ignore"):
        size = abs(mantissa)
        sign = np.sign(mantissa)
        log = np.log(size)
    log += exponent * np.log(2).astype(log.dtype)
    return (sign, log), info


def _determinant(a: Array, *, num_threads: int | None) -> tuple[Array, Array, Array]:
    """det(A) as mantissas and powers of 2, and what its factorization reported."""
    made = {name: np.empty((len(a), 1, 1), a.dtype) for name in "RE"}
    *_, info = _factors()(A=a, **made, check="ignore", return_info=True, num_threads=num_threads)
    mantissa, exponent = made["R"][:, 0, 0], made["E"][:, 0, 0].real
    if np.count_nonzero(info):
        mantissa[info != 0] = 0
        exponent[info != 0] = 0
    return mantissa, exponent, info


def _cholesky(a: Array, *, uplo: Any, num_threads: int | None) -> Done:
    options: Any = {"overwrite": False, "clean": True, "check": "ignore", "return_info": True}
    factor, info = potrf(a, uplo=uplo, num_threads=num_threads, **options)
    return (factor,), info


def eigh_lower(a: Array, *, num_threads: int | None) -> Done:
    """Values, ascending, and vectors of A, of which the lower triangle counts."""
    return _eigh(a, uplo="L", num_threads=num_threads)


def eigh_upper(a: Array, *, num_threads: int | None) -> Done:
    """The same of its upper triangle."""
    return _eigh(a, uplo="U", num_threads=num_threads)


def eigvalsh_lower(a: Array, *, num_threads: int | None) -> Done:
    """Values alone, ascending."""
    return _run(_values("L"), num_threads, A=a, W=np.empty((len(a), a.shape[-1], 1), a.real.dtype))


def eigvalsh_upper(a: Array, *, num_threads: int | None) -> Done:
    """The same of the upper triangle."""
    return _run(_values("U"), num_threads, A=a, W=np.empty((len(a), a.shape[-1], 1), a.real.dtype))


def _eigh(a: Array, *, uplo: Any, num_threads: int | None) -> Done:
    options: Any = {"overwrite": False, "check": "ignore", "return_info": True}
    vectors, values, info = syev(a, jobz="V", uplo=uplo, num_threads=num_threads, **options)
    return (values, vectors), info


def solve_triangular(a: Array, b: Array, *, uplo: Any, trans: Any, diag: Any, num_threads: int | None) -> Done:
    """op(A)^-1 B with A triangular; the first zero on its diagonal is reported."""
    x = trsm(a, b, uplo=uplo, transa=trans, diag=diag, overwrite=False, num_threads=num_threads)
    zeros = np.diagonal(a, axis1=-2, axis2=-1) == 0
    info = np.zeros(len(x), np.int32)
    if diag == "N" and zeros.any():
        info[:] = np.where(zeros.any(axis=-1), zeros.argmax(axis=-1) + 1, 0)
    return (x,), info


def cho_factor(a: Array, *, uplo: Any, num_threads: int | None) -> Done:
    """The factor of a positive definite A in one triangle, A itself in the other."""
    factor, info = potrf(a.copy(), uplo=uplo, check="ignore", return_info=True, num_threads=num_threads)
    return (factor,), info


def cho_solve(c: Array, b: Array, *, uplo: Any, num_threads: int | None) -> Array:
    """A^-1 B with the factor of A."""
    x: Array = potrs(c, b, uplo=uplo, overwrite=False, num_threads=num_threads)
    return x


def lu_factor(a: Array, *, num_threads: int | None) -> Done:
    """L and U, which share a matrix, and the row that each row was exchanged with, from 0."""
    factors, pivots, info = getrf(a, overwrite=False, check="ignore", return_info=True, num_threads=num_threads)
    return (factors, pivots - 1), info


def lu_solve(lu: Array, pivots: Array, b: Array, *, trans: Any, num_threads: int | None) -> Array:
    """op(A)^-1 B with the factors of A, and pivots from 1."""
    x: Array = getrs(lu, pivots, b, trans=trans, overwrite=False, num_threads=num_threads)
    return x


def svdvals(a: Array, *, num_threads: int | None) -> Done:
    """The singular values."""
    found: Any = gesvdvals(a, check="ignore", return_info=True, num_threads=num_threads)
    return (found[0],), found[1]


def svd(a: Array, *, num_threads: int | None) -> Done:
    """Singular values and as many vectors."""
    *found, info = gesvd(a, check="ignore", return_info=True, num_threads=num_threads)
    return tuple(found), info


def svd_full(a: Array, *, num_threads: int | None) -> Done:
    """Singular values, and vectors of all the space."""
    (u, s, vt), info = svd(a, num_threads=num_threads)
    m, n = a.shape[-2:]
    if m > n:
        u = _completed(u, num_threads)
    elif m < n:
        vt = _completed(vt.swapaxes(1, 2), num_threads).swapaxes(1, 2)
    return (u, s, vt), info


def _completed(q: Array, num_threads: int | None) -> Array:
    """Orthonormal columns with as many more as there are rows: those reflections have that make zeros of the first."""
    reflections, tau = geqrf(q, overwrite=False, num_threads=num_threads)
    whole = np.empty((*q.shape[:-1], q.shape[-2]), q.dtype)
    whole[..., : q.shape[-1]] = reflections
    orgqr(whole, tau, num_threads=num_threads)
    whole[..., : q.shape[-1]] = q
    return whole


def _run(steps: OperationSequence, num_threads: int | None, **operands: Array | None) -> Done:
    *results, info = steps(**operands, check="ignore", return_info=True, num_threads=num_threads)
    return tuple(results), info


@cache
def _values(uplo: str) -> OperationSequence:
    """A copy is worked on, which nobody sees."""
    steps = [Step("lacpy", ("A", "C")), step("syev", "C", "W", uplo=uplo)]
    return sequence(steps, name="values", scratch="C")


@cache
def _inverse() -> OperationSequence:
    steps = [Step("lacpy", ("A", "X")), Step("getrf", ("X", "IPIV")), Step("getri", ("X", "IPIV"))]
    return sequence(steps, name="inverse", scratch="IPIV")


@cache
def _refined() -> OperationSequence:
    """LAPACK's gerfs with one step: X := X + A^-1 (B - A X)."""
    solve = [Step("lacpy", ("A", "W")), Step("lacpy", ("B", "X")), Step("getrf", ("W", "IPIV"))]
    solve += [
        Step("getrs", ("W", "IPIV", "X")),
        Step("lacpy", ("B", "R")),
        step("gemm", "A", "X", "R", alpha=-1, beta=1),
    ]
    solve += [Step("getrs", ("W", "IPIV", "R")), step("geadd", "R", "X", beta=1)]
    return sequence(solve, name="refined", scratch=["W", "IPIV", "R"])


@cache
def _factors() -> OperationSequence:
    steps = [Step("lacpy", ("A", "W")), Step("getrf", ("W", "IPIV")), Step("gedet", ("W", "IPIV", "R", "E"))]
    return sequence(steps, name="determinant", scratch=["W", "IPIV"])
