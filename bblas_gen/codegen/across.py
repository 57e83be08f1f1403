"""How solvers with vectors across right-hand sides go through X: their tiles, as data (see ``tiles``) that a template
prints.

Each row of X is a vector, or a few; elements of A are factors, read from where they lie.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

from ..ir.partition import RowTile, row_tiles, segments
from ..ir.views import Index, View, before, index_text
from ..schedule.schedule import Schedule
from .functions import BodyText
from .tiles import Factor, Loop, Panel, Product, Step, Steps

STEP = "l"
"""The variable of loops over rows of X that are known."""


@dataclass(frozen=True)
class Solved:
    """A row of X in a tile: its ``sums`` are multiplied with ``inverse``, if there is one, stored (name, address), and
    taken from the rows below by a ``step``."""

    sums: tuple[str, ...]
    inverse: str
    stores: tuple[tuple[str, str], ...]
    step: Step


@dataclass(frozen=True)
class SolveTile:
    """Rows of X. ``starts`` are what lies in B (name, address); ``known``: the steps over rows of X above the tile."""

    loop: Loop
    starts: tuple[tuple[str, str], ...]
    known: Steps | None
    rows: tuple[Solved, ...]


@dataclass(frozen=True)
class Move:
    """Rows of X by a vector of right-hand sides, brought to the panel and back: those of ``loop``, whose first lies at
    ``there`` and, in the panel, ``here``; ``stride`` reals are between the ``count`` right-hand sides."""

    loop: Loop
    there: str
    here: str
    stride: str
    count: int


@dataclass(frozen=True)
class RightHandSides:
    """A few vectors of right-hand sides: the reals of their panel, what is moved to it and back, and the tiles of X
    from the top."""

    loop: Loop
    panel: int
    moves: tuple[Move, ...]
    tiles: tuple[SolveTile, ...]


@dataclass(frozen=True)
class Diagonal:
    """Elements of the diagonal from the one at the loop's index, a vector of them."""

    loop: Loop
    elements: tuple[str, ...]


@dataclass(frozen=True)
class Vectors:
    """Rows of vectors in memory: right-hand sides from ``columns`` of a matrix."""

    name: str
    view: View
    columns: tuple[Index, ...]

    def row(self, i: Index) -> tuple[str, ...]:
        return tuple(f"{self.name} + {self.view.at(i, column)}" for column in self.columns)


@dataclass(frozen=True)
class Across:
    """How one body solves A X = alpha B."""

    body: BodyText
    schedule: Schedule
    halved: bool
    a: ClassVar[str] = "A"
    inverse: ClassVar[str] = "inverse"

    @property
    def width(self) -> int:
        return self.schedule.width

    @cached_property
    def packed(self) -> bool:
        """Whether right-hand sides are brought to a panel, as they are not contiguous."""
        return self.body.views[1].cs != 1

    @cached_property
    def panel(self) -> Panel:
        height, joined = self.schedule.rows * self.width, self.halved and self.width > 1
        return Panel(
            height, max(1, height * self.body.size["m"]), self.width, self.width // 2 if joined else self.width, joined
        )

    @cached_property
    def diagonal(self) -> tuple[Diagonal, ...]:
        """Vectors of the diagonal, the last one filled with ones; none where all of it is one."""
        if self.body.unit:
            return ()
        a, lanes, found = self.body.views[0], self.width, []
        for segment in segments(self.body.size["m"], lanes):
            loop = Loop("i", segment.start, segment.stop, segment.size)
            elements = [f"A[{a.at((loop.index, r), (loop.index, r))}]" for r in range(segment.size)]
            found.append(Diagonal(loop, (*elements, *["1"] * (lanes - segment.size))))
        return tuple(found)

    @cached_property
    def groups(self) -> tuple[RightHandSides, ...]:
        n, tall = self.body.size["n"], self.schedule.rows * self.width
        if not self.packed:
            found = row_tiles(n, self.width, self.schedule.rows)
        else:
            found = [RowTile(one, tuple(range(0, one.size, self.width))) for one in segments(n, tall)]
        loops = [Loop("j", one.loop.start, one.loop.stop, one.loop.size, alone=len(found) == 1) for one in found]
        return tuple(self._group(one.offsets, loop) for one, loop in zip(found, loops, strict=True))

    def _group(self, offsets: tuple[int, ...], loop: Loop) -> RightHandSides:
        rows = [Loop("i", s.start, s.stop, s.size) for s in segments(self.body.size["m"], self.schedule.cols)]
        overlap = any(after - first < self.width for first, after in pairwise(offsets))
        b, p = self.body.views[1], View(self.panel.height, 1)
        panel = Vectors("P", replace(p, rows_from=b.rows_from), tuple(v * self.width for v in range(len(offsets))))
        lying = Vectors("B", b, tuple((loop.index, offset) for offset in offsets))
        moves = tuple(self._moves(offsets, loop)) if self.packed else ()
        places = (panel,) if self.packed else (panel, lying) if overlap and len(rows) > 1 else (lying,)
        tiles = tuple(self._tile(places, row) for row in rows)
        return RightHandSides(loop, self.panel.reals if panel in places else 0, moves, tiles)

    def _moves(self, offsets: tuple[int, ...], loop: Loop) -> Iterator[Move]:
        """All rows of X as they lie, in blocks as high as a vector; the last one overlaps another."""
        b, m, w = self.body.views[1], self.body.size["m"], self.width
        view, stride = View(b.rs, b.cs), str(b.cs)
        blocks = [Loop("i", 0, m - m % w, w)] + [Loop("i", m - w, m, w)] * (m % w > 0)
        for offset in offsets:
            for block in blocks:
                i, count = block.index, min(w, loop.step - offset)
                here = View(self.panel.height, 1).at(i, offset)
                yield Move(block, f"B + {view.at(i, (loop.index, offset))}", f"P + {here}", stride, count)

    def _tile(self, places: Sequence[Vectors], row: Loop) -> SolveTile:
        """The tile of ``row.step`` rows of X from ``row.index``. X goes to all ``places``, is read from the first,
        it was B in the last."""
        i, size, x = row.index, row.step, places[0]
        starts = [(f"c{q}_{v}", place) for q in range(size) for v, place in enumerate(places[-1].row((i, q)))]
        known = None
        if before(0, i):
            loads = tuple((f"x{v}", place) for v, place in enumerate(x.row(STEP)))
            factors = tuple(self._factor(q, (i, q), STEP, [name for name, _ in loads]) for q in range(size))
            known = Steps(0, i, Step(loads, factors))
        return SolveTile(row, tuple(starts), known, tuple(self._solved(places, i, p, size) for p in range(size)))

    def _solved(self, places: Sequence[Vectors], i: Index, p: int, size: int) -> Solved:
        sums = [f"c{p}_{v}" for v in range(len(places[0].columns))]
        stores = tuple(store for x in places for store in zip(sums, x.row((i, p)), strict=True))
        factors = tuple(self._factor(q, (i, q), (i, p), sums) for q in range(p + 1, size))
        inverse = "" if self.body.unit else f"{self.inverse}[{index_text((i, p))}]"
        return Solved(tuple(sums), inverse, stores, Step((), factors))

    def _factor(self, q: int, row: Index, column: Index, vectors: Sequence[str]) -> Factor:
        """An element of A, and what it takes from row ``q`` of the tile."""
        products = tuple(Product(f"c{q}_{v}", "-", x, "") for v, x in enumerate(vectors))
        return Factor(f"a{q}", f"{self.a}[{self.body.views[0].at(row, column)}]", products)
