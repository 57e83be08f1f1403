"""QR of stacks in one kernel, where NumPy's function has three passes."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ..arrays.host import Array
from . import kernels
from .asked import Asked, asking, wants_kernels
from .numpy_names import OURS, function
from .stacks import native

_IN_PASSES = function("qr")


def qr(
    a: Any,
    mode: str = "reduced",
    *,
    check: str | None = None,
    return_info: bool = False,
    num_threads: int | None = None,
    dtype: Any = None,
) -> Any:
    if mode == "reduced" and dtype is None and _is_plain(a):
        with asking(check, return_info, num_threads) as asked:
            found = _at_once(a, asked)
        if found is not None:
            return (found, np.zeros(a.shape[:-2], np.int32)) if return_info else found
    more = {"check": check, "return_info": return_info, "num_threads": num_threads, "dtype": dtype}
    return _IN_PASSES(a, mode, **more)


def _is_plain(a: Any) -> bool:
    """Whether it is a stack of matrices with no more columns than rows, in a precision that results have."""
    if type(a) is not np.ndarray or a.ndim < 3 or a.dtype.char not in "dD" or not a.size:
        return False
    m, n = a.shape[-2:]
    return bool(m >= n)


def _at_once(a: Array, asked: Asked) -> Any:
    count, rows = prod(a.shape[:-2]), a.shape[-2]
    if not wants_kernels("qr", rows, count):
        return None
    batch = native(a.reshape(count, *a.shape[-2:]), np.dtype(a.dtype.char))
    found = kernels.attempt(kernels.qr, batch, num_threads=asked.num_threads)
    return found and OURS["QRResult"](*(x.reshape(a.shape[:-2] + x.shape[1:]) for x in found))


qr.__doc__ = _IN_PASSES.__doc__
