"""Calls of many kernels, one for each bin, made as one: piece by piece, so that windows of the batch stay in the cache.

The thread pool does pieces of calls that it was given to keep, on threads that take windows. Where it cannot keep one,
or there is none, each piece is a call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arrays.headers import Array
from .bins import Bins
from .library import Library
from .marshal import address
from .threads import LATER, ROOM, start_pool

Run = tuple[Callable[..., Any], list[Any]]
"""A C function, and what it is called with."""


@dataclass(frozen=True)
class BinCall:
    """The call of a kernel on all matrices of a bin. ``tables``: those of which a piece takes a part, with their slots
    in ``arguments``; ``batch_slot``: that of the number of matrices. The last argument are threads."""

    library: Library
    arguments: list[Any]
    batch_slot: int
    tables: list[tuple[int, Array]]

    def piece(self, start: int, stop: int) -> Run:
        arguments = self.arguments[:]
        arguments[self.batch_slot] = stop - start
        for slot, table in self.tables:
            arguments[slot] = address(table[start:stop])
        return self.library.function, arguments

    def kept(self, room: Array) -> bool:
        """Whether the pool keeps it, in ``room``; nothing is done."""
        pool = start_pool() if self.library.pooled else None
        if pool is None:
            return False
        self.library.function(*self.arguments[:-1], LATER)
        return bool(pool.handle.bblas_kept(address(room)))


def runs(calls: Sequence[BinCall | None], bins: Bins, matrix_bytes: float, num_threads: int) -> Iterator[Run]:
    """What is to be called for the ``calls`` of all bins. ``matrix_bytes``: of one matrix on average."""
    pieces, windows = bins.pieces(matrix_bytes)
    rooms = np.zeros((len(calls), ROOM), np.uint8)
    kept = np.array([call is not None and call.kept(room) for call, room in zip(calls, rooms, strict=True)], bool)
    pieces[:, 1:] -= bins.ends[pieces[:, :1]]
    pooled = kept[pieces[:, 0]]
    if pool := start_pool() if pooled.any() else None:
        ends = np.concatenate([[0], np.cumsum(pooled)])[windows]
        whole = len(bins.order), num_threads, matrix_bytes * len(bins.order) / 16  # bytes a nanosecond
        yield pool.handle.bblas_pieces, [*map(address, (rooms, pieces[pooled], ends)), len(ends) - 1, *whole]
    for number, start, stop in pieces[~pooled].tolist():
        if call := calls[number]:
            yield call.piece(start, stop)
