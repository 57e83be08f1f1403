"""Variable batches: each matrix has sizes of its own. Those that are alike are done by one call of a kernel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..arrays.form import MatrixForm
from ..arrays.headers import Array
from ..arrays.host import Operand
from ..arrays.overlap import Places, Where
from ..arrays.pointers import Pointers
from ..arrays.ragged import Ragged
from ..ir.operation import Operation
from ..ir.terms import INDEX_DTYPE, Layout, Letter
from .bins import Bins
from .shapes import Named, agree_batch, resolve_sizes

Unlike = Mapping[str, tuple[str, Operand | Ragged]]
"""Operands by their name in the table of operations: the user's name for it, and what it is."""


def all_alike(named: Unlike) -> Named | None:
    """The operands, None where the matrices of one of them are not all of one shape."""
    fixed = {x: (name, operand) for x, (name, operand) in named.items() if isinstance(operand, Operand)}
    return fixed if len(fixed) == len(named) else None


@dataclass(frozen=True)
class Variable:
    """A variable batch: its ``bins``, and the operands of each bin, as lists of pointers. Of indices, which kernels do
    not find by pointers, a part is an array of its own."""

    named: Unlike
    bins: Bins
    parts: tuple[Named, ...]

    @classmethod
    def of(cls, op: Operation, named: Unlike) -> Variable:
        agreed: tuple[int, str] | None = None
        for x in op.parameters:
            if x.name in named:
                agreed = agree_batch(*named[x.name], agreed)
        assert agreed  # a ragged operand is a batch
        unlike = [operand for _, operand in named.values() if isinstance(operand, Ragged)]
        columns = [column for x in unlike for column in x.columns_of_shapes]
        bins = Bins.of(columns, agreed[0])
        pointers = {x: (name, _Table.of(name, operand)) for x, (name, operand) in named.items()}
        parts = [{x: (name, table.part(index)) for x, (name, table) in pointers.items()} for index in bins]
        return cls(named, bins, tuple(parts))

    @property
    def batch(self) -> int:
        return len(self.bins.order)

    def sizes(self, op: Operation, flags: Mapping[str, Letter], *, complete: bool) -> list[dict[str, int]]:
        """Of each bin, the sizes that its operands agree on; errors name the first matrix whose do not."""
        found = []
        for first, part in zip(self.bins.firsts, self.parts, strict=True):
            try:
                found.append(resolve_sizes(op, part, flags, complete=complete)[0])
            except ValueError as error:
                raise ValueError(f"matrix {first}: {error}") from None
        return found

    def places(self, x: str) -> Where:
        """Where the elements of an operand lie."""
        _, operand = self.named[x]
        if isinstance(operand, Operand) or operand.packed:
            return operand.places
        given = [Places.of(old) for old, _ in operand.copies]
        return given + [place for part in self.parts for place in part[x][1].places]

    def own(self, x: str) -> list[tuple[Array, Array]]:
        """Of indices, pairs of what a user gave for a matrix and its place in the array of its own."""
        _, operand = self.named[x]
        if operand.dtype != INDEX_DTYPE or operand.batch is None:
            return []
        given = operand.columns() if isinstance(operand, Ragged) else operand.given[0][..., None]
        found = []
        for index, part in zip(self.bins, self.parts, strict=True):
            found += [(given[i], own[:, None]) for i, own in zip(index, part[x][1].arrays[0], strict=True)]
        return found

    def bytes(self) -> float:
        """Of the operands of one matrix on average."""
        total = sum(
            operand.count * operand.form.rows * operand.form.cols * operand.dtype.itemsize
            for part in self.parts
            for _, operand in part.values()
            if operand.batch is not None
        )
        return total / max(1, self.batch)


@dataclass(frozen=True)
class _Table:
    """An operand of a variable batch: the address of each matrix, None if there is one for all."""

    operand: Operand | Ragged
    addresses: Array | None

    @classmethod
    def of(cls, name: str, operand: Operand | Ragged) -> _Table:
        if isinstance(operand, Ragged):
            return cls(operand, operand.addresses)
        if operand.batch is None:
            return cls(operand, None)
        if operand.form.layout.interleaved:
            raise TypeError(
                f"{name} is an Interleaved, beside matrices of different shapes: expected a list or an array"
            )
        if operand.form.layout is Layout.PP:
            pointers = operand.pointers
            found = pointers.addresses if pointers else [array.ctypes.data for array in operand.arrays]
            return cls(operand, np.array(found, dtype=np.uintp))
        (array,) = operand.arrays
        return cls(operand, (array.ctypes.data + np.arange(operand.batch) * array.strides[0]).astype(np.uintp))

    def part(self, index: Array) -> Operand:
        """Of the matrices of a bin."""
        if self.addresses is None:
            assert isinstance(self.operand, Operand)
            return self.operand
        if isinstance(self.operand, Ragged):
            shape, strides = self.operand.shapes[index[0]], self.operand.strides[index[0]]
        else:
            form, size = self.operand.form, self.operand.dtype.itemsize
            shape, strides = np.array([form.rows, form.cols]), np.array([form.rs * size, form.cs * size])
        dtype, (rows, cols), (rs, cs) = self.operand.dtype, map(int, shape), map(int, strides)
        if dtype == INDEX_DTYPE:
            own = np.zeros((len(index), rows), dtype)
            return Operand(MatrixForm(Layout.ST, rows, 1, 1, max(1, rows), rows), len(index), dtype, (own,), (own,))
        found = Pointers(self.addresses[index], (rows, cols), dtype, (rs, cs), self.operand)
        return Operand(found.form, len(index), dtype, (), (), found)
