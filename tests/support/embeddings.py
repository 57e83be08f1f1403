"""Batches of matrices as users have them: any strides, directions, gaps and alignment, lists, between pages that nobody
may touch."""

from __future__ import annotations

import ctypes
import mmap
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from .layouts import GUARD, Memory, Placed, between_guards

PROTECT = ctypes.CDLL(None, use_errno=True).mprotect
PROTECT.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
PAGE = mmap.PAGESIZE


@dataclass(frozen=True)
class Embedding:
    """How a batch (batch, rows, columns) lies in memory: ``order`` of the axes, ``steps`` along them, negative ones
    backwards, and ``margins`` of matrices, rows and columns behind. ``odd``: bytes from an aligned address. ``shared``:
    one matrix for all. ``listed``: each matrix by itself. ``pages``: nothing may be touched "before" or "behind"."""

    order: tuple[int, ...] = (0, 1, 2)
    steps: tuple[int, ...] = (1, 1, 1)
    margins: tuple[int, ...] = (0, 0, 0)
    odd: int = 0
    shared: bool = False
    listed: bool = False
    pages: str = ""

    def __str__(self) -> str:
        changed = [f"{name} {value}" for name, value in vars(self).items() if value != getattr(Embedding, name)]
        return "; ".join(changed) or "contiguous"

    def memory(self, shape: tuple[int, ...], dtype: Any) -> tuple[Any, Any]:
        """An array, and what it is a part of."""
        if self.pages:
            return at_the_edge(shape, dtype, self.pages)
        if not self.odd:
            return between_guards(shape, dtype)
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        raw = np.full(size + 2 * GUARD, 0xFF, np.uint8)
        return raw[self.odd : self.odd + size].view(dtype).reshape(shape), raw

    def placed(self, array: Any) -> Placed:
        """A copy of ``array`` that lies so."""
        if self.listed:
            alone = Embedding(self.order, self.steps, self.margins, self.odd, pages=self.pages)
            each = [alone.placed(x[None]) for x in array]
            elements = tuple(chain.from_iterable(x.elements for x in each))
            around = tuple(chain.from_iterable(x.around for x in each))
            return Placed([x.operand[0] for x in each], elements, around)
        source = array[:1] if self.shared else array
        spans = [(n - 1) * abs(step) + 1 if n else 0 for n, step in zip(source.shape, self.steps, strict=True)]
        sizes = [span + more for span, more in zip(spans, self.margins, strict=True)]
        whole, around = self.memory(tuple(sizes[axis] for axis in self.order), array.dtype)
        whole = whole.transpose(np.argsort(self.order))
        cut = tuple(slice(0, span, abs(step)) for span, step in zip(spans, self.steps, strict=True))
        view = whole[cut][tuple(slice(None, None, -1 if step < 0 else 1) for step in self.steps)]
        view[...] = source
        operand = np.broadcast_to(view, array.shape) if self.shared else view
        return Placed(operand, (view,), (around,))


def at_the_edge(shape: tuple[int, ...], dtype: Any, side: str) -> tuple[Any, Any]:
    """An array whose first byte, or last, is the first or last of pages between two that end a process which touches
    them; and these pages."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    inner = max(1, -(-size // PAGE)) * PAGE
    raw = np.frombuffer(mmap.mmap(-1, inner + 2 * PAGE), np.uint8)
    for guard in (0, PAGE + inner):
        if PROTECT(raw.ctypes.data + guard, PAGE, 0):
            raise OSError(ctypes.get_errno(), "mprotect")
    around = raw[PAGE : PAGE + inner]
    around[...] = 0xFF
    found = around[:size] if side == "before" else around[inner - size :]
    return found.view(dtype).reshape(shape), around


def memory_of(pages: str) -> Memory:
    """Where interleaved storage lies."""
    return Embedding(pages=pages).memory
