"""New arrays for results, from memory that the process has already.

glibc gives the memory at the top of its heap back to the system where more than twice the largest block that ever came
and went is free there. The results of one call together can be more than that: then each call gives all back, and the
next one has the system make it again, page by page, which takes longer than the arithmetic of small matrices (half of
the time of a singular value decomposition of 4 x 4).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .headers import Array

TOGETHER = 4
"""At most as many results as large as the largest come and go at once."""
LARGE = (32 << 20) - (1 << 16)
"""Bytes. Of larger blocks glibc learns nothing."""
_largest = 1 << 15  # bytes: whatever comes and goes, glibc keeps four times as much


def empty(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """:func:`numpy.empty`; glibc keeps the memory of all results of a call (at most 64 MB) when they go."""
    made: Array = np.empty(shape, dtype)
    if made.nbytes > _largest:
        _come_and_go(made.nbytes)
    return made


def _come_and_go(size: int) -> None:
    """A block as large as all results; nothing touches it."""
    global _largest
    _largest = size
    np.empty(min(TOGETHER * size, LARGE), np.uint8)
