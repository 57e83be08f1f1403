"""How the lanes of a team share the work on one matrix.

A body is cut into slices where its row tells along which sizes: a lane runs the lane body on every so-many-th row or
column. Others, or those of too few slices, are done by all lanes together where there is a team body. What can neither
is done by one lane.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from math import ceil, prod

from ..ir.canonical import Body
from ..ir.program import Program
from ..ir.terms import Side
from .lane import by_teams, sides
from .words import element_words

WARP = 32
"""Threads of a warp."""
SLICE_WORDS = 64
"""Words of 32 bits of the slice that a lane has in registers at a time."""
PANEL = 4
"""Rows or columns of a panel: two take half as long again, as lanes meet twice as often."""
PANEL_WORDS = 96
"""Words of the rows of a panel that a lane has in registers, beside a row that comes from others."""
PANEL_STRAIGHT = 32
"""Most columns of a panel, whose pivots are straight lines."""
VECTOR = 16
"""Bytes of the widest load and store."""


@dataclass(frozen=True)
class Share:
    """What the lanes do of a body: ``slices``, by size the rows or columns of each, of which there are so many as
    ``counts`` tells, each by a lane; or all of it ``together``, perhaps by such slices, the last row or column of which
    is beyond the matrix where they are ``ragged``, or by panels of so many rows or columns; or a lane does it alone.
    """

    together: bool = False
    panel: int = 0
    slices: Mapping[str, int] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    ragged: bool = False

    @property
    def alone(self) -> bool:
        """Whether one lane does it."""
        return not self.together and not self.slices

    @property
    def pieces(self) -> int:
        """How many slices there are."""
        return prod(self.counts.values()) if self.counts else 0


def share(program: Program, body: Body, lanes: int) -> Share:
    """How ``lanes`` share a body: sliced, but where there is a team body and too few slices for half of them; products
    of whole matrices, which are in its arrays, by tiles. What an algorithm for small orders does is not shared, but
    where it is a team's, too."""
    if body.row.canonical_form == "rank_k":
        return _triangle(program, body, lanes)
    if by_teams(body, program.p.parts) and body.row.indexes and body.row.tile_shape:
        return _products(program, body, lanes)
    found = _sliced(program, body, lanes)
    together = by_teams(body, program.p.parts) and 2 * found.pieces < lanes
    return Share(together=True, panel=min(PANEL, lanes)) if together else found


def _triangle(program: Program, body: Body, lanes: int) -> Share:
    """A triangle in square tiles of one size, of which each has as much to do as all others."""
    words, n = element_words(program), body.size["n"]

    def cost(count: int) -> tuple[bool, float]:
        size = ceil(n / count)
        elements = size * (size + 1) // 2
        return elements * words > SLICE_WORDS, ceil(count**2 / lanes) * (elements + 4 * size)

    count = min(range(1, n + 1), key=cost, default=1)
    size = ceil(n / count)
    return Share(together=True, slices={"n": size}, counts={"n": count}, ragged=size * count != n)


def _products(program: Program, body: Body, lanes: int) -> Share:
    """Whole matrices multiplied with one another, in tiles of which lanes have as many."""
    order = max(1, body.size["n"])
    return replace(_cut({"m": order, "n": order}, element_words(program), lanes), together=True)


def _sliced(program: Program, body: Body, lanes: int) -> Share:
    """Slices that are done in the fewest turns, and load least for each multiplication."""
    size = canonical_sizes(body)
    names = [name for name in body.row.sliced if size[name]]
    if not names:
        return Share()
    return _cut({name: size[name] for name in names}, element_words(program), lanes)


def _cut(size: Mapping[str, int], words: int, lanes: int) -> Share:
    """The slices along these sizes, of elements of so many words."""

    def cost(one: tuple[int, ...]) -> tuple[bool, float]:
        turns = ceil(prod(whole // part for whole, part in zip(size.values(), one, strict=True)) / lanes)
        return prod(one) * words > SLICE_WORDS, turns * (prod(one) + 2 * sum(one))

    parts = min(product(*map(_divisors, size.values())), key=cost)
    slices = dict(zip(size, parts, strict=True))
    return Share(slices=slices, counts={name: size[name] // part for name, part in slices.items()})


def panel_columns(words: int, rows: int, cols: int) -> int:
    """The columns of a panel of which a lane has ``rows`` rows in registers, elements of so many words: all ``cols``,
    where that is small enough for straight lines, else a few at a time."""
    if cols <= PANEL_STRAIGHT and words * rows * cols <= PANEL_WORDS:
        return cols
    return next(few for few in (8, 4, 2, 1) if words * rows * few <= PANEL_WORDS or few == 1)


def handed_bytes(program: Program, lanes: int, matrices: int) -> int:
    """The bytes of shared memory in which bodies that look for pivots hand rows of a panel over, two for each matrix
    and whole vectors, and what warps have found."""
    found, size = 0, program.p.itemsize
    for body in program.bodies:
        if body.row.team and body.row.info and body.row.outputs and "pivot" in program.needs:
            m, n = sides(body, body.row.outputs[0].name)
            cols = panel_columns(element_words(program), ceil(m / lanes), n)
            found += 2 * matrices * (cols * size + VECTOR) + VECTOR * ceil(lanes / WARP)
    return found


def canonical_sizes(body: Body) -> dict[str, int]:
    """The sizes of a body in its canonical case."""
    size = dict(body.size)
    if body.flag.get("side") is Side.R:
        size["m"], size["n"] = size["n"], size["m"]
    return size


def _divisors(size: int) -> list[int]:
    return [part for part in range(1, size + 1) if size % part == 0]
