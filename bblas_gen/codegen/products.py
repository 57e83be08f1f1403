"""How direct bodies go through their products, by the canonical form of an operation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from ..ir.partition import RowTile
from ..ir.views import Index, View, before
from .coming import to_come
from .direct import FIRST, At, Direct
from .tiles import Columns, Left, Loop, Pass, Rows, Tile
from .turned import is_turned, turned


def general(d: Direct) -> tuple[Pass, ...]:
    """C := alpha L R + beta C."""
    (a, b, c), every = d.body.views, d.triangle.every()
    names = ("a", "b", "to") if d.line else "ABC"

    def tile(d: Direct, left: Left, across: RowTile, i: Index, j: Index, columns: int) -> Tile:
        at = d.at(across, i, j, columns)
        steps = d.steps(at, left, names[1], b, 0, "steps", every, conj=b.conj)
        known, fetched = to_come(d, at, d.most(across), left, names[1], b)
        steps = replace(steps, fetched=fetched) if steps else None
        return Tile(d.sums(at, every), (), steps, (), None, d.outputs(at, names[2], c, every), known)

    found = []
    for each in d.widths:
        rows, left = [], each.factor(names[0], a)
        for across, loop in each.rows():
            i = FIRST if loop.end else loop.index
            packs = each.pack(names[0], a, across, i, lambda offset: (0, "steps")) if left.packed else ()
            columns = each.columns(partial(tile, each, left, across, i), most=each.most(across))
            if is_turned(each, columns):
                packs, columns = (), _turned(each, across, i, columns[0])
            rows.append(Rows(loop, packs, (), columns, tuple(each.names(across, loop))))
        suffix = f"_{each.width}" if each.narrow else ""
        by_blocks = any(row.columns[0].tile.turned for row in rows)
        found.append(Pass(d.body.name, left, (a.conj, b.conj), tuple(rows), each.width, each.panel, suffix, by_blocks))
    return tuple(found)


def _turned(d: Direct, across: RowTile, i: Index, columns: Columns) -> tuple[Columns, ...]:
    """The same without a panel."""
    a, b, _ = d.body.views
    at = d.at(across, i, columns.loop.index, columns.size)
    return (replace(columns, tile=replace(columns.tile, before=None, turned=turned(d, at, a, b))),)


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
    return (Pass(d.body.name, left, (False, False), tuple(rows), d.width, d.panel),)


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
    return (Pass(body.name, left, (body.left and a.conj, False), tuple(rows), d.width, d.panel),)


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
        found.append(Pass(function, left, (view.conj, r.conj), tuple(rows), d.width, d.panel))
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
