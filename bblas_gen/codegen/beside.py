"""How right-hand sides go along with a factorization of a vector of matrices that lie by themselves: data that a
template prints.

They are in lanes. A block of rows that loses vectors of A, as these lie, times other rows leaves them for as long: it
lies by matrices then, columns together.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.partition import Lanes, segments
from ..ir.views import Index, View
from .tiles import Factor, Loop, Product, Step, Steps

MOST = 8
"""Right-hand sides of a tile at most."""
REGISTERS = {64: 32, 32: 16}
"""Registers by the bytes of a vector."""

DONE = "l"
"""The variable of loops over what is known."""

Loads = tuple[tuple[str, str], ...]
"""Names of vectors, and their addresses."""
Stores = tuple[tuple[str, str, str], ...]
"""The same, and in which lanes they are stored, if not in all."""


@dataclass(frozen=True)
class Taken:
    """What rows of right-hand sides of one matrix, those of ``loop``, lose: the ``sums``, which begin with what lies
    there, and the steps."""

    loop: Loop
    sums: Stores
    steps: Steps


@dataclass(frozen=True)
class Beside:
    """``count`` right-hand sides, in lanes as the ``view`` tells, by blocks of ``size`` rows; vectors are of ``width``
    reals and so many ``bytes``."""

    view: View
    count: int
    size: int
    width: int
    bytes: int

    @property
    def cols(self) -> int:
        """Of a tile in lanes, four rows high."""
        return min(self.count, REGISTERS[self.bytes] // 8)

    def parts(self, rows: int) -> tuple[tuple[str, str], ...]:
        """Of each vector of ``rows`` where it begins in a block, by matrices and in lanes."""
        return tuple((View(1, self.size).at(at, "j"), self.view.at(at, "j")) for at in range(0, rows, self.width))

    def at_once(self, others: int) -> int:
        """How many a tile has beside ``others`` vectors of sums: all, or none."""
        vectors = self.size // self.width
        return self.count if self.count * vectors + others + vectors < REGISTERS[self.bytes] else 0

    def sums(self, q: Index, count: int, rows: int) -> Stores:
        """Of ``count`` from q, ``rows`` of a block: where they lie, by matrices."""
        return tuple(
            (f"b{c}_{v}", f"b + {View(1, self.size).at(at, (q, c))}", self._own(rows - at))
            for c in range(count)
            for v, at in enumerate(range(0, rows, self.width))
        )

    def _own(self, rows: int) -> str:
        own = Lanes(tuple(lane < rows for lane in range(self.width)))
        return "" if own.every else own.blend

    def lost(self, q: Index, count: int, row: Index, loads: Loads) -> tuple[Factor, ...]:
        """What the sums of ``count`` from q lose to vectors of A times a row that is known."""
        return tuple(
            Factor(
                f"y{c}",
                f"X[{self.view.at(row, (q, c))} + m]",
                tuple(Product(f"b{c}_{v}", "-", x, "") for v, (x, _) in enumerate(loads)),
            )
            for c in range(count)
        )

    def taken(self, rows: int, first: Index, last: Index, loads: Loads, *, backwards: bool) -> tuple[Taken, ...]:
        """Tiles of all, ``rows`` high, which lose ``loads``, vectors of A, times known rows, ``first`` to ``last``."""
        most = min(MOST, max(1, (REGISTERS[self.bytes] - 2) // len(loads) - 1))
        found = []
        for one in segments(self.count, most):
            loop = Loop("q", one.start, one.stop, one.size)
            step = Step(loads, self.lost(loop.index, one.size, DONE, loads))
            found.append(Taken(loop, self.sums(loop.index, one.size, rows), Steps(first, last, step, backwards)))
        return tuple(found)
