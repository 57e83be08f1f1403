"""The generalized ufuncs on which NumPy's functions of linear algebra stand, done by kernels.

NumPy's functions convert operands, look at their shapes, wrap results and raise errors; a gufunc does the work. Here
are gufuncs of the same names, arguments and results, one row each. Whatever a kernel does not do, NumPy's own does:
other dtypes, what is empty, stacks for which LAPACK is faster.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.linalg import _linalg, _umath_linalg

from ..arrays.host import Array
from ..runtime.afresh import Known, kinds, known
from ..runtime.state import RUNTIME
from ..schedule.hand_over import LARGEST, least
from . import kernels
from .asked import ALWAYS, ASKED, NOTHING, Asked, precision, wants_all, wants_kernels
from .stacks import Stacks, native

Function = Callable[..., Any]
_NDARRAY = np.ndarray
_DOUBLE = (np.dtype(np.float64), np.dtype(np.complex128))


@dataclass(frozen=True)
class Gufunc:
    """``name``: NumPy's. ``run`` takes batches and the number of threads, and returns results, batches themselves, and
    what each matrix reported. ``kind``: the row of the rule that hands over. ``fails``: a report is an error.
    ``square``: matrices are. ``overwrites``: its first operand, which ``run`` overwrites where it lies. ``flags``: of
    the operation, which ``run`` takes too."""

    name: str
    run: Callable[..., tuple[tuple[Array, ...], Array]]
    kind: str
    fails: bool = True
    square: bool = True
    overwrites: bool = False
    flags: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, *operands: Any, signature: str, **named: Any) -> Any:
        asked = ASKED.get()
        if not named:
            found = self._by_kernels(operands, signature, asked)
            if found is not None:
                return found
        return by_numpy(self.name, operands, {"signature": signature, **named}, asked)

    def wants(self, operands: Sequence[Any]) -> bool:
        """Whether kernels do it: stacks that are large enough, or anything where that is asked for."""
        leading = {x.shape[:-2] for x in operands if x.ndim > 2}
        if not leading and not wants_all():
            return False
        count = prod(map(prod, leading))  # however they broadcast
        return wants_kernels(self.kind, max(operands[0].shape[-2:]), count)

    def _by_kernels(self, operands: Sequence[Any], signature: str, asked: Asked) -> Any:
        arrays = [np.asarray(x) for x in operands]
        for x in arrays:
            if x.dtype.kind not in "biufc" or not x.size:
                return None
        takes, gives = cores(self.name)
        stacks = Stacks.of(arrays, takes)
        if stacks is None:
            return None
        order = max(arrays[0].shape[-2:])
        for x in stacks.batches:
            if self.square and x.shape[-2] != order:
                return None
        if len(operands) > 1 and not wants_kernels(self.kind, order, stacks.count):
            return None
        dtype = precision(np.dtype(signature[0]), asked.dtype)
        batches = [native(x, dtype) for x in stacks.batches]
        found = kernels.attempt(self.run, *batches, num_threads=asked.num_threads, **self.flags)
        if found is None:
            return None
        results, info = found
        if self.overwrites and not np.may_share_memory(batches[0], arrays[0]):
            arrays[0][...] = batches[0].reshape(arrays[0].shape)
        if self.fails and np.count_nonzero(info):
            self._report(batches, results, info, asked)
        if asked.reports is not None:
            asked.add(info.reshape(stacks.shape))
        if len(results) == 1:
            return _shaped(results[0], stacks.shape, gives[0])
        return tuple(_shaped(x, stacks.shape, axes) for x, axes in zip(results, gives, strict=True))

    def _report(self, batches: Sequence[Array], results: Sequence[Array], info: Array, asked: Asked) -> None:
        """Of matrices that failed NumPy has the last word where failing is an error, in its error state: NaN is not
        always one for LAPACK, nor is what rounding made singular here. Else they are NaN, or as they are."""
        failed = info != 0
        if asked.raises:
            takes, _ = cores(self.name)
            few = [x if x.ndim == 2 else x[failed] for x in batches]
            few = [x if axes == 2 else x[..., 0] for x, axes in zip(few, takes, strict=True)]
            found = getattr(_umath_linalg, self.name)(*few)
            for x, own in zip(results, found if isinstance(found, tuple) else (found,), strict=True):
                x[failed] = own.reshape(-1, *x.shape[1:])
        elif asked.check != "ignore":
            for x in results:
                x[failed] = np.nan


@dataclass(frozen=True)
class AtOnce(Gufunc):
    """One that is a single call, which NumPy's function may leave its operands to as they are. What a call on batches
    without gaps comes to is kept by their types and shapes."""

    run: kernels.Single

    @cached_property
    def fewest(self) -> list[float]:
        """Of how many matrices kernels do a batch of which nothing is to be converted, by their order."""
        return [least(self.kind, order, at_once=True) for order in range(LARGEST + 1)]

    def at_once(
        self, operands: Sequence[Any], num_threads: int | None, named: Function | None, theirs: Function
    ) -> Any:
        """The result for batches in double precision of which nothing is to be converted, with nothing else asked:
        several are ``named`` by it, and what is ``theirs``, NumPy's function itself, does few matrices, and one. None
        for any other operands, and where a matrix fails: what is to be said then, the long way knows."""
        first = operands[0]
        if type(first) is not _NDARRAY or ASKED.get() is not NOTHING:
            return None
        if first.ndim == 2 and num_threads is None and not ALWAYS:
            last = operands[-1]  # none of these has more than two operands
            return theirs(*operands) if type(last) is _NDARRAY and last.ndim <= 2 else None
        plain = kinds(operands)
        if plain is None:
            found = self._batches_at_once(operands, num_threads)
        else:
            batch, parts = plain
            order = first.shape[1]
            if not ALWAYS and (order > LARGEST or batch < self.fewest[order]):
                return theirs(*operands) if num_threads is None else None
            key, calls = (self.name, *parts), RUNTIME.calls
            call: Known | None = calls[key]
            if call is None:
                found = self._batches_at_once(operands, num_threads)
                if found and (call := known(*self.run.call(*operands, **self.flags))):
                    calls.keep(key, call)
            else:
                results, info = call.run(operands, batch, num_threads)
                found = self.run.shown(*results), info
        if found is None or (self.fails and np.count_nonzero(found[1])):
            return None
        shown = [np.asarray(x, order="C") for x in found[0]]
        return named(*shown) if named else shown[0]

    def _batches_at_once(self, operands: Sequence[Any], num_threads: int | None) -> kernels.Done | None:
        """What kernels make of batches in double precision; None of any other operands."""
        first = operands[0]
        shape, dtype = first.shape, first.dtype
        if len(shape) != 3 or shape[1] != shape[2] or dtype not in _DOUBLE:
            return None
        for x in operands:
            if type(x) is not _NDARRAY or x.dtype is not dtype or x.ndim != 3 or not x.flags.aligned:
                return None
            if not x.size or x.shape[:2] != shape[:2]:
                return None
        if not wants_kernels(self.kind, shape[1], shape[0], at_once=True):
            return None
        return kernels.attempt(self.run, *operands, num_threads=num_threads, **self.flags)


def _shaped(result: Array, shape: tuple[int, ...], axes: int) -> Any:
    """A result (batch, rows, columns) with the leading axes of a stack, and ``axes`` of its own: contiguous, as
    those of NumPy are, also where kernels went along columns."""
    own = result.shape[1:] if axes == 2 else result.shape[1 : 1 + axes]
    wanted = shape + own
    return np.asarray(result if result.shape == wanted else result.reshape(wanted), order="C")[()]


_CORES: dict[str, tuple[list[int], list[int]]] = {}


def cores(name: str) -> tuple[list[int], list[int]]:
    """The axes that matrices, vectors and numbers have among operands, and among results, of NumPy's gufunc."""
    if name not in _CORES:
        sides = getattr(_umath_linalg, name).signature.split("->")
        takes, gives = ([part.count(",") + bool(part) for part in side[1:-1].split("),(")] for side in sides)
        _CORES[name] = takes, gives
    return _CORES[name]


def by_numpy(name: str, operands: Sequence[Any], named: dict[str, Any], asked: Asked) -> Any:
    """NumPy's own gufunc. Where failing matrices are no error they are NaN, and reported as 1."""
    gufunc = getattr(_umath_linalg, name)
    if asked.raises:
        return gufunc(*operands, **named)
    takes, gives = cores(name)
    with np.errstate(all="ignore"):
        found = gufunc(*operands, **named)
        first = found[0] if isinstance(found, tuple) else found
        failed = np.isnan(first).any(axis=tuple(range(-gives[0], 0)))
        for x, axes in zip(operands, takes, strict=True):
            failed = failed & np.isfinite(x).all(axis=tuple(range(-axes, 0)))
    asked.add(np.asarray(failed, np.int32))
    return found


@dataclass(frozen=True)
class Reporting:
    """One of NumPy's gufuncs of one operand for which there is no kernel: it reports what it can be seen to have failed
    on, and matrices that are not finite, in whose place it has zeros."""

    name: str

    def wants(self, operands: Sequence[Any]) -> bool:
        """Whether there is something to report."""
        return ASKED.get() is not NOTHING

    def __call__(self, a: Any, **named: Any) -> Any:
        asked = ASKED.get()
        if asked.raises:
            return by_numpy(self.name, (a,), named, asked)
        usual = np.isfinite(a).all(axis=(-2, -1), keepdims=True)
        found = by_numpy(self.name, (np.where(usual, a, 0),), named, asked)
        failed = ~usual[..., 0, 0]
        for x in found if isinstance(found, tuple) else (found,):
            x[failed] = np.nan
        asked.add(np.asarray(failed, np.int32))
        return found


def assert_finite(*arrays: Any) -> None:
    """NumPy's look at matrices of whose eigenvalues there is no kernel, where one that fails is an error."""
    if ASKED.get().raises:
        _ASSERT_FINITE(*arrays)


_ASSERT_FINITE = vars(_linalg)["_assert_finite"]

SINGLE = (
    AtOnce("solve", kernels.solve, "solve"),
    AtOnce("solve1", kernels.solve, "solve"),
    AtOnce("inv", kernels.inv, "inv"),
    AtOnce("det", kernels.det, "det", fails=False),
    AtOnce("slogdet", kernels.slogdet, "det", fails=False),
    AtOnce("cholesky_lo", kernels.cholesky, "cholesky", flags={"uplo": "L"}),
    AtOnce("cholesky_up", kernels.cholesky, "cholesky", flags={"uplo": "U"}),
    AtOnce("eigh_lo", kernels.eigh, "eigh", flags={"uplo": "L"}),
    AtOnce("eigh_up", kernels.eigh, "eigh", flags={"uplo": "U"}),
    AtOnce("eigvalsh_lo", kernels.eigvalsh, "eigh", flags={"uplo": "L"}),
    AtOnce("eigvalsh_up", kernels.eigvalsh, "eigh", flags={"uplo": "U"}),
)
ROWS = (
    *SINGLE,
    Gufunc("qr_r_raw", kernels.qr_factor, "qr", fails=False, square=False, overwrites=True),
    Gufunc("qr_reduced", kernels.qr_reduced, "qr", fails=False, square=False),
    Gufunc("qr_complete", kernels.qr_complete, "qr", fails=False, square=False),
    *(Gufunc(name, kernels.svdvals, "svdvals", square=False) for name in ("svd", "svd_m", "svd_n")),
    *(Gufunc(name, kernels.svd, "svd", square=False) for name in ("svd_s", "svd_m_s", "svd_n_s")),
    *(Gufunc(name, kernels.svd_full, "svd", square=False) for name in ("svd_f", "svd_m_f", "svd_n_f")),
)
_REPORTING = ("eig", "eigvals")


def _gated(row: Gufunc | Reporting) -> Callable[..., Any]:
    """It for stacks, and for what is asked for; NumPy's own for few matrices, after a look that takes 0.6 us."""

    def call(*operands: Any, **named: Any) -> Any:
        return row(*operands, **named) if row.wants(operands) else by_numpy(row.name, operands, named, ASKED.get())

    return call


def namespace() -> Any:
    """What stands in for NumPy's module of gufuncs."""
    rows: list[Gufunc | Reporting] = [*ROWS, *map(Reporting, _REPORTING)]
    known = {x.name: _gated(x) for x in rows if hasattr(_umath_linalg, x.name)}
    return SimpleNamespace(**{**vars(_umath_linalg), **known})
