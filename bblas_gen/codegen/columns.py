"""How solvers with vectors down the columns of one matrix go through it, a few matrices at a time: data that a template
prints.

All of X is in registers, and each row of it, when it is solved, is taken from the others by a column of A. Of a block
on the diagonal, as high as a vector, lanes that are solved keep what they have.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..ir.partition import Lanes, segments
from ..ir.views import View
from ..schedule.schedule import Schedule
from .functions import BodyText
from .tiles import Loop


@dataclass(frozen=True)
class Taken:
    """What a row takes from a vector of X: that times the vector of A at ``address``; in ``lanes``, if not in all."""

    vector: int
    address: str
    lanes: str


@dataclass(frozen=True)
class Row:
    """A row of X: every lane of ``lanes`` is its own; what it takes from other rows."""

    lanes: str
    taken: tuple[Taken, ...]


@dataclass(frozen=True)
class Block:
    """A block on the diagonal: the number of its vector of X; the ``first`` of its columns, and the others with the
    lanes that are theirs or later ones', which so end with the diagonal (``first`` is empty where that is one); its
    rows."""

    vector: int
    first: str
    diagonal: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Group:
    """Right-hand sides that are solved together: the names and addresses of the vectors of X, in an order in which they
    may be stored; the names by the vector's number."""

    loop: Loop
    vectors: tuple[tuple[str, str], ...]
    names: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class ColumnsText:
    """How one body solves A X = alpha B, for ``schedule.cols`` right-hand sides at a time."""

    body: BodyText
    schedule: Schedule

    @property
    def width(self) -> int:
        return self.schedule.width

    @cached_property
    def b(self) -> View:
        """B as it lies."""
        return View(self.body.views[1].rs, self.body.views[1].cs)

    @cached_property
    def backwards(self) -> bool:
        """Whether A is upper triangular, as it lies."""
        return self.body.views[1].rows_from is not None

    @cached_property
    def starts(self) -> list[int]:
        """The first rows of vectors; the last one overlaps its predecessor where it must."""
        m = self.body.size["m"]
        return [min(first, m - self.width) for first in range(0, m, self.width)]

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        found = segments(self.body.size["n"], self.schedule.cols)
        return tuple(
            self._group(Loop("j", one.start, one.stop, one.size, alone=len(found) == 1), one.size) for one in found
        )

    def _group(self, loop: Loop, columns: int) -> Group:
        names = tuple(tuple(f"x{v}_{c}" for c in range(columns)) for v in range(len(self.starts)))
        stored = [
            (names[v][c], self.b.at(self.starts[v], (loop.index, c)))
            for v in reversed(range(len(self.starts)))  # the last one has nothing of what another solves
            for c in range(columns)
        ]
        return Group(loop, tuple(stored), names)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        numbers = range(len(self.starts))
        return tuple(self._block(v) for v in (reversed(numbers) if self.backwards else numbers))

    def _block(self, v: int) -> Block:
        m, start = self.body.size["m"], self.starts[v]
        rows = list(range(v * self.width, min(m, (v + 1) * self.width)))
        if self.backwards:
            rows.reverse()
        diagonal = tuple((self._column(i, start), self._lanes(i - start, own=True).blend) for i in rows[1:])
        first = "" if self.body.unit else self._column(rows[0], start)
        return Block(v, first, diagonal, tuple(self._row(v, i, i == rows[-1]) for i in rows))

    def _row(self, v: int, i: int, last: bool) -> Row:
        lane = i - self.starts[v]
        others = range(v) if self.backwards else range(v + 1, len(self.starts))
        taken = [] if last else [Taken(v, self._column(i, self.starts[v]), self._lanes(lane, own=False).blend)]
        taken += [Taken(w, self._column(i, self.starts[w]), "") for w in others]
        return Row(", ".join([str(lane)] * self.width), tuple(taken))

    def _lanes(self, lane: int, *, own: bool) -> Lanes:
        """The lanes that are solved after ``lane``, and, perhaps, it."""
        lanes = range(self.width)
        return Lanes(tuple((k < lane if self.backwards else k > lane) or (own and k == lane) for k in lanes))

    def _column(self, j: int, row: int) -> str:
        """Where a vector of column ``j`` begins."""
        a = self.body.views[0]
        return View(a.rs, a.cs).at(row, j)
