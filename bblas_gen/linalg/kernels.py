"""Batches (batch, rows, columns) in, new batches and reports out: what is computed of them, and by which operations."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from ..arrays.host import Array
from ..blas import trsm
from ..ir.catalog import OPS
from ..ir.operation import Operation, Step
from ..ir.sequence import step
from ..lapack import getrf, getrs, potrf, potrs
from ..runtime.call import no_memory
from ..runtime.outputs import varied
from ..runtime.route import prepare
from ..sequences import OperationSequence, sequence
from .asked import ASKED

Done = tuple[tuple[Array, ...], Array]
"""Results and reports."""
COPIED = 2
"""Of matrices up to this order right-hand sides with gaps are copied: kernels for any strides take longer than that."""


def solve(a: Array, b: Array, *, num_threads: int | None) -> Done:
    """A^-1 B; with one step of refinement where that is asked for."""
    if ASKED.get().refine:
        return _run(_refined(), num_threads, A=a, B=b, X=None)
    if a.shape[-1] <= COPIED and not b.flags.c_contiguous:
        b = np.ascontiguousarray(b)
    row, operands = varied(OPS["gesv"], {"A": a, "IPIV": None, "B": b}, overwrite=False)
    return _called(row, operands, {}, num_threads)


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
    made = np.empty((len(a), 1, 1), a.dtype)
    _, info = _run(_determinant("gedet", "R"), num_threads, A=a, R=made)
    if np.count_nonzero(info):
        made[info != 0] = 0
    return (made[:, 0, 0],), info


def slogdet(a: Array, *, num_threads: int | None) -> Done:
    """The sign of det(A), or its direction, and the logarithm of its size."""
    made = {name: np.empty((len(a), 1, 1), a.dtype) for name in "RE"}
    _, info = _run(_determinant("geslogdet", "RE"), num_threads, A=a, **made)
    sign, log = (made[name][:, 0, 0] for name in "RE")
    if np.count_nonzero(info):
        sign[info != 0] = 0
        log[info != 0] = -np.inf
    return (sign, log.real), info


def _cholesky(a: Array, *, uplo: Any, num_threads: int | None) -> Done:
    if a.ndim == 2:  # one matrix for all
        options: Any = {"overwrite": False, "clean": True, "check": "ignore", "return_info": True}
        one, report = potrf(a, uplo=uplo, num_threads=num_threads, **options)
        return (one,), report
    row, operands = varied(OPS["potrf"], {"A": a}, overwrite=False, fills=True)
    return _called(row, operands, {"uplo": uplo}, num_threads)


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


def _run(steps: OperationSequence, num_threads: int | None, **operands: Array | None) -> Done:
    """A sequence on operands in the order of its own."""
    return _called(steps.row, operands, {}, num_threads)


def _called(
    op: Operation, operands: Mapping[str, Array | None], flags: Mapping[str, str], num_threads: int | None
) -> Done:
    """What the call of a public function comes to, without its arguments and errors."""
    run, arguments, found, info, *_kept = prepare(op, operands, flags, {}, num_threads)
    if run(*arguments):
        raise no_memory(op)
    return tuple(found[name] for name in op.returns), info


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
def _determinant(last: str, results: str) -> OperationSequence:
    """A's determinant, as ``last`` makes it of factors."""
    steps = [Step("lacpy", ("A", "W")), Step("getrf", ("W", "IPIV")), Step(last, ("W", "IPIV", *results))]
    return sequence(steps, name=last.removeprefix("ge"), scratch=["W", "IPIV"])
