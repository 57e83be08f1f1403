"""Batches in every layout, made and read without the library's own conversions, and with guards around them.

Layouts by name: ``st`` strided; ``pp`` a list of matrices; ``ld`` a part of larger matrices; ``rs`` every second row
and third column of larger ones; ``bi`` block-interleaved, ``bi3`` with blocks of 3; ``il`` interleaved, ``il-``
without padding; ``alone`` of triangular operands that triangle alone, block-interleaved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import bblas_gen as bb
from bblas_gen.ir.terms import BY_DTYPE

GUARD = 64
"""Bytes in front of and behind a batch; as all that is around it, they are 0xff: NaN, or -1."""
INTERLEAVED = ("bi", "il", "alone")


def is_interleaved(layout: str) -> bool:
    return layout.startswith(INTERLEAVED)


@dataclass(frozen=True)
class Placed:
    """A batch in memory: what is handed over, its elements as writable views, the memory around them."""

    operand: Any
    elements: tuple[Any, ...]
    around: tuple[Any, ...]

    def values(self) -> Any:
        return values(self.operand)

    def untouched_around(self) -> bool:
        """Whether nothing but the batch was written. Destroys it."""
        for view in self.elements:
            view[...] = np.frombuffer(b"\xff" * view.itemsize, view.dtype)[0]
        return all((memory == 0xFF).all() for memory in self.around)


Memory = Callable[[tuple[int, ...], Any], tuple[Any, Any]]
"""Where a batch comes to lie: an array of a shape and dtype, and the memory that it is a part of."""


def between_guards(shape: tuple[int, ...], dtype: Any) -> tuple[Any, Any]:
    """An array between guards, 64-byte aligned, and its memory."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.full(size + 2 * GUARD + 64, 0xFF, np.uint8)
    raw = raw[-raw.ctypes.data % 64 :][: size + 2 * GUARD]
    return raw[GUARD : GUARD + size].view(dtype).reshape(shape), raw


def placed(
    array: Any, layout: str, order: str = "C", triangle: str = "", line: int = 0, memory: Memory = between_guards
) -> Placed:
    """A copy of ``array`` in ``layout``; ``triangle`` is the one that is stored where it is stored alone; ``line``:
    matrices in a block by default. Indices, an array (batch, n), are interleaved, or an array of their own."""
    if array.ndim == 2 and is_interleaved(layout):
        return _interleaved(array[..., None], layout, "", line, memory)
    if array.ndim == 2:
        whole, around = memory(array.shape, array.dtype)
        whole[...] = array
        return Placed(whole, (whole,), (around,))
    if order == "F" and not is_interleaved(layout):
        inner = placed(array.swapaxes(1, 2), layout)
        operand = inner.operand
        turned = [x.T for x in operand] if isinstance(operand, list) else operand.swapaxes(1, 2)
        return Placed(turned, inner.elements, inner.around)
    if layout == "pp":
        if not len(array):
            return Placed(array.copy(), (), ())
        each = [placed(x[None], "st") for x in array]
        around = tuple(x.around[0] for x in each)
        return Placed([x.operand[0] for x in each], tuple(x.operand for x in each), around)
    if layout in ("st", "ld", "rs"):
        batch, rows, cols = array.shape
        large, part = {
            "st": ((batch, rows, cols), np.s_[:]),
            "ld": ((batch, rows + 2, cols + 3), np.s_[:, 1:-1, 1:-2]),
            "rs": ((batch, 2 * rows, 3 * cols), np.s_[:, ::2, ::3]),
        }[layout]
        whole, around = memory(large, array.dtype)
        whole[part] = array
        return Placed(whole[part], (whole[part],), (around,))
    return _interleaved(array, layout, triangle, line, memory)


def _interleaved(array: Any, layout: str, triangle: str, line: int, memory: Memory) -> Placed:
    """By the definition of the layout: (block, column, row, part, lane)."""
    batch, rows, cols = array.shape
    line = line or BY_DTYPE[array.dtype.name].default_nb
    nb = {"bi": line, "alone": line, "il": max(1, -(-batch // line)) * line, "il-": batch}.get(layout)
    nb = int(layout[2:]) if nb is None else nb
    blocks = 1 if layout.startswith("il") else -(-batch // nb)
    parts = 2 if array.dtype.kind == "c" else 1
    column, row = np.triu_indices(cols) if triangle == "L" else np.tril_indices(cols)  # column by column
    alone = layout == "alone" and triangle != ""
    inner = (len(row),) if alone else (cols, rows)
    data, around = memory((blocks, *inner, *((2,) if parts == 2 else ()), nb), array.real.dtype)
    lanes = np.moveaxis(data, -1, 1)  # block, lane, ...
    for lane in range(batch):
        matrix = array[lane][row, column] if alone else array[lane].T
        where = lanes[lane // nb, lane % nb] if nb else None
        where[...] = np.stack([matrix.real, matrix.imag], -1) if parts == 2 else matrix
    code = "il" if layout.startswith("il") else {"L": "bl", "U": "bu"}[triangle] if alone else "bi"
    used = batch - (blocks - 1) * nb
    elements = (data[:-1], data[-1:, ..., :used]) if blocks else (data,)
    return Placed(bb.Interleaved(data, batch, layout=code), elements, (around,))


def as_layout(array: Any, layout: str, order: str = "C") -> Any:
    """A copy of ``array`` in ``layout``, to hand over."""
    return placed(array, layout, order).operand


def values(operand: Any) -> Any:
    """The matrices of an operand."""
    if not isinstance(operand, bb.Interleaved):
        return np.array(operand)
    x = operand
    complex_ = x.dtype.kind == "c"
    numbers = x.data
    if complex_:  # part by part: a sum would lose the signs of zeros
        numbers = np.empty((*x.data.shape[:-2], x.nb), x.dtype)
        numbers.real, numbers.imag = x.data[..., 0, :], x.data[..., 1, :]
    batch, rows, cols = x.shape
    if x.dtype == np.int32:
        return numbers.transpose(0, 3, 2, 1).reshape(x.data.shape[0] * x.nb, rows)[:batch].copy()
    if x.triangle:
        full = np.zeros((x.data.shape[0], x.nb, rows, cols), x.dtype)
        row, column = np.tril_indices(cols)[::-1] if x.triangle == "U" else np.triu_indices(cols)[::-1]
        full[:, :, row, column] = numbers.transpose(0, 2, 1)
        return full.reshape(x.data.shape[0] * x.nb, rows, cols)[:batch]
    return numbers.transpose(0, 3, 2, 1).reshape(x.data.shape[0] * x.nb, rows, cols)[:batch].astype(x.dtype)


def bits(x: Any) -> bytes:
    """To compare bit by bit."""
    return np.ascontiguousarray(x).tobytes()


def variants(array: Any) -> Iterator[tuple[str, Any, Any]]:
    """The same matrices under every kind of stride that NumPy has: name, array, the memory around it."""
    batch, rows, cols = array.shape
    for name, shape, index in (
        ("guarded", (batch + 2, rows + 2, cols + 2), np.s_[1:-1, 1:-1, 1:-1]),
        ("steps", (2 * batch, 2 * rows, 3 * cols), np.s_[::2, ::2, ::3]),
        ("reversed", (batch, rows, cols), np.s_[::-1, ::-1, ::-1]),
        ("reversed rows", (batch, rows, cols + 1), np.s_[:, ::-1, :-1]),
    ):
        around = np.full(shape, 77, array.dtype)
        around[index] = array
        yield name, around[index], around
    batch_last = np.full((rows, cols, batch + 1), 77, array.dtype)
    batch_last[..., :-1] = array.transpose(1, 2, 0)
    yield "batch last", batch_last[..., :-1].transpose(2, 0, 1), batch_last
    raw = np.full(array.nbytes + 16, 77, np.uint8)
    odd = raw[1 : array.nbytes + 1].view(array.dtype).reshape(array.shape)
    odd[...] = array
    yield "misaligned", odd, raw
    record = np.full(array.shape, 0, [("tag", "u1"), ("value", array.dtype)])
    record["value"] = array
    yield "field of a structure", record["value"], record["tag"]
