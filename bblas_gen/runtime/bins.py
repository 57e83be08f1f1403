"""Bins: the matrices of a variable batch that are alike, found once and done together.

Bins are run in windows of the batch, not one after the other over all of it: neighbours in memory are then done while
they are in the cache, which is half of the time where small matrices come from memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from ..arrays.headers import Array

WINDOW_BYTES = 3 * 2**18
"""Of operands in a window: what stays in a second-level cache."""
LEAST = 64
"""Matrices of a bin in a window on average, at least: the code of another kernel has to be fetched first."""
DENSE = 2**16
"""Numbers up to which counting, in NumPy, is faster than sorting."""


@dataclass(frozen=True)
class Bins:
    """``order``: the matrices, bin after bin, in each as they come; ``ends``: where bins begin in it, and the end."""

    order: Array
    ends: Array

    @classmethod
    def of(cls, columns: Iterable[Array], batch: int) -> Bins:
        """A bin for all matrices that are alike in all ``columns`` (batch,), integers."""
        numbers = numbered(columns, batch)
        kind = np.uint16 if numbers.max(initial=0) < DENSE else np.int64
        order = np.argsort(numbers.astype(kind), kind="stable")  # of 16 bits a radix sort
        return cls(order, np.concatenate([[0], np.cumsum(np.bincount(numbers))]) if batch else np.zeros(1, np.int64))

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __iter__(self) -> Iterator[Array]:
        """The matrices of each bin."""
        return iter(np.split(self.order, self.ends[1:-1]) if len(self) else ())

    @property
    def counts(self) -> Array:
        """How many matrices each bin has."""
        return np.diff(self.ends)

    @property
    def firsts(self) -> Array:
        """The first matrix of each bin."""
        return self.order[self.ends[:-1]]

    @property
    def number(self) -> Array:
        """The bin of each matrix."""
        found = np.empty(len(self.order), np.int64)
        found[self.order] = np.repeat(np.arange(len(self)), np.diff(self.ends))
        return found

    def pieces(self, matrix_bytes: float) -> tuple[Array, Array]:
        """Pieces of bins in the order in which they are to be run, rows of the bin and where the piece begins and ends
        in ``order``; and where windows begin in them, and the end. ``matrix_bytes``: of the operands of one matrix on
        average."""
        window = max(LEAST * len(self), int(WINDOW_BYTES / max(1.0, matrix_bytes)))
        number, windows = np.repeat(np.arange(len(self)), np.diff(self.ends)), self.order // window
        begins = np.flatnonzero(np.diff(number, prepend=-1) | np.diff(windows, prepend=-1))
        found = np.stack([number[begins], begins, np.append(begins, len(self.order))[1:]], axis=1)
        ranks = np.argsort(windows[begins], kind="stable")
        return found[ranks], np.searchsorted(windows[begins][ranks], np.arange(windows.max(initial=-1) + 2))


def numbered(columns: Iterable[Array], batch: int) -> Array:
    """A number for each matrix, equal where all ``columns`` are: 0, 1, ..."""
    numbers, count = np.zeros(batch, np.int64), 1
    seen: list[Array] = []
    for column in columns:
        if not batch or any(np.array_equal(column, other) for other in seen):
            continue
        seen.append(column)
        low, span = int(column.min()), int(column.max() - column.min()) + 1
        found = column - low
        if span > DENSE:
            found, span = _dense(found, span)
        if count * span > DENSE:
            numbers, count = _dense(numbers, count)
        numbers, count = numbers * span + found, count * span
    return _dense(numbers, count)[0] if batch else numbers


def _dense(numbers: Array, count: int) -> tuple[Array, int]:
    """The same, without gaps, and how many there are; ``numbers`` are below ``count``."""
    if count > 16 * DENSE:
        found, numbers = np.unique(numbers, return_inverse=True)
        return numbers, len(found)
    place = np.cumsum(np.bincount(numbers, minlength=count) > 0)
    return place[numbers] - 1, int(place[-1])
