"""Arrays at the end of the memory that may be read."""

from __future__ import annotations

import ctypes
import mmap

import numpy as np


def before_a_wall(array):
    """A copy whose last byte is the last of its page; the next page cannot be read. And what keeps it."""
    page = mmap.PAGESIZE
    size = -(-array.nbytes // page) * page
    memory = mmap.mmap(-1, size + page)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(start + size), page, 0) == 0
    copy = np.frombuffer(memory, array.dtype, array.size, size - array.nbytes).reshape(array.shape)
    copy[...] = array
    return copy, memory
