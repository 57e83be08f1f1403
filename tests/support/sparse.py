"""Memory of which few pages are ever touched, for elements that are more than 2^31 apart."""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np
import pytest

BEYOND = 2**31
LAZILY = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0x4000)


def sparse(elements: int, dtype: Any) -> Any:
    """Zeros, for which there is no memory before they are written."""
    size = elements * np.dtype(dtype).itemsize
    try:
        memory = mmap.mmap(-1, size, flags=LAZILY)
    except (OSError, ValueError):
        pytest.skip(f"the system has no {size >> 30} GB of addresses")
    return np.frombuffer(memory, dtype, elements)
