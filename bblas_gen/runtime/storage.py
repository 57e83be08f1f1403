"""Storage of interleaved batches: its shape, its type and its lanes, wherever it is made."""

from __future__ import annotations

import sys
from math import isqrt, prod
from typing import Any, NamedTuple

import numpy as np

from ..arguments import as_int, as_ints
from ..arrays.headers import Array
from ..arrays.pointers import as_dtype, check_dtype
from ..ir.spec import MAX_NB
from ..ir.terms import INDEX_DTYPE, Layout

ALIGNMENT = 64
MOST_BYTES = sys.maxsize - ALIGNMENT


class Storage(NamedTuple):
    """The ``shape`` of an array of reals that holds ``batch`` matrices, ``used`` of them in the last block."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    layout: Layout
    batch: int
    used: int

    @classmethod
    def of(cls, shape: Any, dtype: Any, nb: int | str | None = None, triangle: str = "") -> Storage:
        """What matrices of a ``shape`` (batch, rows, columns) and a dtype need, in blocks of ``nb`` or one ("full").
        Raises TypeError, ValueError."""
        kind = as_dtype("dtype", dtype)
        if kind != INDEX_DTYPE:
            check_dtype("dtype", kind)
        pairs = kind.kind == "c"
        real = np.dtype(f"f{kind.itemsize // 2}") if pairs else kind
        batch, rows, cols = _shape(shape)
        lanes = ALIGNMENT // real.itemsize
        full = isinstance(nb, str)
        if full and nb != "full":
            raise ValueError(f"nb = {nb!r} is not a block size: expected an int from 1 to {MAX_NB} or 'full'")
        if full:
            lanes = max(1, -(-batch // lanes)) * lanes
        elif nb is not None:
            lanes = check_nb(nb)
        blocks = 1 if full else -(-batch // lanes)
        layout = _layout(shape, full, triangle)
        inner = (2, lanes) if pairs else (lanes,)
        outer = (rows * (rows + 1) // 2,) if triangle else (cols, rows)
        return cls((blocks, *outer, *inner), real, layout, batch, batch - (blocks - 1) * lanes)

    @classmethod
    def like(cls, found: Any) -> Storage:
        """That of an interleaved batch."""
        used = found.batch - (found.data.shape[0] - 1) * found.nb
        return cls(found.data.shape, found.data.dtype, found.layout, found.batch, used)


def order_of(elements: int) -> int:
    """n of a triangle of n (n + 1) / 2 elements."""
    return (isqrt(8 * elements + 1) - 1) // 2


def _layout(shape: Any, full: bool, triangle: str) -> Layout:
    if triangle not in ("", "L", "U"):
        raise ValueError(f"triangle = {triangle!r}: expected 'L', 'U' or '' for all")
    if triangle and (full or shape[1] != shape[2]):
        raise ValueError(f"triangle = {triangle!r} of shape {tuple(shape)}: expected square matrices in blocks")
    if triangle:
        return Layout.BL if triangle == "L" else Layout.BU
    return Layout.IL if full else Layout.BI


def check_nb(nb: Any) -> int:
    """``nb`` as a block size."""
    value = as_int(nb)
    if value is None or not 1 <= value <= MAX_NB:
        raise ValueError(f"nb = {nb!r} is not a block size: expected an int from 1 to {MAX_NB} or 'full'")
    return value


def _shape(shape: Any) -> tuple[int, int, int]:
    sizes = as_ints(shape)
    if sizes is None:
        raise TypeError(f"shape = {shape!r}: expected ints (batch, rows, columns)")
    if len(sizes) != 3:
        raise ValueError(f"shape = {shape!r}: expected (batch, rows, columns)")
    if any(size < 0 for size in sizes):
        raise ValueError(f"negative dimensions are not allowed: shape = {shape!r}")
    return sizes[0], sizes[1], sizes[2]


def aligned(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """An uninitialised array that begins on a cache line: vectors then never straddle two."""
    size = prod(shape) * dtype.itemsize
    if size > MOST_BYTES:
        raise MemoryError(f"{size} bytes for shape {shape}: expected {MOST_BYTES} at most")
    raw = np.empty(size + ALIGNMENT, dtype=np.uint8)
    start = -raw.__array_interface__["data"][0] % ALIGNMENT
    return raw[start : start + size].view(dtype).reshape(shape)
