"""Batches (batch, rows, columns) in, new batches and reports out: what is computed of them, and by which operations."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from time import perf_counter
from typing import Any, TypeVar

import numpy as np

from ..arrays.fresh import empty
from ..arrays.host import Array
from ..blas import trsm
from ..errors import CacheError, CompileError, JitDisabledError, KernelWarning, NoCompilerError
from ..ir.catalog import OPS
from ..ir.operation import Operation, Step
from ..ir.sequence import step
from ..ir.variants import variant
from ..lapack import geqp3, geqrf, gesvd, gesvdvals, getrf, getrs, orgqr, ormqr, potrf, potrs, sygv
from ..runtime.afresh import afresh
from ..runtime.call import no_memory
from ..runtime.invoke import NO_SCALARS
from ..runtime.outputs import is_large
from ..runtime.route import prepare
from ..runtime.state import RUNTIME
from ..sequences import OperationSequence, sequence
from .asked import ASKED

Done = tuple[tuple[Array, ...], Array]
"""Results and reports."""
Found = TypeVar("Found")
COPIED = 2
"""Of matrices up to this order right-hand sides with gaps are copied: kernels for any strides take longer than that."""
PATIENCE = 100
"""How many times as long as it took to find out that a kernel is missing nobody looks for it again."""


def attempt(run: Callable[..., Found], *operands: Any, **named: Any) -> Found | None:
    """What ``run`` makes of operands by kernels; None where one is missing that cannot be compiled here, which NumPy's
    and SciPy's functions do not wait for: to find it out takes up to a thousand times as long as these."""
    missing = RUNTIME.missing
    if missing and perf_counter() < (missing[_kind(run, operands)] or 0.0):
        return None
    start = perf_counter()
    try:
        return run(*operands, **named)
    except (NoCompilerError, JitDisabledError):
        pass
    except (CompileError, CacheError) as error:
        warnings.warn(f"NumPy and SciPy do what a kernel is missing for: {error}", KernelWarning, stacklevel=3)
    now = perf_counter()
    missing.keep(_kind(run, operands), now + PATIENCE * (now - start))
    return None


def _kind(run: Callable[..., Any], operands: Sequence[Any]) -> tuple[Hashable, ...]:
    """What decides which kernels a call needs, as far as a look tells."""

    def seen(x: Any) -> Hashable:
        if type(x) is tuple:  # factors, and what belongs to them
            return tuple(map(seen, x))
        return tuple(getattr(x, "shape", ())[-2:]), getattr(x, "dtype", None)

    return (run, *map(seen, operands))


Call = tuple[Operation, Mapping[str, Array | None], Mapping[str, str]]
"""An operation, operands by name, None for those that are made, and flags."""


@dataclass(frozen=True, slots=True)
class Single:
    """What is one call whose results are all new: ``call`` of batches, and what is ``shown`` of its results."""

    call: Callable[..., Call]
    shown: Callable[..., tuple[Array, ...]] = lambda *results: results

    def __call__(self, *batches: Array, num_threads: int | None, **flags: Any) -> Done:
        results, info = called(*self.call(*batches, **flags), num_threads)
        return self.shown(*results), info


def _solved(a: Array, b: Array) -> Call:
    if a.shape[-1] <= COPIED and not b.flags.c_contiguous:
        b = np.ascontiguousarray(b)
    rows, columns = b.shape[-2:]
    refines = ASKED.get().refine
    large = is_large(rows * max(rows, columns) * b.itemsize, refines=refines)
    row, operands = _kept("gesv", large=large, refines=refines)
    return row, {**operands, "A": a, "B": b}, {}


def _factored(a: Array, *, uplo: str) -> Call:
    row, operands = _kept("potrf", fills=True)
    return row, {**operands, "A": a}, {"uplo": uplo}


def _spectrum(a: Array, *, uplo: str) -> Call:
    row, operands = _kept("syev")
    return row, {**operands, "A": a}, {"jobz": "V", "uplo": uplo}


def _values_of(a: Array, *, uplo: str) -> Call:
    return _values(uplo).row, {"A": a, "W": None}, {}


def _inverse_of(a: Array) -> Call:
    return _inverse().row, {"A": a, "X": None}, {}


def _determinant_of(a: Array) -> Call:
    return _determinant("gedet", "R", reports=_reported()), {"A": a, "R": None}, {}


def _logarithm_of(a: Array) -> Call:
    return _determinant("geslogdet", "RE", reports=_reported()), {"A": a, "R": None, "E": None}, {}


solve = Single(_solved)
"""A^-1 B; with one step of refinement where that is asked for."""
inv = Single(_inverse_of)
"""A^-1."""
cholesky = Single(_factored)
"""L with A = L L*, zeros above, or U with A = U* U, zeros below."""
det = Single(_determinant_of, lambda det: (det[:, 0, 0],))
"""det(A), 0 where a pivot is."""
slogdet = Single(_logarithm_of, lambda sign, log: (sign[:, 0, 0], log[:, 0, 0].real))
"""The sign of det(A), or its direction, and the logarithm of its size."""
eigh = Single(_spectrum, lambda vectors, values: (values[..., 0], vectors))
"""Values, ascending, and vectors of A, of which one triangle counts."""
eigvalsh = Single(_values_of, lambda values: (values[..., 0],))
"""Values alone, ascending."""


def pair(a: Array, b: Array, *, itype: Any, jobz: Any, uplo: Any, num_threads: int | None) -> Done:
    """Values, ascending, and vectors where they are wanted, of A beside a positive definite B."""
    options: Any = {"overwrite": False, "check": "ignore", "return_info": True, "num_threads": num_threads}
    vectors, values, info = sygv(a, b, itype=itype, jobz=jobz, uplo=uplo, **options)
    return (values, vectors)[: 1 + (jobz == "V")], info


def sqrtm(a: Array, *, num_threads: int | None) -> Done:
    """A^(1/2) of a positive definite A."""
    return _run(_root(), num_threads, A=a, X=None)


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


def qr(a: Array, *, num_threads: int | None) -> tuple[Array, Array]:
    """Q and R at once, of matrices with no more columns than rows."""
    n = a.shape[-1]
    q, r, tau = empty(a.shape, a.dtype), empty((len(a), n, n), a.dtype), empty((len(a), n, 1), a.dtype)
    _reflected()(A=a, R=r, TAU=tau, Q=q, num_threads=num_threads)
    return q, r


def qr_factor(a: Array, *, num_threads: int | None) -> Done:
    """The factors of reflections; R and the vectors of these overwrite A."""
    _, tau = geqrf(a, num_threads=num_threads)
    return (tau,), np.zeros(len(a), np.int32)


def qr_reduced(a: Array, tau: Array, *, num_threads: int | None) -> Done:
    """As many columns of Q as there are reflections."""
    q = columns_of_q(a, tau[..., 0], tau.shape[-2], num_threads=num_threads)
    return (q,), np.zeros(len(q), np.int32)


def qr_complete(a: Array, tau: Array, *, num_threads: int | None) -> Done:
    """All of Q."""
    q = columns_of_q(a, tau[..., 0], a.shape[-2], num_threads=num_threads)
    return (q,), np.zeros(len(q), np.int32)


def columns_of_q(a: Array, tau: Array, columns: int, *, num_threads: int | None) -> Array:
    """The first columns of Q, with the reflections that geqrf or geqp3 left."""
    m, n = a.shape[-2:]
    if columns <= n:
        kept: Array = orgqr(a[..., :columns], tau, overwrite=False, num_threads=num_threads)
        return kept
    q = empty((len(a), m, columns), a.dtype)
    q[..., :n] = a
    made: Array = orgqr(q, tau, num_threads=num_threads)
    return made


def reflected(a: Array, *, pivoting: bool, num_threads: int | None) -> tuple[Array, Array, list[Array]]:
    """R with the reflections below it, their factors, and where columns are exchanged the numbers of these, from 0."""
    if not pivoting:
        return (*geqrf(a, overwrite=False, num_threads=num_threads), [])
    r, order, tau = geqp3(a, overwrite=False, num_threads=num_threads)
    return r, tau, [order - 1]


def least_squares(a: Array, b: Array, *, num_threads: int | None) -> tuple[Array, Array]:
    """X of full rank, and below it what has the norms of B - A X."""
    m, n = a.shape[-2:]
    if m < n:
        padded = np.zeros((len(b), n, b.shape[-1]), b.dtype)
        padded[:, :m] = b
        b = padded
    row, operands = _kept("gels", large=is_large(max(m, n) * max(n, b.shape[-1]) * b.itemsize))
    (x,), info = called(row, {**operands, "A": a, "B": b}, {"trans": "N"}, num_threads)
    return x, info


def pivoted(a: Array, b: Array, *, num_threads: int | None) -> tuple[Array, Array, Array]:
    """R of A P = Q R, the numbers of columns from 1, and Q* B."""
    r, order, tau = geqp3(a, overwrite=False, num_threads=num_threads)
    within = ormqr(r[..., : tau.shape[-1]], tau, b, trans="C", overwrite=False, num_threads=num_threads)
    return r, order, within


def solve_upper(r: Array, b: Array, *, num_threads: int | None) -> Array:
    """R^-1 B with the upper triangle of R, which has no zero on its diagonal."""
    x: Array = trsm(r, b, uplo="U", overwrite=False, num_threads=num_threads)
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
    whole = empty((*q.shape[:-1], q.shape[-2]), q.dtype)
    whole[..., : q.shape[-1]] = reflections
    orgqr(whole, tau, num_threads=num_threads)
    whole[..., : q.shape[-1]] = q
    return whole


@cache
def _kept(name: str, **more: bool) -> tuple[Operation, dict[str, Array | None]]:
    """The row that keeps its operands, and these, none of them given."""
    row = variant(OPS[name], keeps=True, **more)
    assert row is not None
    return row, dict.fromkeys(x.name for x in row.parameters)


def _run(steps: OperationSequence, num_threads: int | None, **operands: Array | None) -> Done:
    """A sequence on operands in the order of its own."""
    return called(steps.row, operands, {}, num_threads)


def called(
    op: Operation,
    operands: Mapping[str, Array | None],
    flags: Mapping[str, str],
    num_threads: int | None,
    scalars: Mapping[str, complex] = NO_SCALARS,
) -> Done:
    """What the call of a public function comes to, without its arguments and errors."""
    if not scalars and (known := afresh(op, operands, flags, num_threads)):
        return known
    run, arguments, found, info, *_kept = prepare(op, operands, flags, scalars, num_threads)
    if run(*arguments):
        raise no_memory(op)
    return tuple(found[name] for name in op.returns), info


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
def _root() -> OperationSequence:
    steps = [Step("lacpy", ("A", "L")), Step("potrf", ("L",)), Step("posqrt", ("L", "X"))]
    return sequence(steps, name="sqrtm", scratch="L")


def _reported() -> bool:
    """Whether somebody reads what matrices report that cannot fail."""
    return ASKED.get().reports is not None


@cache
def _determinant(last: str, results: str, *, reports: bool = True) -> Operation:
    """A's determinant, as ``last`` makes it of factors, in ``results``."""
    steps = [Step("lacpy", ("A", "W")), Step("getrf", ("W", "IPIV")), Step(last, ("W", "IPIV", *results))]
    name = last.removeprefix("ge") + "info" * reports
    row = replace(sequence(steps, name=name, scratch=["W", "IPIV"]).row, returns=tuple(results))
    return row if reports else row.silent()


@cache
def _reflected() -> OperationSequence:
    steps = [Step("lacpy", ("A", "Q")), Step("geqrf", ("Q", "TAU")), Step("triu", ("Q", "R"))]
    return sequence([*steps, Step("orgqr", ("Q", "TAU"))], name="qr")
