"""Products of stacks of matrices and vectors, with the arguments and results of NumPy's ufuncs."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays.host import Array
from ..blas import dotc, gemm
from ..schedule.hand_over import REACH
from . import kernels
from .asked import ASKED, precision, wants_all, wants_kernels
from .stacks import Stacks, is_stack, native

KINDS = {"": "product", "1": "matvec", "2": "matvec", "12": "vecdot"}
"""By which operands are vectors, the rows of the rule that hands over."""
FEWEST = min(x for kind in KINDS.values() for x in REACH[kind].matrices)
"""Elements, of which a stack that kernels are for has more."""


def matmul(x1: Any, x2: Any, /, *out: Any, **named: Any) -> Any:
    """The product of two stacks of matrices, as :func:`numpy.matmul`, to which arguments of ufuncs are handed.

    Shapes (..., m, k) and (..., k, n) give (..., m, n); leading axes broadcast. An operand (k,) is one row, or one
    column, for all, and its axis of length 1 is left out of the result.
    """
    found = None if out or named or not (is_stack((x1, x2)) or wants_all()) else _product(x1, x2)
    return np.matmul(x1, x2, *out, **named) if found is None else found


def matvec(x1: Any, x2: Any, /, **named: Any) -> Any:
    """The products of stacks of matrices (..., m, n) and vectors (..., n), as :func:`numpy.matvec`: (..., m)."""
    found = None if named else _product(x1, x2, vectors="2")
    return np.matvec(x1, x2, **named) if found is None else found


def vecmat(x1: Any, x2: Any, /, **named: Any) -> Any:
    """The products x1* x2 of stacks of vectors (..., m) and matrices (..., m, n), as :func:`numpy.vecmat`: (..., n)."""
    found = None if named else _product(x1, x2, vectors="1")
    return np.vecmat(x1, x2, **named) if found is None else found


def vecdot(x1: Any, x2: Any, /, **named: Any) -> Any:
    """The products x1* x2 of stacks of vectors (..., n), as :func:`numpy.vecdot`: (...)."""
    found = _product(x1, x2, vectors="12") if named in ({}, {"axis": -1}) else None
    return np.vecdot(x1, x2, **named) if found is None else found


def _product(x1: Any, x2: Any, vectors: str = "") -> Any:
    """None where NumPy does it. ``vectors``: which operands are stacks of vectors; first ones are conjugated."""
    if getattr(x1, "size", FEWEST) < FEWEST > getattr(x2, "size", FEWEST) and not wants_all():
        return None
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
