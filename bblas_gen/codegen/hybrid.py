"""How a factorization goes through a vector of matrices that lie by themselves, by blocks of rows: data that a template
prints.

Blocks on the diagonal go to lanes. What is left of them is solved where it lies, by vectors of a block's rows, in one
matrix after another; where rows are contiguous it is transposed to a panel and back. The first block takes what whole
ones leave over, so that all vectors are whole. Right-hand sides may go along (see ``beside``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ..ir.partition import Lanes
from ..ir.views import Index, View, before, index_text
from ..schedule.schedule import Schedule
from .across import Solved
from .beside import DONE, Beside, Stores, Taken
from .functions import BodyText
from .tiles import Factor, Loop, Product, Step, Steps


@dataclass(frozen=True)
class Lines:
    """Contiguous lines, those of ``loop``, of a block on the diagonal: vectors of so many reals, where they begin in a
    matrix, and in lanes."""

    loop: Loop
    vectors: tuple[tuple[int, str, str], ...]


@dataclass(frozen=True)
class Solving:
    """Columns left of a block on the diagonal, of one matrix: what lies there (name, address), the steps over columns
    that are done, the columns one after another. Where ``touches`` holds, the first lane of ``beside`` is beside the
    first pivot, before it is scaled."""

    loop: Loop
    starts: tuple[tuple[str, str], ...]
    steps: Steps | None
    columns: tuple[Solved, ...]
    beside: str
    touches: str


@dataclass(frozen=True)
class Reduced:
    """A block on the diagonal of one matrix, before it goes to lanes, with its ``sums``: the steps over
    columns left of it, and the last of them, which leaves the first pivot out."""

    sums: Stores
    steps: Steps
    last: Step


@dataclass(frozen=True)
class Below:
    """The blocks below one on the diagonal, from the last: their ``lines``, which go to lanes."""

    loop: Loop
    lines: Lines


@dataclass(frozen=True)
class RowBlock:
    """A block of ``size`` rows: the ``lines`` on the diagonal that go to lanes; what is ``solved`` left of it before,
    and how it is ``reduced`` by that, if anything is. Right-hand sides are reduced with it, or by what is ``taken``; on
    the way back they lose what is ``below`` it, in lanes, or ``returned`` to matrices."""

    loop: Loop
    size: int
    lines: tuple[Lines, ...]
    solved: tuple[Solving, ...]
    reduced: Reduced | None
    taken: tuple[Taken, ...]
    below: Below | None
    returned: tuple[Taken, ...]

    @property
    def back(self) -> Loop:
        """Its loop, backwards."""
        return replace(self.loop, backwards=True)


@dataclass(frozen=True)
class Hybrid:
    """How one body goes through its matrices, in vectors of so many ``bytes``."""

    body: BodyText
    schedule: Schedule
    bytes: int

    @property
    def width(self) -> int:
        return self.schedule.width

    @property
    def size(self) -> int:
        """Rows of a whole block."""
        return self.schedule.rows * self.width

    @cached_property
    def order(self) -> int:
        found: int = self.body.size["n"]
        return found

    @cached_property
    def view(self) -> View:
        return self.body.views[0]

    @property
    def packed(self) -> bool:
        """Whether rows are contiguous, and transposed."""
        return not self.view.unit_rows

    @property
    def vectors(self) -> tuple[tuple[str, int], ...]:
        """Of each vector of a block's rows what is added to the pointers to its rows, as C text, and where it begins in
        the panel."""
        starts = range(0, self.size, self.width)
        return tuple((f" + {start}" if start else "", start * self.order) for start in starts)

    @property
    def remainder(self) -> int:
        """The reals of a vector, or half of one, that moves the columns beyond whole ones to the panel, if there are
        any: it ends with them where it can, as a vector that another overlaps waits for both."""
        beyond, half = self.order % self.width, self.width // 2
        return (half if beyond <= half else self.width) if beyond else 0

    def last(self, k: Index) -> str:
        """Where it begins, of k columns."""
        if isinstance(k, int):
            return str(max(0, k - self.remainder))
        return f"{index_text(k)} < {self.remainder} ? 0 : {index_text((k, -self.remainder))}"

    @property
    def lanes(self) -> View:
        """A block on the diagonal in lanes: its lines one after another."""
        lines = View(1, self.size, self.width, self.width)
        return lines.transposed() if self.packed else lines

    def at(self, k: Index) -> str:
        """Where the block on the diagonal at k begins, where lanes of all blocks are kept."""
        return View(self.size * self.width, 0).at(k, 0)

    @property
    def inverses(self) -> View:
        """The inverses of the pivots of a block, in lanes."""
        return View(self.width, 0)

    @property
    def line(self) -> str:
        """The distance of rows, where these are contiguous."""
        return self.view.at(1, 0)

    @cached_property
    def blocks(self) -> tuple[RowBlock, ...]:
        n, first = self.order, self.order % self.size or self.size
        return tuple(map(self._block, (Loop("k", 0, first, first), Loop("k", first, n, self.size))))

    def _block(self, loop: Loop) -> RowBlock:
        k, size = loop.index, loop.step
        lines = tuple(self._lines(k, size, first) for first in range(0, size, self.width // 2))
        below, returned = self._below(loop), self._returned(loop)
        if not before(0, k):
            return RowBlock(loop, size, lines, (), None, (), below, returned)
        cols = self.schedule.cols
        first = self.order % cols
        loops = [Loop("c", 0, first, first)] * (first > 0) + [Loop("c", first, k, cols)] * before(first, k)
        solved = tuple(self._solving(k, one) for one in loops)
        return RowBlock(loop, size, lines, solved, *self._reduced(k), below, returned)

    def _lines(self, k: Index, size: int, first: int) -> Lines:
        """Half a vector of lines, of which all vectors and halves that meet the triangle are moved."""
        half = self.width // 2
        at, end = (0, first + half) if self.packed else (first, -(-size // half) * half)
        vectors = []
        while at < end:
            width = self.width if at % self.width == 0 and at + self.width <= end else half
            start = self._along(k, 0, at)
            there = f"{self.view.at(*start)} + {self.view.at(*self._along(0, 'c', 0))}"
            vectors.append((width, there, self.lanes.at(*self._along(0, "c", at))))
            at += width
        return Lines(Loop("c", first, min(first + half, size), 1), tuple(vectors))

    def _along(self, k: Index, line: Index, at: int) -> tuple[Index, Index]:
        """Row and column of real ``at`` of a line of the block that begins at k."""
        there = (k, at) if k else at
        own = line if not k else (k, line) if isinstance(line, int) else line
        return (own, there) if self.packed else (there, own)

    def _solving(self, k: Index, loop: Loop) -> Solving:
        c, columns = loop.index, range(loop.step)
        names = [self._names(q) for q in columns]
        places = [[self._left(k, v, (c, q)) for v in range(self.schedule.rows)] for q in columns]
        stores = [tuple(zip(some, there, strict=True)) for some, there in zip(names, places, strict=True)]
        loads = tuple((f"x{v}", self._left(k, v, DONE)) for v in range(self.schedule.rows))
        vectors = [name for name, _ in loads]
        step = Step(loads, tuple(self._lost(q, self._element((c, q), DONE), names[q], vectors) for q in columns))

        def solved(p: int) -> Solved:
            lost = (self._lost(q, self._element((c, q), (c, p)), names[q], names[p]) for q in columns[p + 1 :])
            inverse = f"inverse[{self.inverses.at((c, p), 0)} + m]"
            return Solved(names[p], inverse, stores[p], Step((), tuple(lost)))

        return Solving(
            loop,
            tuple(start for some in stores for start in some),
            Steps(0, c, step) if before(0, c) else None,
            tuple(map(solved, columns)),
            names[-1][0],
            f"{index_text((c, loop.step))} == {index_text(k)}",
        )

    @cached_property
    def beside(self) -> Beside | None:
        """The right-hand sides that go along, if there are any."""
        count = self.body.size.get("nrhs", 0)
        view = View(1, self.order, self.width, self.width) if self.copied else self.body.views[-1]
        return Beside(view, count, self.size, self.width, self.bytes) if count else None

    @property
    def copied(self) -> bool:
        """Whether columns of right-hand sides in lanes are not together, and are copied."""
        return not self.body.views[-1].unit_rows

    def _below(self, loop: Loop) -> Below | None:
        """Where columns are contiguous, whole blocks at r and the columns of ``loop``."""
        rows = Loop("r", (loop.index, loop.step), self.order, self.size, backwards=True)
        if not self.beside or self.packed or not before(rows.first, rows.last):
            return None
        there = f"{self.view.at(rows.index, loop.index)} + {self.view.at(0, 'c')}"
        starts = range(0, self.size, self.width)
        vectors = tuple((self.width, f"{there} + {at}", self.lanes.at(at, "c")) for at in starts)
        return Below(rows, Lines(Loop("c", 0, loop.step, 1), vectors))

    def _returned(self, loop: Loop) -> tuple[Taken, ...]:
        """Where rows are contiguous, vectors of the columns of ``loop``, of all rows below them."""
        k, first = loop.index, (loop.index, loop.step)
        if not self.beside or not self.packed or not before(first, self.order):
            return ()
        loads = tuple(
            (f"x{v}", f"a + {self.view.at(DONE, (k, at))}") for v, at in enumerate(range(0, loop.step, self.width))
        )
        return self.beside.taken(loop.step, first, self.order, loads, backwards=True)

    def _reduced(self, k: Index) -> tuple[Reduced, tuple[Taken, ...]]:
        """The block on the diagonal, with right-hand sides where there are registers for them; else these apart."""
        alone = self._reduced_alone(k)
        if not self.beside:
            return alone, ()
        count, loads = self.beside.at_once(len(alone.sums)), alone.last.loads
        if not count:
            return alone, self.beside.taken(self.size, 0, k, alone.steps.step.loads, backwards=False)
        step, last = (
            replace(one, factors=(*one.factors, *self.beside.lost(0, count, column, loads)))
            for one, column in ((alone.steps.step, DONE), (alone.last, (k, -1)))
        )
        sums = (*alone.sums, *self.beside.sums(0, count, self.size))
        return Reduced(sums, replace(alone.steps, step=step), last), ()

    def _reduced_alone(self, k: Index) -> Reduced:
        lanes = range(self.width)
        stores = []
        for q in range(self.size):
            for v in self._inside(q):
                own = Lanes(tuple((x <= q) if self.packed else (x >= q) for x in (v * self.width + y for y in lanes)))
                address = f"a + {self.view.at(*self._along(k, q, v * self.width))}"
                stores.append((f"c{q}_{v}", address, "" if own.every else own.blend))
        others = Lanes(tuple(lane > 0 for lane in lanes)).blend
        return Reduced(tuple(stores), Steps(0, (k, -1), self._step(k, DONE)), self._step(k, (k, -1), others))

    def _step(self, k: Index, column: Index, first: str = "") -> Step:
        """What the block on the diagonal loses to a column left of it; its first vector in the lanes of ``first``."""
        loads = tuple((f"x{v}", self._left(k, v, column)) for v in range(self.schedule.rows))
        vectors = [[name for v, (name, _) in enumerate(loads) if v in self._inside(q)] for q in range(self.size)]
        return Step(
            loads,
            tuple(
                self._lost(q, self._row(k, q, column), [f"c{q}_{v}" for v in self._inside(q)], some, "" if q else first)
                for q, some in enumerate(vectors)
            ),
        )

    def _inside(self, q: int) -> range:
        """The vectors of line ``q`` of a block that meet the triangle."""
        return range(q // self.width + 1) if self.packed else range(q // self.width, self.schedule.rows)

    def _names(self, q: int) -> tuple[str, ...]:
        return tuple(f"c{q}_{v}" for v in range(self.schedule.rows))

    @staticmethod
    def _lost(q: int, element: str, sums: Sequence[str], vectors: Sequence[str], first: str = "") -> Factor:
        """What sums lose to ``vectors`` times an element, the first of them in some lanes, if not in all."""
        pairs = enumerate(zip(sums, vectors, strict=True))
        return Factor(f"a{q}", element, tuple(Product(c, "-", x, "" if v else first) for v, (c, x) in pairs))

    def _element(self, i: Index, j: Index) -> str:
        return f"a[{self.view.at(i, j)}]"

    def _left(self, k: Index, v: int, column: Index) -> str:
        """Where vector ``v`` of a column left of the block at k begins."""
        if self.packed:
            return f"P + {self._panel(v, column)}"
        return f"a + {self.view.at((k, v * self.width), column)}"

    def _row(self, k: Index, q: int, column: Index) -> str:
        """An element of row ``q`` left of the block at k."""
        if not self.packed:
            return self._element((k, q), column)
        v, lane = divmod(q, self.width)
        return f"P[{self._panel(v, column)} + {lane}]"

    def _panel(self, v: int, column: Index) -> str:
        """In the panel rows of a vector have their columns together."""
        return View(self.order * self.width, self.width).at(v, column)
