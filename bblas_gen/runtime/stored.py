"""Operands as the arguments of a kernel tell them: of each matrix an address, or a copy of it that has one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ..arrays.host import Array
from ..ir.general import Look
from ..ir.operation import Operand
from ..ir.spec import KernelSpec
from ..ir.terms import Kind, Layout, Strides
from .marshal import ffi


@dataclass(frozen=True)
class Alone:
    """Matrices of which each has an address: of its first element, of ``itemsize`` bytes. ``owner`` is what they lie
    in, if it is ours. Indices are an array (batch, rows) instead."""

    addresses: Array
    itemsize: int
    owner: Array | None = None
    indices: Array | None = None

    @classmethod
    def of(cls, columns: Array) -> Alone:
        """Those of an array (batch, columns, rows) without gaps."""
        indices = columns.reshape(len(columns), -1) if columns.dtype.kind == "i" else None
        return cls(
            columns.ctypes.data + columns.strides[0] * np.arange(len(columns)), columns.itemsize, columns, indices
        )

    @classmethod
    def made(cls, spec: KernelSpec, x: Operand, batch: int) -> Alone:
        """New ones."""
        rows, cols = shape_of(spec, x)
        return cls.of(np.empty((batch, cols, rows), spec.p.dtype_of(x.kind)))

    def table(self, todo: Array, look: Look) -> Array:
        """What a kernel is given for the matrices ``todo``, as it looks at them: addresses, or indices, contiguous."""
        if self.indices is not None:
            return np.ascontiguousarray(self.indices[todo])
        return np.asarray(self.addresses[todo] + look.first * self.itemsize)

    def part(self, window: range) -> Alone:
        cut = slice(window.start, window.stop)
        return Alone(self.addresses[cut], self.itemsize, None, None if self.indices is None else self.indices[cut])


@dataclass(frozen=True)
class InPlace:
    """An operand whose matrices have addresses: in ``st``, in ``pp``, or real ones in lanes."""

    matrices: Alone
    look: Look
    copied = False

    def taken(self, window: range) -> Alone:
        return self.matrices.part(window)

    def put(self, window: range, matrices: Alone) -> None:
        """Nothing is to be done."""


@dataclass(frozen=True)
class Copied:
    """An operand in interleaved storage whose matrices must be copied out: complex ones, triangles alone, indices.

    ``lanes``: (blocks, nb, columns, rows), of a triangle (blocks, nb, elements), the parts of complex numbers last;
    ``shape`` is (columns, rows), and ``places`` are those of a triangle's elements in it.
    """

    lanes: Array
    dtype: np.dtype[Any]
    shape: tuple[int, int]
    places: tuple[Array, ...]
    copied = True

    @property
    def look(self) -> Look:
        return Look(1, max(1, self.shape[1]))

    def taken(self, window: range) -> Alone:
        """The matrices of a window, by themselves."""
        found = self.lanes[self._which(window)]
        if self.dtype.kind == "c":
            pairs, found = found, np.empty(found.shape[:-1], self.dtype)
            found.real, found.imag = pairs[..., 0], pairs[..., 1]
        columns = np.zeros((len(window), *self.shape), self.dtype)
        columns[self._elements] = found
        return Alone.of(columns)

    def put(self, window: range, matrices: Alone) -> None:
        """Copy them back."""
        assert matrices.owner is not None
        found = matrices.owner[self._elements]
        self.lanes[self._which(window)] = np.stack([found.real, found.imag], -1) if self.dtype.kind == "c" else found

    @property
    def _elements(self) -> Any:
        return (slice(None), *self.places)

    def _which(self, window: range) -> tuple[Array, Array]:
        numbers, nb = np.arange(window.start, window.stop), self.lanes.shape[1]
        return numbers // nb, numbers % nb


Stored = InPlace | Copied


@lru_cache(4096)
def shape_of(spec: KernelSpec, x: Operand) -> tuple[int, int]:
    """Rows and columns of an operand as it is stored."""
    rows, cols = spec.stored(x)
    return int(rows), int(cols)


def stored(spec: KernelSpec, x: Operand, given: Mapping[str, Any], batch: int) -> Stored:
    """The operand ``x`` of a kernel whose arguments are ``given``; all sizes of ``spec`` are known."""
    layout, pointer, letter = spec.where(x), given[x.name], x.name.lower()
    assert layout is not None
    dtype, (rows, cols) = np.dtype(spec.p.dtype_of(x.kind)), shape_of(spec, x)
    if layout.interleaved:
        nb = int(given.get(f"nb{letter}", spec.nb))
        if layout.triangle or dtype.kind != "f":
            return _copied(layout, pointer, dtype, (cols, rows), nb, batch)
        block, lane = np.divmod(np.arange(batch), nb)
        addresses = _place(pointer) + dtype.itemsize * (block * (nb * rows * cols) + lane)
        return InPlace(Alone(addresses, dtype.itemsize), Look(nb, nb * max(1, rows)))
    if layout is Layout.PP:
        return InPlace(Alone(at(pointer, (batch,), (8,), np.dtype(np.int64)), dtype.itemsize), _look(spec, x, given))
    step = int(given[f"stride_{letter}"]) * dtype.itemsize
    addresses = _place(pointer) + step * np.arange(batch)
    if x.kind is Kind.INDEX:
        indices = at(pointer, (batch, rows), (step, dtype.itemsize), dtype)
        return InPlace(Alone(addresses, dtype.itemsize, indices=indices), Look(1, 1))
    return InPlace(Alone(addresses, dtype.itemsize), _look(spec, x, given))


def _look(spec: KernelSpec, x: Operand, given: Mapping[str, Any]) -> Look:
    letter, (rows, cols) = x.name.lower(), shape_of(spec, x)
    if spec.strides is Strides.RS:
        return Look(int(given[f"rs{letter}"]), int(given[f"cs{letter}"]))
    if spec.strides.row_major:
        return Look(int(given.get(f"ld{letter}", max(1, cols))), 1)
    return Look(1, int(given.get(f"ld{letter}", max(1, rows))))


def _copied(layout: Layout, pointer: Any, dtype: np.dtype[Any], shape: tuple[int, int], nb: int, batch: int) -> Copied:
    pairs = dtype.kind == "c"
    places: tuple[Array, ...] = ()
    inner: tuple[int, ...] = shape
    if layout.triangle:  # its columns are the rows of the transpose
        places = (np.triu_indices if layout is Layout.BL else np.tril_indices)(shape[0])
        inner = (len(places[0]),)
    sides = (-(-batch // nb), *inner, *((2,) if pairs else ()), nb)
    real = np.dtype(f"f{dtype.itemsize // 2}") if pairs else dtype
    strides = tuple(real.itemsize * int(np.prod(sides[i + 1 :], dtype=np.int64)) for i in range(len(sides)))
    return Copied(np.moveaxis(at(pointer, sides, strides, real), -1, 1), dtype, shape, places)


@dataclass(frozen=True)
class _Memory:
    """What NumPy makes an array of."""

    __array_interface__: Mapping[str, Any]


def at(pointer: Any, shape: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """The array at a C pointer; strides in bytes."""
    if not all(shape):
        return np.empty(shape, dtype)
    place = (_place(pointer), False)
    return np.asarray(_Memory({"data": place, "shape": shape, "strides": strides, "typestr": dtype.str, "version": 3}))


def _place(pointer: Any) -> int:
    return int(ffi().cast("uintptr_t", pointer))
