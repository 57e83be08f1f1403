"""How LU goes through matrices by themselves whose rows are contiguous, by blocks of columns: data that a template
prints.

A block is in lanes while it is factored, and its rows stay where they are. What is right of it is reduced by vectors of
a row, one matrix after another, and comes to its place then. The first block takes what whole ones leave over, so
vectors are whole; the last is in straight lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

from ..ir.canonical import Body
from ..ir.partition import Segment
from ..ir.program import Program
from ..ir.targets import Isa
from ..ir.views import Index, View
from ..schedule.lane import STRAIGHT, in_straight_lines
from ..schedule.schedule import Schedule

COLUMNS = 4
"""Columns of a block at least: the rows of a block that are pivots are reduced on for nothing, so
a block is narrow, but vectors of a row right of it have as many elements."""
LAST = isqrt(STRAIGHT)
"""Columns that are factored in straight lines at most, as matrices of that order are."""
LEVEL_1 = 32 << 10
"""Bytes of a level-1 cache: where a vector of matrices and a block are not in one, they are gone through less often."""
LEAST_LANES = 4
"""Lanes at least: narrower vectors of a row are no gain."""
LARGEST = 48
"""The largest order: blocks of larger ones come from beyond a level-2 cache, and panels are as fast."""
MOST_BESIDE = 4
"""Right-hand sides at most that go along, each a column more that pivots exchange."""


@dataclass(frozen=True)
class RowBlocks:
    """Blocks of so many ``columns`` of matrices of an ``order`` in so many ``lanes``, with right-hand sides ``beside``;
    the ``first`` and the ``last`` have numbers of their own. Of the factors nobody reads more than the ``diagonal``, if
    that. There are so many vector ``registers``.

    Behind the first, a block has a tile for each row, one matrix after another; in lanes, it has them one column after
    another.
    """

    order: int
    first: int
    columns: int
    last: int
    lanes: int
    beside: int
    diagonal: bool
    registers: int

    @property
    def before_last(self) -> tuple[Segment, ...]:
        """The first block, and those between it and the last."""
        between = (self.order - self.last - self.first) // self.columns
        found = (Segment(0, self.first, 1), Segment(self.first, self.columns, between))
        return found[: 1 + (between > 0)]

    @property
    def segments(self) -> tuple[Segment, ...]:
        """All of them."""
        return (*self.before_last, Segment(self.order - self.last, self.last, 1))

    @property
    def widths(self) -> tuple[int, ...]:
        """The columns that blocks have."""
        return tuple(sorted({x.size for x in self.segments}))

    @property
    def group(self) -> int:
        """The rows right of a block that are reduced together."""
        return self.registers // 8

    def side_by_side(self, columns: int) -> tuple[int, ...]:
        """The vectors of a row right of a block that are reduced together, most first: those of U and of some rows are
        in registers, with an element of L."""
        fit, there = (self.registers - 1) // (columns + self.group), (self.order - columns) // self.columns
        return tuple(range(max(1, min(fit, there)), 0, -1))

    def all(self, columns: int) -> int:
        """The columns that pivots of a block exchange."""
        return columns + self.beside

    def padded(self, columns: int) -> int:
        """The columns that are brought to lanes for a block: as many more as make vectors of lanes whole at once, for a
        core waits where it reads a vector that was written in parts."""
        whole = _narrow(self.lanes)
        return -(-columns // whole) * whole

    def tiles(self, columns: int) -> View:
        """Elements of the tiles of a block in lanes, row after row."""
        return View(self.padded(columns), 1, self.lanes)

    @property
    def right(self) -> View:
        """Right-hand sides in lanes, row after row."""
        return View(self.beside, 1, self.lanes)

    @property
    def column(self) -> View:
        """The elements of a diagonal in lanes."""
        return View(1, 0, self.lanes)

    @property
    def every(self) -> int:
        """From one pivot of a block to the next whose pass prefetches: where there are steps enough, they go on to the
        end."""
        return max((k for k in range(1, self.columns + 1) if self._steps(k) >= self.order * self.lanes), default=1)

    @property
    def asked(self) -> int:
        """The rows of matrices to come that are prefetched with a step. The last steps may find none left."""
        return -(-self.order * self.lanes // self._steps(self.every))

    def _steps(self, every: int) -> int:
        """Steps of blocks that have something right of them: rows below pivots, and lanes of what is right of them."""
        starts = [(j, x.size) for x in self.before_last for j in range(x.start, x.stop, x.size)]
        return sum(self.lanes + sum(self.order - j - q - 1 for q in range(0, size, every)) for j, size in starts)

    @property
    def panel(self) -> int:
        """The most columns of a block, as they are padded."""
        return max(map(self.padded, self.widths))

    def upper_at(self, row: Index, column: int, columns: int) -> str:
        """Where an element of U lies of a block of so many columns, or of the right-hand sides behind it."""
        behind = self.panel - columns if column >= columns else 0
        return View(self.panel + self.beside, 1, self.lanes).at(row, column + behind)

    def kept(self, pivot: int, columns: int) -> str:
        """The C text of where the inverse of a pivot stays for right-hand sides, if there are any."""
        return f"upper + {self.upper_at(('j', pivot), pivot, columns)}" if self.beside else ""

    @property
    def next(self) -> int:
        """From a tile to that on its right."""
        return self.order * self.lanes * self.columns

    def begins(self, column: Index, row: Index, columns: int) -> str:
        """Where the tile of a row begins, of the block that begins with a column."""
        return View(columns * self.lanes, self.order * self.lanes).at(row, column)


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
    few = schedule.width >= LEAST_LANES and LAST < order <= LARGEST and beside <= MOST_BESIDE
    if not (rows and square and few and source not in program.preserved and fetched_by_rows(program, source)):
        return None
    vector = schedule.width * program.p.compute.bytes
    found, registers = widths(order, schedule.width, vector), Isa.of(vector).registers
    return RowBlocks(order, *found, schedule.width, beside, own in body.diagonal, registers)


def _narrow(lanes: int) -> int:
    """Columns of a narrow block: vectors of a row right of it are half as long as others, or have four elements."""
    return max(COLUMNS, lanes // 2)


def widths(order: int, lanes: int, vector: int) -> tuple[int, int, int]:
    """The columns of the first block, of those between, and of the last, where a ``vector`` has so many bytes. A block
    goes through all that is right of it, so none has one column where others are between it and the last."""
    narrow, wide = _narrow(lanes), min(LAST, lanes)
    columns = narrow if order * (order + narrow) * vector <= LEVEL_1 else wide
    if order <= LAST + columns:
        return order - LAST, wide, LAST
    first = order % columns or columns
    return first + columns * (first == 1), columns, columns
