"""Variable batches: each matrix has sizes of its own, or flags, or scalars. Those that are alike are one bin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..arrays.groups import Groups, located
from ..arrays.headers import Array
from ..arrays.host import Operand
from ..arrays.overlap import Places, Where
from ..arrays.ragged import Ragged
from ..ir.operation import Operand as Row
from ..ir.operation import Operation
from ..ir.sizes import evaluate
from ..ir.terms import INDEX_DTYPE, Layout, Letter
from .bins import Bins
from .each import Each
from .marshal import table_of, table_on_gpu
from .shapes import Named, agree_batch, no_batch, resolve_sizes
from .sides import Sides, agreed

Given = Mapping[str, tuple[str, Operand | Ragged]]
"""Operands by their name in the table of operations: the user's name for it, and what it is."""
Letters = Mapping[str, Letter]
Sizes = tuple[Array, Letters, dict[str, Any]]
"""Bins with the same flags, these, and the sizes of each bin."""


def all_alike(named: Given) -> Named | None:
    """The operands, None where the matrices of one of them are not all of one shape."""
    fixed = {x: (name, operand) for x, (name, operand) in named.items() if isinstance(operand, Operand)}
    return fixed if len(fixed) == len(named) else None


@dataclass(frozen=True)
class Grouping:
    """Where groups begin in a batch, and the end; and their flags."""

    ends: Array
    flags: Mapping[str, Letter | Each]


@dataclass(frozen=True)
class Memory:
    """Where the C argument of an operand points for each bin, and how much further for each matrix before the one to
    begin with; what must live as long."""

    begins: Array
    steps: Array
    kept: Any


@dataclass(frozen=True)
class Variable:
    """A variable batch: its operands, its ``bins``, and the forms of each operand in all bins. ``flags``: all there are
    together, and ``combination``: which of these each bin has. ``own``: of indices, which kernels do not find by
    pointers, an array for all bins, one after another."""

    named: Given
    bins: Bins
    flags: tuple[Letters, ...]
    combination: Array
    sides: Mapping[str, Sides]
    own: Mapping[str, Array]
    groups: Grouping | None

    @classmethod
    def of(
        cls,
        op: Operation,
        named: Given,
        flags: Mapping[str, Letter | Each],
        scalars: Mapping[str, Each],
        groups: Grouping | None = None,
    ) -> Variable:
        """``scalars``: those of which each matrix has one."""
        agreed_batch: tuple[int, str] | None = None
        for x in op.parameters:
            if x.name in named:
                agreed_batch = agree_batch(*named[x.name], agreed_batch)
        if agreed_batch is None:
            raise ValueError(
                f"{no_batch(all_alike(named) or {})}: expected a batch, such as {next(iter(named.values()))[0]}[None]"
            )
        each = [value for value in (*flags.values(), *scalars.values()) if isinstance(value, Each)]
        for value in each:
            value.check(*agreed_batch)
        _check_layouts(named, each)
        unlike = [operand for _, operand in named.values() if isinstance(operand, Ragged)]
        columns = [column for operand in unlike for column in operand.columns_of_shapes]
        bins = Bins.of([*columns, *(value.codes for value in each)], agreed_batch[0])
        combination, letters = _combined(flags, bins.firsts)
        found = cls({}, bins, letters, combination, {}, {}, groups)
        for own, pair in named.items():
            found = found.joined(own, *pair)
        return found

    def joined(self, x: str, name: str, operand: Operand | Ragged) -> Variable:
        """With one more operand, all of whose matrices in a bin are alike."""
        sides, own = Sides.of(operand, self.bins.firsts), dict(self.own)
        if operand.dtype == INDEX_DTYPE and operand.batch is not None:
            own[x] = np.zeros(int((sides.rows * self.bins.counts).sum()), INDEX_DTYPE)
        named = {**self.named, x: (name, operand)}
        return replace(self, named=named, sides={**self.sides, x: sides}, own=own)

    @property
    def batch(self) -> int:
        return len(self.bins.order)

    def sizes(self, op: Operation, *, complete: bool) -> Iterator[Sizes]:
        """The sizes that operands agree on; errors name the first matrix whose do not."""
        for number, letters in enumerate(self.flags):
            index = np.flatnonzero(self.combination == number)
            sides = {x: one[index] for x, one in self.sides.items()}
            found, wrong = agreed(op, sides, letters)
            suspects = index[wrong] if wrong.any() else index[:1]  # what else is wrong all of them have
            for i in suspects[np.argsort(self.bins.firsts[suspects])][:1]:
                self._check(op, int(i), letters, complete=complete)
            yield index, letters, found

    def _check(self, op: Operation, number: int, letters: Letters, *, complete: bool) -> None:
        try:
            resolve_sizes(op, self.part(number), letters, complete=complete)
        except ValueError as error:
            first = int(self.bins.firsts[number])
            where = f"matrix {first}" if self.groups is None else f"group {located(self.groups.ends, first)[0]}"
            raise ValueError(f"{where}: {error}") from None

    def part(self, number: int) -> Named:
        """The operands of a bin, as they are looked at: without arrays."""
        count = int(self.bins.counts[number])
        return {
            x: (name, Operand(self.sides[x].form(number), count and operand.batch and count, operand.dtype, (), ()))
            for x, (name, operand) in self.named.items()
        }

    def side_of_group(self, op: Operation, group: int, output: Row) -> tuple[int, int]:
        """Of a new operand in a group without matrices."""
        named = {}
        for x, (name, operand) in self.named.items():
            assert isinstance(operand, (Operand, Groups))
            form = operand.form if isinstance(operand, Operand) else operand.form_of(group)
            named[x] = name, Operand(form, operand.batch and 1, operand.dtype, (), ())
        assert self.groups
        flags = {x: y.of(np.array([group]))[0] if isinstance(y, Each) else y for x, y in self.groups.flags.items()}
        try:
            sizes, _ = resolve_sizes(op, named, flags, complete=False)
        except ValueError as error:
            raise ValueError(f"group {group}: {error}") from None
        extents = op.extents(sizes, flags)
        return evaluate(output.rows, extents), evaluate(output.cols, extents)

    def memory(self, x: str) -> Memory:
        """Where kernels find an operand."""
        _, operand = self.named[x]
        bins, none = self.bins, np.zeros(len(self.bins), np.int64)
        if operand.batch is None:
            assert isinstance(operand, Operand)
            (array,) = operand.arrays
            return Memory(none + array.ctypes.data, none, array)
        if x in self.own:
            rows, own = self.sides[x].rows, self.own[x]
            begins = np.cumsum(rows * bins.counts) - rows * bins.counts
            return Memory(own.ctypes.data + own.itemsize * begins, own.itemsize * rows, own)
        table = addresses(operand)[bins.order]
        return Memory(table.ctypes.data + table.itemsize * bins.ends[:-1], none + table.itemsize, (table, operand))

    def places(self, x: str) -> Where:
        """Where the elements of an operand lie."""
        _, operand = self.named[x]
        if isinstance(operand, Operand) or operand.packed:
            return operand.places
        found: list[Any] = [Places.of(old) for old, _ in operand.copies]
        size = operand.dtype.itemsize
        for i, index in enumerate(self.bins):
            one = self.sides[x].form(i)
            found.append(Places(operand.addresses[index], (one.rows, one.cols), (one.rs * size, one.cs * size), size))
        return found

    def copies(self, x: str) -> list[tuple[Array, Array]]:
        """Pairs of what a user gave and what kernels see in its place."""
        _, operand = self.named[x]
        if x not in self.own:
            return list(operand.copies)
        given = operand.columns() if isinstance(operand, Ragged) else operand.given[0][..., None]
        rows = np.repeat(self.sides[x].rows, self.bins.counts)
        parts = np.split(self.own[x][:, None], np.cumsum(rows)[:-1])
        return [*operand.copies, *((given[i], part) for i, part in zip(self.bins.order, parts, strict=False))]

    def bytes(self) -> float:
        """Of the operands of one matrix on average."""
        batches = [(self.sides[x], operand) for x, (_, operand) in self.named.items() if operand.batch is not None]
        total = sum((self.bins.counts * s.rows * s.cols).sum() * operand.dtype.itemsize for s, operand in batches)
        return float(total) / max(1, self.batch)


def _check_layouts(named: Given, each: Sequence[Each]) -> None:
    """Refuse Interleaved batches: a kernel does the matrices of a block together."""
    fixed = [(name, operand) for name, operand in named.values() if isinstance(operand, Operand)]
    name = next((name for name, operand in fixed if operand.form.layout.interleaved), None)
    if name is None:
        return
    if each:
        found = f"{each[0].name} has {len(each[0].codes)} values but {name} is an Interleaved, whose matrices share one"
        raise TypeError(f"{found}: expected one, a list of batches with one for each, or {name}.deinterleave()")
    found = f"{name} is an Interleaved, beside matrices that are not alike"
    raise TypeError(f"{found}: expected a list of matrices, or an array such as {name}.deinterleave()")


def _combined(flags: Mapping[str, Letter | Each], firsts: Array) -> tuple[Array, tuple[Letters, ...]]:
    """Which flags each bin has together, of all that there are; ``firsts``: a matrix of each bin."""
    found: dict[tuple[Letter, ...], int] = {}
    each = [x.of(firsts) if isinstance(x, Each) else [x] * len(firsts) for x in flags.values()]
    if not any(isinstance(x, Each) for x in flags.values()):
        return np.zeros(len(firsts), np.int64), (flags,)  # type: ignore[return-value]
    which = [found.setdefault(letters, len(found)) for letters in zip(*each, strict=True)]
    return np.array(which, np.int64), tuple(dict(zip(flags, letters, strict=True)) for letters in found)


def addresses(operand: Operand | Ragged) -> Array:
    """The address of each matrix."""
    if isinstance(operand, Ragged):
        return operand.addresses
    if table_on_gpu(operand):
        raise TypeError("the addresses of an operand are on a GPU: expected matrices, flags and scalars that are alike")
    if operand.form.layout is Layout.PP:
        return table_of(operand)
    (array,) = operand.arrays
    return (array.ctypes.data + np.arange(operand.count) * array.strides[0]).astype(np.uintp)
