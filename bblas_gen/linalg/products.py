"""Products of stacks of matrices and vectors, with the arguments and results of NumPy's ufuncs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from ..arrays.fresh import empty
from ..arrays.host import Array
from ..blas import dotc, gemm
from ..ir.catalog import OPS
from ..runtime.marshal import thread_argument
from ..schedule.hand_over import AT_ONCE, REACH
from . import kernels
from .asked import ALWAYS, ASKED, NOTHING, precision, wants_all, wants_kernels
from .stacks import Stacks, is_stack, native

KINDS = {"": "product", "1": "matvec", "2": "matvec", "12": "vecdot"}
"""By which operands are vectors, the rows of the rule that hands over."""
NAMES = {"": "matmul", "1": "vecmat", "2": "matvec", "12": "vecdot"}
"""The same: NumPy's ufuncs."""
AXES = {"": (3, 3), "1": (2, 3), "2": (3, 2), "12": (2, 2)}
"""The same: how many axes batches have."""
_TABLES = REACH, AT_ONCE
MOST = {vectors: max(max(x[kind].orders) for x in _TABLES) for vectors, kind in KINDS.items()}
FEWEST = {vectors: min(min(x[kind].matrices) for x in _TABLES) for vectors, kind in KINDS.items()}
"""The largest order, and the fewest matrices, that kernels are for: all other calls are NumPy's at once."""


def matmul(x1: Any, x2: Any, /, *out: Any, **named: Any) -> Any:
    """The product of two stacks of matrices, as :func:`numpy.matmul`, to which arguments of ufuncs are handed.

    Shapes (..., m, k) and (..., k, n) give (..., m, n); leading axes broadcast. An operand (k,) is one row, or one
    column, for all, and its axis of length 1 is left out of the result.
    """
    found = None if out or named or not (is_stack((x1, x2)) or wants_all()) else _product(x1, x2)
    return np.matmul(x1, x2, *out, **named) if found is None else found


def matvec(x1: Any, x2: Any, /, *out: Any, **named: Any) -> Any:
    """The products of stacks of matrices (..., m, n) and vectors (..., n), as :func:`numpy.matvec`: (..., m)."""
    found = None if out or named else _product(x1, x2, vectors="2")
    return np.matvec(x1, x2, *out, **named) if found is None else found


def vecmat(x1: Any, x2: Any, /, *out: Any, **named: Any) -> Any:
    """The products x1* x2 of stacks of vectors (..., m) and matrices (..., m, n), as :func:`numpy.vecmat`: (..., n)."""
    found = None if out or named else _product(x1, x2, vectors="1")
    return np.vecmat(x1, x2, *out, **named) if found is None else found


def vecdot(x1: Any, x2: Any, /, **named: Any) -> Any:
    """The products x1* x2 of stacks of vectors (..., n), as :func:`numpy.vecdot`: (...)."""
    found = _product(x1, x2, vectors="12") if named in ({}, {"axis": -1}) else None
    return np.vecdot(x1, x2, **named) if found is None else found


def _product(x1: Any, x2: Any, vectors: str = "") -> Any:
    """None where NumPy does it. ``vectors``: which operands are stacks of vectors; first ones are conjugated."""
    found = at_once(vectors, (x1, x2), None)
    if found is not None:
        return found
    arrays = [np.asarray(x) if isinstance(x, (list, tuple)) else x for x in (x1, x2)]
    if any(type(x) is not np.ndarray or not x.ndim or not x.size or x.dtype.kind not in "biufc" for x in arrays):
        return None
    dtype = np.result_type(*arrays)
    if dtype.char not in "fdFD":
        return None
    if any(x.ndim < 2 for x, place in zip(arrays, "12", strict=True) if vectors and place not in vectors):
        return None
    flat = ["1" in vectors or arrays[0].ndim == 1, "2" in vectors or arrays[1].ndim == 1]
    stacks = Stacks.of(arrays, [1 if x else 2 for x in flat])
    if stacks is None:
        return None
    a, b = stacks.batches
    if flat[0]:
        a = a.swapaxes(-1, -2)
    order = max(*a.shape[-2:], *b.shape[-2:])
    if a.shape[-1] != b.shape[-2] or not wants_kernels(KINDS[vectors], order, stacks.count):
        return None
    asked = ASKED.get()
    a, b = (native(x, precision(dtype, asked.dtype)) for x in (a, b))
    found = kernels.attempt(_computed, a, b, vectors, asked.num_threads)
    if found is None:
        return None
    shape = stacks.shape + (() if flat[0] else a.shape[-2:-1]) + (() if flat[1] else b.shape[-1:])
    return found.astype(dtype, copy=False).reshape(shape)[()]


def _computed(a: Array, b: Array, vectors: str, num_threads: int | None) -> Array:
    if vectors == "12":
        found: Array = dotc(a.swapaxes(-1, -2)[..., 0], b[..., 0], num_threads=num_threads)
        return found
    if "1" in vectors and a.dtype.kind == "c":
        return gemm(a.swapaxes(-1, -2), b, transa="C", num_threads=num_threads)
    return gemm(a, b, num_threads=num_threads)


def at_once(vectors: str, operands: Sequence[Any], num_threads: int | None) -> Any:
    """The product of two batches of which nothing is to be converted or to broadcast, with nothing else asked: by
    NumPy where there are few. None for any other operands."""
    if len(operands) != 2 or ASKED.get() is not NOTHING:
        return None
    a, b = operands
    if type(a) is not np.ndarray or type(b) is not np.ndarray:
        return None
    left, right, fewest = a.shape, b.shape, FEWEST[vectors]
    if (a.size < fewest > b.size or left[-1:] > (MOST[vectors],)) and not ALWAYS:
        thread_argument(num_threads)
        return getattr(np, NAMES[vectors])(a, b)
    dtype = a.dtype
    if not (a.size and b.size):
        return None
    if dtype is not b.dtype or dtype.char not in "fdFD" or not dtype.isnative:
        return None
    if (len(left), len(right)) != AXES[vectors] or left[0] != right[0] or left[-1] != right[1]:
        return None
    few = left[0] < fewest and not ALWAYS
    if few or not wants_kernels(KINDS[vectors], max(*left[1:], *right[1:]), left[0], at_once=True):
        thread_argument(num_threads)
        return getattr(np, NAMES[vectors])(a, b)
    return kernels.attempt(SHORT[vectors], a, b, num_threads=num_threads)


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


SHORT = {"": _matmul, "2": _matvec, "1": _vecmat, "12": _vecdot}
"""What kernels do of batches that are taken as they are."""


def _run(
    name: str, operands: dict[str, Array], made: Array, num_threads: int | None, transa: Literal["N", "C"] = "N"
) -> Array:
    """``made``, where the result of an operation lies, once that is done."""
    op = OPS[name]
    flags = {"transa": transa, "transb": "N"} if op.flags else {}
    kernels.called(op, operands, flags, num_threads, {"alpha": 1.0, "beta": 0.0})
    return made
