"""How direct bodies go through their products: their tiles, as data (see ``tiles``) that templates print.

``offsets`` count the reals from the first, i, of a row of tiles to its vectors. An index that is known beforehand is a
number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from ..ir.partition import Lanes, RowTile, Segment, Triangle, Which, row_tiles, segments
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
    Pass,
    Product,
    Rows,
    Step,
    Steps,
    Tile,
)

STEP = "l"
"""The variable of loops over k."""
KINDS = ("re", "im")
"""What sums there are of complex types; of others there is the first."""
Ends = Callable[[int], tuple[Index, Index]]
"""The first and the last column that a vector at an offset needs of a factor."""


@dataclass(frozen=True)
class At:
    """Where a tile lies: its vectors from real i, its columns from j."""

    offsets: tuple[int, ...]
    i: Index
    j: Index
    columns: int


@dataclass(frozen=True)
class Direct:
    """How one body goes through its products."""

    body: BodyText
    schedule: Schedule
    parts: int
    halved: bool

    @property
    def width(self) -> int:
        return self.schedule.width

    @cached_property
    def triangle(self) -> Triangle:
        return Triangle(self.body.lower, self.body.unit, self.width, self.parts)

    @cached_property
    def row_tiles(self) -> list[RowTile]:
        return row_tiles(self.body.size["m"] * self.parts, self.width, self.schedule.rows)

    @cached_property
    def panel(self) -> Panel:
        across = self.width // self.parts
        height = self.schedule.rows * self.width
        joined = self.halved and across > 1
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
                where = left.view.vector(v * self.width if left.packed else (at.i, offset), step)
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
                    f"{name} + {view.vector((at.i, offset), (at.j, c))}",
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
        for v, offset in enumerate(tile.offsets):
            first, last = ends(offset)
            row = view.vector((i, offset), STEP)
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
                    stride=self._stride(view.rs),
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
            corner, stride = view.at(row, row), self._stride(view.cs)
            found.append(
                MirrorPack(v * self.width, first, last, f"A + {stored}", f"A + {block}", f"A + {corner}", row, stride)
            )
        return tuple(found)

    def _stride(self, stride: Stride) -> str:
        return f"{stride}{' * 2' if self.parts == 2 else ''}"

    def loops(self, variable: str, found: Sequence[Segment], *, backwards: bool = False) -> Iterator[Loop]:
        """One for each segment, in their order or backwards."""
        for segment in reversed(found) if backwards else found:
            yield Loop(variable, segment.start, segment.stop, segment.size, backwards, len(found) == 1)

    def rows(self, *, backwards: bool = False) -> Iterator[tuple[RowTile, Loop]]:
        """The rows of tiles."""
        tiles = self.row_tiles[::-1] if backwards else self.row_tiles
        return zip(tiles, self.loops("i", [t.loop for t in self.row_tiles], backwards=backwards), strict=True)

    def columns(self, make: Callable[[Index, int], Tile], *, backwards: bool = False) -> tuple[Columns, ...]:
        """The tiles of a row, over all columns."""
        found = self.loops("j", segments(self.body.size["n"], self.schedule.cols), backwards=backwards)
        return tuple(Columns(loop, make(loop.index, loop.step)) for loop in found)


def _blend(lanes: Lanes) -> str:
    return "" if lanes.every else lanes.blend


def general(d: Direct) -> tuple[Pass, ...]:
    """C := alpha L R + beta C."""
    (a, b, c), every = d.body.views, d.triangle.every()
    left = d.factor("A", a)

    def tile(across: RowTile, i: Index, j: Index, columns: int) -> Tile:
        at = At(across.offsets, i, j, columns)
        steps = d.steps(at, left, "B", b, 0, "steps", every, conj=b.conj)
        return Tile(d.sums(at, every), (), steps, (), None, d.outputs(at, "C", c, every))

    rows = []
    for across, loop in d.rows():
        packs = d.pack("A", a, across, loop.index, lambda offset: (0, "steps")) if left.packed else ()
        rows.append(Rows(loop, packs, (), d.columns(partial(tile, across, loop.index))))
    return (Pass(d.body.name, left, (a.conj, b.conj), tuple(rows)),)


def symmetric(d: Direct) -> tuple[Pass, ...]:
    """C := alpha A B + beta C or alpha B A + beta C, A symmetric or Hermitian: on the left it is packed from both sides
    of the diagonal to a panel; on the right elements are read where they lie."""
    (a, b, c), every, lower = d.body.views, d.triangle.every(), d.body.lower
    other = a.transposed().conjugated() if d.body.hermitian else a.transposed()
    left = d.packed if d.body.left else Left("B", b, packed=False)

    def tile(across: RowTile, i: Index, j: Index, columns: int) -> Tile:
        at = At(across.offsets, i, j, columns)
        sums, outputs = d.sums(at, every), d.outputs(at, "C", c, every)
        if d.body.left:
            return Tile(sums, (), d.steps(at, left, "B", b, 0, "steps", every), (), None, outputs)
        first = d.steps(at, left, "A", other if lower else a, 0, j, every)
        diagonal = tuple(
            d.step(
                at,
                left,
                "A",
                d.triangle.of_both(s, columns, a, other),
                (j, s),
                every,
                conj=False,
                real_at=s if d.body.hermitian else -1,
            )
            for s in range(columns)
        )
        after = d.steps(at, left, "A", a if lower else other, (j, columns), d.body.size["n"], every)
        return Tile(sums, (), first, diagonal, after, outputs)

    rows = []
    for across, loop in d.rows():
        mirrors = d.mirror(a, across, loop.index) if d.body.left else ()
        rows.append(Rows(loop, (), mirrors, d.columns(partial(tile, across, loop.index))))
    return (Pass(d.body.name, left, (False, False), tuple(rows)),)


def triangular(d: Direct) -> tuple[Pass, ...]:
    """B := alpha op(A) B or alpha B op(A), A triangular: tiles of B in the order in which none needs what another has
    overwritten. What is zero, or one, is not multiplied with: vectors across the diagonal keep their other lanes."""
    (a, b), every, body = d.body.views, d.triangle.every(), d.body
    left, (right, view) = (d.factor("A", a), ("B", b)) if body.left else (Left("B", b, packed=False), ("A", a))
    backwards = body.left == body.lower
    """Whether the steps of k that a tile needs besides those of the diagonal come before them."""

    def tile(across: RowTile, i: Index, j: Index, columns: int) -> Tile:
        at = At(across.offsets, i, j, columns)
        height = (across.offsets[-1] + d.width) // d.parts
        corner, size, end = (d.row(i), height, body.size["m"]) if body.left else (j, columns, body.size["n"])
        which = d.triangle.left if body.left else d.triangle.right
        diagonal = [d.step(at, left, right, [view] * columns, (corner, s), which(s), conj=False) for s in range(size)]
        first = d.steps(at, left, right, view, 0, corner, every) if backwards else None
        after = None if backwards else d.steps(at, left, right, view, (corner, size), end, every)
        own = [
            (f"re{v}_{c}", f"B + {b.vector((i, offset), (j, c))}")
            for c in range(columns)
            for v, offset in enumerate(across.offsets)
        ]
        starts = tuple(own) if body.unit else ()
        return Tile(d.sums(at, every), starts, first, tuple(diagonal), after, d.outputs(at, "B", b, every))

    rows = []
    for across, loop in d.rows(backwards=backwards):

        def ends(offset: int, i: Index = loop.index) -> tuple[Index, Index]:
            row = d.row(i, offset)
            return (0, (row, d.panel.across)) if backwards else (row, body.size["m"])

        packs = d.pack("A", a, across, loop.index, ends) if left.packed else ()
        rows.append(Rows(loop, packs, (), d.columns(partial(tile, across, loop.index), backwards=backwards)))
    return (Pass(body.name, left, (body.left and a.conj, False), tuple(rows)),)


def rank_k(d: Direct) -> tuple[Pass, ...]:
    """One triangle of C := alpha L R + beta C with R = L' or L*; or first of A with B', then, on top, of B with A'."""
    inputs, body = d.body.views[:-1], d.body
    names = ("A", "B")[: len(inputs)]
    found = []
    for name, view, other, right in zip(names, inputs, names[::-1], inputs[::-1], strict=True):
        r = right.transposed().conjugated() if body.hermitian else right.transposed()
        left = d.factor(name, view)
        rows = []
        for across, loop in d.rows():
            row = partial(_triangle_tile, d, across, loop.index, left, (other, r))
            packs = d.pack(name, view, across, loop.index, lambda offset: (0, "steps")) if left.packed else ()
            rows.append(Rows(loop, packs, (), (*_whole(d, across, loop, row), *_diagonal(d, across, loop, row))))
        function = body.name if len(names) == 1 else f"{body.name}_{name}"
        found.append(Pass(function, left, (view.conj, r.conj), tuple(rows)))
    return tuple(found)


TriangleTile = Callable[..., Tile]


def _triangle_tile(
    d: Direct,
    across: RowTile,
    i: Index,
    left: Left,
    right: tuple[str, View],
    j: Index,
    columns: int,
    first: int,
) -> Tile:
    """A tile that is wholly inside, or (``first`` >= 0) whose columns count so from the diagonal."""
    at, c, t = At(across.offsets, i, j, columns), d.body.views[-1], d.triangle
    inside, meets = (t.every(), t.every()) if first < 0 else (t.output(first), t.meets(first))
    real = t.imaginary(first) if d.body.hermitian and first >= 0 else None
    steps = d.steps(at, left, *right, 0, "steps", meets, conj=right[1].conj)
    return Tile(d.sums(at, meets), (), steps, (), None, d.outputs(at, "C", c, inside, real))


def _whole(d: Direct, across: RowTile, loop: Loop, tile: TriangleTile) -> Iterator[Columns]:
    """Whole tiles; the columns of the last few are no whole tile in an upper triangle that goes on behind this row."""
    n, cols, lower = d.body.size["n"], d.schedule.cols, d.body.lower
    height = (across.offsets[-1] + d.width) // d.parts
    rest, row = n % cols, d.row(loop.index)
    if not (loop.repeats or (loop.first if lower else across != d.row_tiles[-1])):
        return
    found: list[tuple[Index, Index, int]] = (
        [(0, row, cols)] if lower else [((row, height), n - rest, cols), (n - rest, n, rest)]
    )
    for first, last, step in found:
        if before(first, last):
            beside = Loop("j", first, last, step)
            yield Columns(beside, tile(beside.index, step, -1))


def _diagonal(d: Direct, across: RowTile, loop: Loop, tile: TriangleTile) -> Iterator[Columns]:
    """The tiles that meet the diagonal."""
    height, cols = (across.offsets[-1] + d.width) // d.parts, d.schedule.cols
    for first in range(0, height, cols):
        columns = min(cols, height - first)
        j = (d.row(loop.index), first)
        beside = Loop("j", j, (j, columns), columns)
        yield Columns(beside, tile(beside.index, columns, first))


FORMS = {"": general, "symmetric": symmetric, "triangular": triangular, "rank_k": rank_k}
"""By the canonical form of an operation."""
