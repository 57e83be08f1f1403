"""How LU goes through matrices by themselves whose rows are contiguous, by blocks of columns: data that a template
prints.

A block is in lanes while it is factored. What is right of it stays where it lies, and is exchanged and reduced by
vectors of a row, one matrix after another. The first block takes what whole ones leave over, so vectors are whole.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.canonical import Body
from ..ir.partition import Segment
from ..ir.program import Program
from ..ir.views import Index, View
from ..schedule.lane import in_straight_lines
from ..schedule.schedule import Schedule

COLUMNS = 8
"""Columns of a block at most: as many as there are lanes."""
LEAST_LANES = 4
"""Lanes at least: narrower vectors of a row are no gain."""
LARGEST = 48
"""The largest order: blocks of larger ones come from beyond a level-2 cache, and panels are as fast."""
MOST_BESIDE = 4
"""Right-hand sides at most that go along, each a column more that pivots exchange."""


@dataclass(frozen=True)
class RowBlocks:
    """Blocks of so many ``columns`` of matrices of an ``order`` in so many ``lanes``, with right-hand sides ``beside``.
    Of the factors nobody reads more than the ``diagonal``, if that.

    A block has a tile for each row: first that row of one matrix after another, then of one column after another, in
    lanes.
    """

    order: int
    columns: int
    lanes: int
    beside: int
    diagonal: bool

    @property
    def first(self) -> int:
        """The columns of the first block."""
        return self.order % self.columns or self.columns

    @property
    def widths(self) -> tuple[int, ...]:
        """The columns that blocks have."""
        return tuple(sorted({self.first, self.columns}))

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The first block, and those behind it."""
        whole = (self.order - self.first) // self.columns
        found = (Segment(0, self.first, 1), Segment(self.first, self.columns, whole))
        return found[: 1 + (whole > 0)]

    def more(self, found: Segment) -> bool:
        """Whether something is right of one of those blocks."""
        return found.start + found.size < self.order

    def all(self, columns: int) -> int:
        """The columns that pivots of a block exchange."""
        return columns + self.beside

    def tiles(self, columns: int) -> View:
        """Elements of the tiles of a block in lanes, row after row."""
        return View(columns, 1, self.lanes)

    @property
    def right(self) -> View:
        """Right-hand sides in lanes, row after row."""
        return View(self.beside, 1, self.lanes)

    @property
    def column(self) -> View:
        """The elements of a diagonal in lanes."""
        return View(1, 0, self.lanes)

    @property
    def asked(self) -> int:
        """The rows of matrices to come that are prefetched with a step of a block that has something right of it: its
        pivots, then what is right of it in each lane. The last steps may find none left."""
        blocks = [x.size for x in self.segments for j in range(x.start, x.stop, x.size) if j + x.size < self.order]
        return -(-self.order * self.lanes // sum(columns + self.lanes for columns in blocks))

    def begins(self, column: Index, row: Index, columns: int) -> str:
        """Where the tile of a row begins, of the block that begins with a column."""
        return View(columns * self.lanes, self.order * self.lanes).at(row, column)

    def corner(self, column: Index, columns: int) -> str:
        """The same on the diagonal."""
        return View((columns + self.order) * self.lanes, 0).at(column, 0)


def fetched_by_rows(program: Program, name: str) -> bool:
    """Whether an operand is what a body fetches by panels, and not read otherwise before it is overwritten."""
    users = [body for body in program.bodies if name in body.uses]
    if not users or not users[0].row.fetched or in_straight_lines(users[0], program.p.parts):
        return False
    first, own = users[0], users[0].row.fetched[0]
    source = dict(first.sources).get(own, first.operands[0])
    return source == name and first.uses.count(name) == 1 and (name in first.writes or len(users) == 1)


def row_blocks(program: Program, schedule: Schedule, body: Body) -> RowBlocks | None:
    """How a body goes by blocks, if it does: one that has arrays for it, with few right-hand sides, of whose factors
    nobody reads more than pivots and the diagonal."""
    own = next(iter(body.row.fetched), "")
    little = own in (*body.unread, *body.diagonal)
    if not (body.row.block_arrays and little) or program.p.complex or program.spec.general:
        return None
    source = dict(body.sources).get(own, "")
    where = program.spec.where(program.row.operand(source)) if source else None
    rows = where is not None and not where.interleaved and program.spec.strides.row_major and program.target.simd
    order, beside = body.size["n"], body.size.get("nrhs", 0)
    square = body.size.get("m", order) == order and all(body.size.values())
    few = schedule.width >= LEAST_LANES and COLUMNS < order <= LARGEST and beside <= MOST_BESIDE
    if not (rows and square and few and source not in program.preserved and fetched_by_rows(program, source)):
        return None
    return RowBlocks(order, min(COLUMNS, schedule.width), schedule.width, beside, own in body.diagonal)
