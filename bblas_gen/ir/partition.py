"""Index arithmetic: where element (i, j) lies, as C text; how to cut a range into chunks and tiles.

Everything here is plain integers and strings: no jinja, no NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .sizes import Size
from .views import Index, View


@dataclass(frozen=True)
class Segment:
    """``repeats`` steps of ``size`` from ``start``: one loop of the generated code. ``end``: what they are a part of
    ends there, where only run time knows it; then each segment is a step of one of the sizes that there may be."""

    start: int
    size: int
    repeats: int
    end: str = ""

    @property
    def stop(self) -> int:
        return self.start + self.size * self.repeats

    @property
    def last(self) -> int:
        """Where its last step begins."""
        return self.stop - self.size


def segments(total: Size, size: int) -> list[Segment]:
    """[0, total) as one loop of whole steps and one shorter last step; of a total that only run time knows the steps
    that may be, the whole one last."""
    if total == size:
        return [Segment(0, size, 1)]
    if isinstance(total, str):
        return [Segment(0, step, 1, total) for step in range(1, size + 1)]
    whole, rest = divmod(total, size)
    found = [Segment(0, size, whole)] if whole else []
    return [*found, Segment(whole * size, rest, 1)] if rest else found


def remainder(first: int, end: int, size: int) -> Segment:
    """What whole steps from ``first`` leave over of [first, end): a step of less than ``size``, or of none."""
    rest = (end - first) % size
    return Segment(end - rest, rest, 1)


@dataclass(frozen=True)
class Chunk:
    """Vectors of ``width`` reals that begin at ``starts``, in ascending order."""

    width: int
    starts: tuple[int, ...]

    @property
    def end(self) -> int:
        """Where the last one ends."""
        return self.starts[-1] + self.width

    @property
    def gapless(self) -> bool:
        """Whether they follow one another."""
        return all(after - before == self.width for before, after in pairwise(self.starts))

    def at_once(self, most: int) -> int:
        """How many of them a turn of a loop does: all where they are no more than ``most``, or else one."""
        return len(self.starts) if len(self.starts) <= most else 1


def chunks(
    total: int, width: int, *, halves: bool, wanted: Sequence[tuple[int, int]] | None = None
) -> tuple[Chunk, ...]:
    """Cover what is ``wanted`` of [0, total), a list of ranges or all of it, with vectors of at most ``width`` (a power
    of two) reals, never reading past the end; where there can be ``halves`` of vectors, with these too.

    A rest is taken by a vector that overlaps its predecessor (its reals are moved twice, to the same place); what is
    less than a vector by narrower ones.
    """
    unit = width // 2 if halves else width
    if total < unit:
        return chunks(total, unit // 2, halves=False) if total else ()
    last, ranges = total - unit, wanted or [(0, total)]
    found = {s for first, end in ranges for s in range(first // unit * unit, min(end, last + 1), unit)}
    if any(first < total and last < end for first, end in ranges):
        found.add(last)
    whole = {s for s in found if halves and s % width == 0 and s + unit in found}
    rest = found - whole - {s + unit for s in whole}
    return tuple(Chunk(w, tuple(sorted(starts))) for w, starts in ((width, whole), (unit, rest)) if starts)


def moved(total: int, width: int, *, halves: bool) -> int:
    """The reals that the chunks of all of [0, ``total``) move, those of overlaps twice."""
    if not total:
        return 0
    unit = min(width // 2 if halves else width, 1 << total.bit_length() - 1)
    return -(-total // unit) * unit


def butterflies(width: int, parts: int = 1) -> Iterator[tuple[int, list[int], list[int]]]:
    """The stages that transpose ``width`` x ``width`` elements of ``parts`` lanes each, as (distance, low mask, high
    mask), masks over two vectors.

    At each stage rows r and r + distance exchange the halves of their columns; log2(width) stages do it all.
    """
    distance = 1
    while distance < width:
        columns = range(width)
        low = [c if not c & distance else width + c - distance for c in columns]
        high = [c + distance if not c & distance else width + c for c in columns]
        yield distance, _lanes(low, parts), _lanes(high, parts)
        distance *= 2


def exchanges(
    columns: int, width: int, parts: int = 1, *, crossed: bool = False
) -> list[tuple[int, int, list[int], list[int]]]:
    """What transposes, in that number of vectors of ``width`` reals, all ``columns`` x ``columns`` elements of
    ``parts`` reals: (one vector, the other, low mask, high mask) in turn.

    ``crossed``: vectors are two halves of ``columns``, and the rows of the one half are far from those of the other by
    half of these, so that the last stage leaves all vectors in the order of rows: it takes every second quarter.
    """
    stages = [stage for stage in butterflies(width // parts, parts) if stage[0] < columns]
    if crossed:
        quarter = columns // 2
        low = [c for c in range(2 * width) if not c & quarter]
        stages[-1] = (quarter, low, [c + quarter for c in low])
    return [
        (r, r + distance, low, high) for distance, low, high in stages for r in range(columns) if not r // distance % 2
    ]


def _lanes(elements: list[int], parts: int) -> list[int]:
    return [e * parts + part for e in elements for part in range(parts)]


@dataclass(frozen=True)
class RowTile:
    """Tiles of vectors down a column: ``loop`` steps over their first rows, ``offsets`` are the vectors in each. Where
    only run time knows the end, ``loop`` counts vectors, and the last one begins at ``latest`` if not before."""

    loop: Segment
    offsets: tuple[int, ...]
    latest: Index = ""


def row_tiles(reals: int, width: int, rows: int) -> list[RowTile]:
    """Cover a column of ``reals`` with vectors of ``width``, ``rows`` of them to a tile.

    Where ``width`` does not divide ``reals`` the last vector overlaps its predecessor, and both are in one tile.
    """
    vectors = -(-reals // width)
    whole, rest = divmod(reals // width, rows)
    if reals % width and rest == 0 and whole:
        whole -= 1
    found = [RowTile(Segment(0, rows * width, whole), tuple(range(0, rows * width, width)))] if whole else []
    last = [min(vector * width, reals - width) for vector in range(whole * rows, vectors)]
    if last:
        found.append(RowTile(Segment(last[0], width, 1), tuple(start - last[0] for start in last)))
    return found


def any_row_tiles(reals: str, width: int, rows: int) -> list[RowTile]:
    """The same of a column of a vector or more, whose end only run time knows: the tiles that there may be. With three
    ``rows`` or more, or where there is one tile, none but that of a whole column has one vector."""
    vectors = f"({reals} + {width - 1}) / {width}" if width > 1 else reals
    return [
        RowTile(found, tuple(range(0, found.size * width, width)), (reals, -width) if found.size > 1 else "")
        for found in segments(vectors, rows)
    ]


@dataclass(frozen=True)
class Lanes:
    """The lanes of a vector that something is true of."""

    true: tuple[bool, ...]

    @property
    def some(self) -> bool:
        return any(self.true)

    @property
    def every(self) -> bool:
        return all(self.true)

    @property
    def blend(self) -> str:
        """The shuffle of two vectors that takes these lanes from the first, the others from the second."""
        return ", ".join(str(lane if own else lane + len(self.true)) for lane, own in enumerate(self.true))


Which = Callable[[int, int], Lanes]
"""The lanes that count of the vector at a real of a tile's column."""


@dataclass(frozen=True)
class Triangle:
    """A triangle, without its diagonal if that is ``unit``, under vectors of ``width`` reals along columns."""

    lower: bool
    unit: bool
    width: int
    parts: int

    def holds(self, row: int, column: int) -> bool:
        return (row != column or not self.unit) and (row >= column if self.lower else row <= column)

    def vector(self, offset: int, column: int) -> Lanes:
        """The lanes inside of the vector at real ``offset`` of a column."""
        return Lanes(tuple(self.holds((offset + lane) // self.parts, column) for lane in range(self.width)))

    def every(self) -> Which:
        return lambda offset, column: Lanes((True,) * self.width)

    def left(self, step: int) -> Which:
        """What a tile needs of column ``step`` of a left factor that is triangular; both counted from the diagonal."""
        return lambda offset, column: self.vector(offset, step)

    def right(self, step: int) -> Which:
        """What a tile needs of row ``step`` of a right factor that is triangular."""
        return lambda offset, column: Lanes((self.holds(step, column),) * self.width)

    def output(self, first: int) -> Which:
        """What a tile keeps whose columns count from ``first``."""
        return lambda offset, column: self.vector(offset, first + column)

    def meets(self, first: int) -> Which:
        """What it computes for that: whole vectors."""
        return lambda offset, column: Lanes((self.vector(offset, first + column).some,) * self.width)

    def imaginary(self, first: int) -> Which:
        """All lanes but the imaginary parts on the diagonal."""

        def which(offset: int, column: int) -> Lanes:
            rows = [divmod(offset + lane, self.parts) for lane in range(self.width)]
            return Lanes(tuple(part == 0 or row != first + column for row, part in rows))

        return which

    def of_both(self, step: int, columns: int, stored: View, other: View) -> list[View]:
        """Where row ``step`` of a symmetric right factor lies, by columns: in the triangle that is stored, or else."""
        return [stored if self.holds(step, column) else other for column in range(columns)]
