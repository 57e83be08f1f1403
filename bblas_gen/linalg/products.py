"""Products of stacks of matrices and vectors, with the arguments and results of NumPy's ufuncs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, prod
from typing import Any, Literal

import numpy as np

from ..arrays.fresh import empty
from ..arrays.host import Array
from ..blas import dotc, gemm
from ..ir.catalog import OPS
from ..runtime.marshal import thread_argument
from ..schedule.hand_over import LARGEST, least
from . import kernels
from .asked import ALWAYS, ASKED, NOTHING, precision, wants_all, wants_kernels
from .stacks import Stacks, is_stack, native


def matmul(x1: Any, x2: Any, /, *out: Any, **named: Any) -> Any:
    """The product of two stacks of matrices, as :func:`numpy.matmul`, to which arguments of ufuncs are handed.

    Shapes (..., m, k) and (..., k, n) give (..., m, n); leading axes broadcast. An operand (k,) is one row, or one
    column, for all, and its axis of length 1 is left out of the result.
    """
    found = None if out or named or not (is_stack((x1, x2)) or wants_all()) else _product(x1, x2, MATMUL)
    return np.matmul(x1, x2, *out, **named) if found is None else found


def matvec(x1: Any, x2: Any, /, *out: Any, **named: Any) -> Any:
    """The products A x of stacks of matrices and vectors, as :func:`numpy.matvec`.

    Parameters
    ----------
    x1 : array_like (..., m, n)
    x2 : array_like (..., n)
        Leading axes broadcast.
    *out, **named
        As ufuncs take them; NumPy does a call that has any.

    Returns
    -------
    array (..., m)

    Raises
    ------
    ValueError
        For shapes that do not fit together.

    Notes
    -----
    2 m n operations per matrix; complex ones take four times as many.
    """
    found = None if out or named else _product(x1, x2, MATVEC)
    return np.matvec(x1, x2, *out, **_typed(named)) if found is None else found


def vecmat(x1: Any, x2: Any, /, *out: Any, **named: Any) -> Any:
    """The products x* A of stacks of vectors, which are conjugated, and matrices, as :func:`numpy.vecmat`.

    Parameters
    ----------
    x1 : array_like (..., m)
    x2 : array_like (..., m, n)
        Leading axes broadcast.
    *out, **named
        As ufuncs take them; NumPy does a call that has any.

    Returns
    -------
    array (..., n)

    Raises
    ------
    ValueError
        For shapes that do not fit together.

    Notes
    -----
    2 m n operations per matrix; complex ones take four times as many.
    """
    found = None if out or named else _product(x1, x2, VECMAT)
    return np.vecmat(x1, x2, *out, **_typed(named)) if found is None else found


def _typed(named: dict[str, Any]) -> dict[str, Any]:
    """With the precision that is asked for, as ufuncs take it."""
    dtype = ASKED.get().dtype
    return named if dtype is None else {**named, "dtype": dtype}


def vecdot(x1: Any, x2: Any, /, **named: Any) -> Any:
    """The products x1* x2 of stacks of vectors (..., n), as :func:`numpy.vecdot`: (...)."""
    found = _product(x1, x2, VECDOT) if named in ({}, {"axis": -1}) else None
    return np.vecdot(x1, x2, **named) if found is None else found


def _product(x1: Any, x2: Any, product: Product) -> Any:
    """None where NumPy does it."""
    found = product.at_once((x1, x2), None)
    if found is not None:
        return found
    arrays = [np.asarray(x) if isinstance(x, (list, tuple)) else x for x in (x1, x2)]
    if any(type(x) is not np.ndarray or not x.ndim or not x.size or x.dtype.kind not in "biufc" for x in arrays):
        return None
    dtype = np.result_type(*arrays)
    if dtype.char not in "fdFD":
        return None
    flat = [x.ndim == 1 or axes == 1 for x, axes in zip(arrays, product.axes, strict=True)]
    if product is not MATMUL and any(x.ndim < axes for x, axes in zip(arrays, product.axes, strict=True)):
        return None
    stacks = Stacks.of(arrays, [1 if x else 2 for x in flat])
    if stacks is None:
        return None
    a, b = stacks.batches
    if flat[0]:
        a = a.swapaxes(-1, -2)
    order = max(*a.shape[-2:], *b.shape[-2:])
    if a.shape[-1] != b.shape[-2] or not wants_kernels(product.kind, order, stacks.count):
        return None
    asked = ASKED.get()
    kind = precision(dtype, asked.dtype)
    a, b = (native(x, kind) for x in (a, b))
    found = kernels.attempt(product.of_columns, a, b, num_threads=asked.num_threads)
    if found is None:
        return None
    shape = stacks.shape + (() if flat[0] else a.shape[-2:-1]) + (() if flat[1] else b.shape[-1:])
    return found.astype(kind if product.typed else dtype, copy=False).reshape(shape)[()]


@dataclass(frozen=True)
class Product:
    """``name``: NumPy's ufunc. ``kind``: the row of the rule that hands over. ``axes``: how many axes matrices or
    vectors have, of each operand. ``of_batches`` is what kernels do of batches that are taken as they are,
    ``of_columns`` of batches of matrices: vectors are columns, first ones rows. ``typed``: results have the precision
    that is asked for, as the ufunc's; others stand beneath NumPy's functions, whose results do not."""

    name: str
    kind: str
    axes: tuple[int, int]
    of_batches: Callable[..., Array]
    of_columns: Callable[..., Array]
    typed: bool = False

    @cached_property
    def numpy(self) -> Callable[..., Any]:
        """The ufunc, which older releases may not have."""
        found: Callable[..., Any] = getattr(np, self.name)
        return found

    @cached_property
    def fewest(self) -> list[list[float]]:
        """How many matrices kernels are for, by their order: where something is to be converted, and in batches."""
        orders = range(LARGEST + 1)
        return [[least(self.kind, order, at_once=short) for order in orders] for short in (False, True)]

    @cached_property
    def elements(self) -> float:
        """Of a stack that kernels are for there are no fewer."""
        return min(map(min, self.fewest))

    @cached_property
    def largest(self) -> int:
        """The largest order that kernels are for."""
        return max(order for order, count in enumerate(self.fewest[True]) if count < inf)

    def at_once(self, operands: Sequence[Any], num_threads: int | None) -> Any:
        """The product of two batches of which nothing is to be converted or to broadcast, with nothing else asked; of
        any operands by NumPy where they are few. None else."""
        if len(operands) != 2 or ASKED.get() is not NOTHING:
            return None
        a, b = operands
        if type(a) is not np.ndarray or type(b) is not np.ndarray:
            return None
        left, right, axes = a.shape, b.shape, self.axes
        batches = len(left) == axes[0] + 1 and len(right) == axes[1] + 1
        if not ALWAYS and (a.size < self.elements > b.size or self._are_few(left, right, batches)):
            if num_threads is not None:
                thread_argument(num_threads)
            return self.numpy(a, b)
        dtype = a.dtype
        if not batches or left[0] != right[0] or left[-1] != right[1] or not (a.size and b.size):
            return None
        if ALWAYS and max(left[1:] + right[1:]) > LARGEST:
            return None
        if dtype is not b.dtype or dtype.char not in "fdFD" or not dtype.isnative:
            return None
        return kernels.attempt(self.of_batches, a, b, num_threads=num_threads)

    def _are_few(self, left: tuple[int, ...], right: tuple[int, ...], batches: bool) -> bool:
        """Whether there are fewer matrices than kernels are for, however they broadcast."""
        if not left or left[-1] > self.largest:
            return True
        one, other = self.axes
        order = max(left[-one:] + right[-other:])
        if order > self.largest:
            return True
        count = left[0] if batches and left[0] == right[0] else prod(left[:-one]) * prod(right[:-other])
        return bool(count < self.fewest[batches][order])


def _matmul(a: Array, b: Array, num_threads: int | None) -> Array:
    made = empty((len(a), a.shape[1], b.shape[2]), a.dtype)
    return _run("gemm", {"A": a, "B": b, "C": made}, made, num_threads)


def _matvec(a: Array, x: Array, num_threads: int | None) -> Array:
    made = empty(a.shape[:2], a.dtype)
    return _run("gemm", {"A": a, "B": x[..., None], "C": made[..., None]}, made, num_threads)


def _vecmat(x: Array, b: Array, num_threads: int | None) -> Array:
    made = empty(b.shape[::2], b.dtype)
    return _run("gemm", {"A": x[..., None], "B": b, "C": made[:, None]}, made, num_threads, transa="C")


def _vecdot(x: Array, y: Array, num_threads: int | None) -> Array:
    made = empty(x.shape[:1], x.dtype)
    return _run("dotc", {"X": x[..., None], "Y": y[..., None], "R": made[:, None, None]}, made, num_threads)


def _run(
    name: str, operands: dict[str, Array], made: Array, num_threads: int | None, transa: Literal["N", "C"] = "N"
) -> Array:
    """``made``, where the result of an operation lies, once that is done."""
    op = OPS[name]
    flags = {"transa": transa, "transb": "N"} if op.flags else {}
    kernels.called(op, operands, flags, num_threads, {"alpha": 1.0, "beta": 0.0})
    return made


def _conjugated(a: Array, b: Array, num_threads: int | None) -> Array:
    return gemm(a.swapaxes(-1, -2), b, transa="C", num_threads=num_threads)


def _dots(a: Array, b: Array, num_threads: int | None) -> Array:
    found: Array = dotc(a.swapaxes(-1, -2)[..., 0], b[..., 0], num_threads=num_threads)
    return found


MATMUL = Product("matmul", "product", (2, 2), _matmul, gemm)
MATVEC = Product("matvec", "matvec", (2, 1), _matvec, gemm, typed=True)
VECMAT = Product("vecmat", "matvec", (1, 2), _vecmat, _conjugated, typed=True)
VECDOT = Product("vecdot", "vecdot", (1, 1), _vecdot, _dots)
PRODUCTS = {x.name: x for x in (MATMUL, MATVEC, VECMAT, VECDOT)}
"""Functions that are one product."""
