"""What direct bodies are made of: tiles, steps of k, packed panels, as data (see ``tiles``) that templates print.

``offsets`` count the reals from the first, i, of a row of tiles to its vectors. An index that is known beforehand is a
number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ..ir.partition import Lanes, RowTile, Segment, Triangle, Which, any_row_tiles, row_tiles, segments
from ..ir.sizes import product
from ..ir.views import Index, Stride, View, before, index_text
from ..schedule.schedule import Schedule
from .functions import BodyText
from .tiles import (
    Columns,
    Factor,
    Left,
    Loop,
    Mirror,
    MirrorPack,
    Output,
    Pack,
    Panel,
    Product,
    Step,
    Steps,
    Tile,
)

FIRST, LAST = "i", "last"
"""The variables that are where the vectors of a tile begin, and where the last one does."""
MOST_COLUMNS = 8
"""Columns of a tile at most where there is one for each number of them."""
STEP = "l"
"""The variable of loops over k."""
KINDS = ("re", "im")
"""What sums there are of complex types; of others there is the first."""
Ends = Callable[[int], tuple[Index, Index]]
"""The first and the last column that a vector at an offset needs of a factor."""


@dataclass(frozen=True)
class At:
    """Where a tile lies: its vectors from real i, its columns from j. ``last``: where its last vector lies, if that
    overlaps its predecessor by what only run time knows."""

    offsets: tuple[int, ...]
    i: Index
    j: Index
    columns: int
    last: Index = ""

    def real(self, v: int) -> Index:
        """Where vector number ``v`` begins."""
        return self.last if self.last and v == len(self.offsets) - 1 else (self.i, self.offsets[v])


@dataclass(frozen=True)
class Direct:
    """How one body goes through its products. ``line``: reals of a cache line where only run time knows sizes; else
    0."""

    body: BodyText
    schedule: Schedule
    parts: int
    halved: bool
    line: int = 0
    narrow: bool = False

    @property
    def width(self) -> int:
        return self.schedule.width

    @property
    def widths(self) -> Iterator[Direct]:
        """This with vectors of each width that columns may have reals for: where only run time knows how many there
        are, with half as many again and again. Of fewer than those of the wider vector two such vectors hold all."""
        yield self
        width = self.width // 2 if isinstance(self.body.size["m"], str) else 0
        while width:
            rows = min(width, 2)
            shape = replace(self.schedule, width=width, rows=rows, cols=self._registers // rows - 1)
            yield replace(self, schedule=shape, narrow=True)
            width //= 2

    @property
    def _registers(self) -> int:
        """Those of a tile, and of a column of its left factor."""
        return self.schedule.rows * (self.schedule.cols + 1)

    def most(self, tile: RowTile) -> int:
        """The columns that a tile of vectors may have: of several that there may be each fills the registers."""
        if not tile.loop.end:
            return self.schedule.cols
        return min(MOST_COLUMNS, self._registers // len(tile.offsets) - 1)

    @cached_property
    def triangle(self) -> Triangle:
        return Triangle(self.body.lower, self.body.unit, self.width, self.parts)

    @cached_property
    def row_tiles(self) -> list[RowTile]:
        if isinstance(reals := product(self.body.size["m"], self.parts), str):
            return any_row_tiles(reals, self.width, self.schedule.rows)
        return row_tiles(reals, self.width, self.schedule.rows)

    @cached_property
    def panel(self) -> Panel:
        across = self.width // self.parts
        height = self.schedule.rows * self.width
        joined = self.halved and across > 1 and not self.narrow
        return Panel(height, max(1, height * self.schedule.kc), across, across // 2 if joined else across, joined)

    @cached_property
    def mirrors(self) -> tuple[Mirror, ...]:
        """The columns of a block on the diagonal of a symmetric left factor."""
        hermitian = self.body.hermitian
        return tuple(
            Mirror(
                r,
                r * self.panel.height,
                _blend(self.triangle.vector(0, r)),
                self.triangle.imaginary(r)(0, 0).blend if hermitian else "",
            )
            for r in range(self.panel.across)
        )

    def factor(self, name: str, view: View) -> Left:
        """A left factor, packed where its columns are not contiguous."""
        return Left(name, view, packed=False) if view.unit_rows else self.packed

    @cached_property
    def packed(self) -> Left:
        """What is in the panel, as a left factor."""
        return Left("P", View(1, self.panel.height // self.parts, self.parts), packed=True)

    def row(self, i: Index, offset: int = 0) -> Index:
        """The row of the element at real ``offset`` from real i."""
        if isinstance(i, int):
            return (i + offset) // self.parts
        return ("i / 2" if self.parts == 2 else i, offset // self.parts)

    def step(
        self,
        at: At,
        left: Left,
        right: str,
        rights: Sequence[View],
        step: Index,
        which: Which,
        *,
        conj: bool,
        real_at: int = -1,
    ) -> Step:
        """Column ``step`` of the left factor times row ``step`` of the right one, of which there is a view for each
        column; ``conj``: the conjugate is taken at the end. The factor of column ``real_at`` is real."""
        last, offsets = len(rights) - 1, list(enumerate(at.offsets))
        loads = []
        for v, offset in offsets:
            if which(offset, 0).some or which(offset, last).some:
                where = left.view.vector(v * self.width if left.packed else at.real(v), step)
                loads.append((f"a{v}", f"{left.name} + {where}"))
        factors = []
        for c, view in enumerate(rights):
            if not (which(at.offsets[0], c).some or which(at.offsets[-1], c).some):
                continue
            for kind in KINDS[: 1 if c == real_at else self.parts]:
                sign = "-" if kind == "im" and view.conj != conj else "+"
                products = tuple(
                    Product(f"{kind}{v}_{c}", sign, f"a{v}", _blend(which(offset, c)))
                    for v, offset in offsets
                    if which(offset, c).some
                )
                address = view.at(step, (at.j, c)) + (" + 1" if kind == "im" else "")
                factors.append(Factor(f"b{kind}{c}", f"{right}[{address}]", products))
        return Step(tuple(loads), tuple(factors))

    def steps(
        self, at: At, left: Left, right: str, view: View, first: Index, last: Index, which: Which, *, conj: bool = False
    ) -> Steps | None:
        """Steps of k in a loop; None where there are none."""
        if not before(first, last):
            return None
        return Steps(first, last, self.step(at, left, right, [view] * at.columns, STEP, which, conj=conj))

    def sums(self, at: At, which: Which) -> tuple[tuple[str, ...], ...]:
        return tuple(
            tuple(
                f"{kind}{v}_{c}"
                for v, offset in enumerate(at.offsets)
                if which(offset, c).some
                for kind in KINDS[: self.parts]
            )
            for c in range(at.columns)
        )

    def outputs(
        self, at: At, name: str, view: View, which: Which, real: Which | None = None
    ) -> tuple[tuple[Output, ...], ...]:
        return tuple(
            tuple(
                Output(
                    v,
                    f"{name} + {view.vector(at.real(v), (at.j, c))}",
                    tuple(f"{kind}{v}_{c}" for kind in KINDS[: self.parts]),
                    _blend(which(offset, c)),
                    _blend(real(offset, c)) if real else "",
                )
                for v, offset in enumerate(at.offsets)
                if which(offset, c).some
            )
            for c in range(at.columns)
        )

    def pack(self, name: str, view: View, tile: RowTile, i: Index, ends: Ends) -> tuple[Pack, ...]:
        """What brings the rows of a tile to the panel, by vectors; ``ends`` tells the columns that a vector needs."""
        found = []
        at = self.at(tile, i)
        for v, offset in enumerate(tile.offsets):
            first, last = ends(offset)
            row = view.vector(at.real(v), STEP)
            lane = f"q / {self.parts} * {self.parts} * {view.rs} + q % {self.parts}"
            block = f"{name} + {row}" if view.cs == 1 and self.panel.across > 1 else ""
            across, text = self.panel.across, index_text(last)
            end = (text if int(text) >= across else "0") if text.isdigit() else f"({text} < {across} ? 0 : {text})"
            found.append(
                Pack(
                    at=v * self.width,
                    first=first,
                    last=last,
                    end=end,
                    latest=(last, -across),
                    block=block,
                    stride=self.stride(view.rs),
                    real=f"{name}[{row} + {lane}]",
                )
            )
        return tuple(found)

    def mirror(self, view: View, tile: RowTile, i: Index) -> tuple[MirrorPack, ...]:
        """The same of a symmetric factor A."""
        found, lower, across = [], self.body.lower, self.panel.across
        for v, offset in enumerate(tile.offsets):
            row = self.row(i, offset)
            first, last = (0, row) if lower else ((row, across), self.body.size["m"])
            stored, block = view.vector((i, offset), STEP), view.at(STEP, row)
            corner, stride = view.at(row, row), self.stride(view.cs)
            found.append(
                MirrorPack(v * self.width, first, last, f"A + {stored}", f"A + {block}", f"A + {corner}", row, stride)
            )
        return tuple(found)

    def stride(self, stride: Stride) -> str:
        """The C text of one in reals."""
        return f"{stride}{' * 2' if self.parts == 2 else ''}"

    def at(self, tile: RowTile, i: Index, j: Index = 0, columns: int = 0) -> At:
        """Where a tile lies in a row of tiles."""
        return At(tile.offsets, i, j, columns, LAST if tile.latest else "")

    def names(self, tile: RowTile, loop: Loop) -> Iterator[tuple[str, str]]:
        """Where the first vector begins, and the last one, as C text, where only run time knows."""
        if loop.end:
            yield FIRST, f"{loop.variable} * {self.width}"
        if tile.latest:
            follows, latest = index_text((FIRST, tile.offsets[-1])), index_text(tile.latest)
            yield LAST, f"{follows} < {latest} ? {follows} : {latest}"

    def loops(self, variable: str, found: Sequence[Segment], *, backwards: bool = False) -> Iterator[Loop]:
        """One for each segment, in their order or backwards."""
        for segment in reversed(found) if backwards else found:
            alone = len(found) == 1
            yield Loop(variable, segment.start, segment.stop, segment.size, backwards, alone, segment.end)

    def rows(self, *, backwards: bool = False) -> Iterator[tuple[RowTile, Loop]]:
        """The rows of tiles."""
        tiles = self.row_tiles[::-1] if backwards else self.row_tiles
        variable = "v" if self.row_tiles[0].loop.end else FIRST
        loops = self.loops(variable, [t.loop for t in self.row_tiles], backwards=backwards)
        return zip(tiles, loops, strict=True)

    def columns(
        self, make: Callable[[Index, int], Tile], *, backwards: bool = False, most: int = 0
    ) -> tuple[Columns, ...]:
        """The tiles of a row, over all columns: ``most`` at a time, or those of the schedule."""
        found = self.loops("j", segments(self.body.size["n"], most or self.schedule.cols), backwards=backwards)
        return tuple(Columns(loop, make(loop.index, loop.step)) for loop in found)


def _blend(lanes: Lanes) -> str:
    return "" if lanes.every else lanes.blend
