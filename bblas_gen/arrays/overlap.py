"""Whether an output shares memory with itself or another operand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Runs = tuple[Array, Array]
"""First byte and end of pieces of memory without gaps, sorted by the first."""
ANY_LENGTH = 2**62


class Places(NamedTuple):
    """Where elements lie: arrays of one shape and strides (bytes), and the address of the first element of each."""

    addresses: Array
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    itemsize: int

    @classmethod
    def of(cls, array: Array) -> Places:
        address = array.__array_interface__["data"][0]
        return cls(np.array([address], dtype=np.uintp), array.shape, array.strides, array.itemsize)

    @property
    def empty(self) -> bool:
        return len(self.addresses) == 0 or 0 in self.shape

    @property
    def apart(self) -> bool:
        """Whether it is one array of which no two indices mean one element."""
        return len(self.addresses) == 1 and not self.folds

    @property
    def folds(self) -> bool:
        """Whether two indices might mean one element: some stride does not clear the extent of the smaller ones."""
        extent = self.itemsize
        for stride, length in self.axes:
            if stride < extent:
                return True
            extent += stride * (length - 1)
        return False

    @property
    def axes(self) -> list[tuple[int, int]]:
        """Strides, as if none were negative, and lengths of the axes longer than one; the shortest stride first."""
        return sorted((abs(s), n) for s, n in zip(self.strides, self.shape, strict=True) if n > 1)

    @property
    def first_bytes(self) -> Array:
        below = sum(s * (n - 1) for s, n in zip(self.strides, self.shape, strict=True) if s < 0)
        return self.addresses.astype(np.int64) + below

    @property
    def bounds(self) -> tuple[int, int]:
        """First byte and end of all."""
        begins = self.first_bytes
        extent = self.itemsize + sum(stride * (length - 1) for stride, length in self.axes)
        return int(begins.min()), int(begins.max()) + extent

    @property
    def pieces(self) -> Runs:
        length, begins = self.itemsize, self.first_bytes
        for stride, count in self.axes:
            if stride == length:  # no gap
                length *= count
            else:
                begins = (begins[:, None] + np.arange(count, dtype=np.int64) * stride).ravel()
        return begins, begins + length


class Pieces(NamedTuple):
    """Where elements lie: pieces of memory without gaps, their first bytes and ends."""

    begins: Array
    ends: Array

    @property
    def empty(self) -> bool:
        return len(self.begins) == 0

    @property
    def apart(self) -> bool:
        return len(self.begins) == 1

    @property
    def bounds(self) -> tuple[int, int]:
        return int(self.begins.min()), int(self.ends.max())

    @property
    def pieces(self) -> Runs:
        return self.begins, self.ends


Where = Sequence[Places | Pieces]


def check_overlap(output: str, written: Where, others: Mapping[str, Where]) -> None:
    """Refuse an output that shares an element with itself or with another operand.

    Cheap bounds first; only where those meet are pieces of memory compared.
    """
    found = [places for places in written if not places.empty]
    if found and not (len(found) == 1 and found[0].apart):
        begins, ends = _runs(found)
        if (np.maximum.accumulate(ends)[:-1] > begins[1:]).any():
            raise ValueError(f"{output} overlaps itself: expected an output whose elements lie apart")
    for name, places in others.items():
        given = [x for x in places if not x.empty]
        if found and given and _meet(found, given):
            raise ValueError(f"{output} overlaps {name}: expected an output that shares no memory with an input")


def may_grow(array: Array) -> bool:
    """Whether the elements lay apart however long the first axis were."""
    return not Places.of(array)._replace(shape=(ANY_LENGTH, *array.shape[1:])).folds


def _meet(some: Where, others: Where) -> bool:
    (low, high), (first, end) = _bounds(some), _bounds(others)
    if low >= end or first >= high:
        return False
    begins, ends = _runs(some)
    # of the pieces that begin before the end of another one, does one reach beyond its first byte?
    reach, (firsts, others_ends) = np.maximum.accumulate(ends), _runs(others)
    before = np.searchsorted(begins, others_ends)
    return bool((reach[before - 1] > firsts)[before > 0].any())


def _bounds(found: Where) -> tuple[int, int]:
    """First byte and end of all."""
    pairs = [places.bounds for places in found]
    return min(low for low, _ in pairs), max(high for _, high in pairs)


def _runs(found: Where) -> Runs:
    pairs = [places.pieces for places in found]
    begins, ends = (np.concatenate(x) if len(pairs) > 1 else x[0] for x in zip(*pairs, strict=True))
    if (begins[1:] < begins[:-1]).any():
        order = np.argsort(begins)
        begins, ends = begins[order], ends[order]
    return begins, ends
