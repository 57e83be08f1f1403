"""Products of stacks of matrices and vectors, with the arguments and results of NumPy's ufuncs."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays.host import Array
from ..blas import dotc, gemm
from ..errors import JitDisabledError, NoCompilerError
from .asked import ASKED, wants_all, wants_kernels
from .stacks import Stacks, is_stack, native


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
    arrays = [np.asarray(x) if isinstance(x, (list, tuple)) else x for x in (x1, x2)]
    if any(type(x) is not np.ndarray or not x.ndim or not x.size or x.dtype.kind not in "biufc" for x in arrays):
        return None
    dtype = np.result_type(*arrays)
    if dtype.char not in "fdFD":
        return None
    flat = ["1" in vectors or arrays[0].ndim == 1, "2" in vectors or arrays[1].ndim == 1]
    stacks = Stacks.of(arrays, [1 if x else 2 for x in flat])
    if stacks is None:
        return None
    a, b = stacks.batches
    if flat[0]:
        a = a.swapaxes(-1, -2)
    order = max(*a.shape[-2:], *b.shape[-2:])
    if a.shape[-1] != b.shape[-2] or not wants_kernels("matvec" if vectors else "product", order, stacks.count):
        return None
    a, b = native(a, dtype), native(b, dtype)
    try:
        found = _computed(a, b, vectors, ASKED.get().num_threads)
    except (NoCompilerError, JitDisabledError):
        return None
    rows, columns = a.shape[-2], b.shape[-1]
    return found.reshape(stacks.shape + (() if flat[0] else (rows,)) + (() if flat[1] else (columns,)))[()]


def _computed(a: Array, b: Array, vectors: str, num_threads: int | None) -> Array:
    if vectors == "12":
        found: Array = dotc(a.swapaxes(-1, -2)[..., 0], b[..., 0], num_threads=num_threads)
        return found
    if "1" in vectors and a.dtype.kind == "c":
        return gemm(a.swapaxes(-1, -2), b, transa="C", num_threads=num_threads)
    return gemm(a, b, num_threads=num_threads)
