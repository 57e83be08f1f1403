"""Calls of many kernels, one for each bin, made as one: piece by piece, so that windows of the batch stay in the cache.

The thread pool does pieces of calls that it was given to keep, on threads that take windows. Where it cannot keep one,
or there is none, each piece is a call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..arrays.headers import Array
from .bins import Bins
from .marshal import address, at_address

if TYPE_CHECKING:
    from .library import Library

LATER = 1 << 30
"""Threads of a call that is not done but kept, to be done in pieces, as the pool knows them."""
ROOM = 512
"""Bytes of a call that is kept, in multiples of 16."""

Run = tuple[Callable[..., Any], list[Any]]
"""A C function, and what it is called with."""


class BinCall(NamedTuple):
    """The call of a kernel on the matrices of a bin. ``slots``: in ``arguments``, of the number of matrices, and of
    pointers; ``begins``: these for the first matrix; ``steps``: the bytes from matrix to matrix; ``alone``: its
    matrices are so large that threads share each. The last argument are threads."""

    library: Library
    arguments: list[Any]
    slots: tuple[int, tuple[int, ...]]
    begins: tuple[int, ...]
    steps: tuple[int, ...]
    alone: bool

    def piece(self, start: int, stop: int) -> Run:
        """What does some of them."""
        arguments, pointer = self.arguments[:], at_address()
        arguments[self.slots[0]] = stop - start
        for slot, begin, step in zip(self.slots[1], self.begins, self.steps, strict=True):
            arguments[slot] = pointer(begin + step * start)
        return self.library.function, arguments

    def kept(self, pool: Library, count: int, room: Array) -> bool:
        """Whether the ``pool`` keeps it, for ``count`` matrices, in ``room``; nothing is done."""
        function, arguments = self.piece(0, count)
        function(*arguments[:-1], LATER)
        return bool(pool.handle.bblas_kept(address(room)))


def runs(calls: Sequence[BinCall | None], bins: Bins, matrix_bytes: float, num_threads: int) -> Iterator[Run]:
    """What is to be called for the ``calls`` of all bins. ``matrix_bytes``: of one matrix on average."""
    from .threads import start_pool  # here: importing bblas_gen must stay fast

    pieces, windows = bins.pieces(matrix_bytes)
    pieces[:, 1:] -= bins.ends[pieces[:, :1]]
    rooms, kept, pool = np.zeros((len(calls), ROOM), np.uint8), np.zeros(len(calls), bool), start_pool()
    refused: list[Library] = []
    for i, (call, count) in enumerate(zip(calls, bins.counts.tolist(), strict=True)):
        if pool and call and not call.alone and call.library.pooled and call.library not in refused:
            kept[i] = call.kept(pool, count, rooms[i])
            if not kept[i]:
                refused.append(call.library)  # all calls of this kernel
    pooled = kept[pieces[:, 0]]
    if pool and pooled.any():
        ends = np.concatenate([[0], np.cumsum(pooled)])[windows]
        whole = len(bins.order), num_threads, matrix_bytes * len(bins.order) / 16  # bytes a nanosecond
        yield pool.handle.bblas_pieces, [*map(address, (rooms, pieces[pooled], ends)), len(ends) - 1, *whole]
    for number, start, stop in pieces[~pooled].tolist():
        if call := calls[number]:
            yield call.piece(start, stop)
