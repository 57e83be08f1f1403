"""How solvers with vectors across right-hand sides go through X where only run time knows sizes: some matrices
together, so that each tile is chosen once for all, and none waits for its diagonal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from ..ir.partition import any_row_tiles, segments
from ..ir.views import Index, index_text
from .across import Across, SolveTile, Vectors
from .tiles import Loop

MOST_ROWS = 6
"""Rows of X in a tile at most, of which there is one for each number of them."""
FIRST, LAST = "j", "last"
"""The variables that are where the vectors of a tile begin, and where the last one does."""


@dataclass(frozen=True)
class AnySolveTile:
    """A tile of ``size`` rows of X, one of those that there may be up to ``end``."""

    size: int
    end: str
    tile: SolveTile


@dataclass(frozen=True)
class AnyGroup:
    """``size`` vectors of right-hand sides, one of the numbers that there may be up to ``end``, the ``names`` of
    numbers with their C text, and the tiles of X from the top."""

    size: int
    end: str
    names: tuple[tuple[str, str], ...]
    tiles: tuple[AnySolveTile, ...]


@dataclass(frozen=True)
class AnyPass:
    """All right-hand sides by vectors of ``width`` reals, of which there is one at least; ``suffix``: see ``Pass``."""

    width: int
    suffix: str
    groups: tuple[AnyGroup, ...]


@dataclass(frozen=True)
class AnyAcross(Across):
    """How one body solves A X = alpha B in some matrices, with vectors of each width that rows of X may have reals
    for."""

    a: ClassVar[str] = "a"
    inverse: ClassVar[str] = "own"

    @cached_property
    def passes(self) -> tuple[AnyPass, ...]:
        widths = [self.width >> step for step in range(self.width.bit_length())]
        return tuple(AnyPass(w, f"_{w}" * (w < self.width), tuple(self._groups(w))) for w in widths)

    def _groups(self, width: int) -> Iterator[AnyGroup]:
        """Of fewer right-hand sides than fill a wider vector two of this width hold all."""
        rows = self.schedule.rows if width == self.width else min(width, 2)
        for found in any_row_tiles(str(self.body.size["n"]), width, rows):
            columns: list[Index] = [(FIRST, offset) for offset in found.offsets]
            names = [(FIRST, f"v * {width}")]
            if found.latest:
                follows, latest = index_text(columns[-1]), index_text(found.latest)
                names.append((LAST, f"{follows} < {latest} ? {follows} : {latest}"))
                columns[-1] = LAST
            place = Vectors("b", self.body.views[1], tuple(columns))
            most = min(MOST_ROWS, self.schedule.rows * (self.schedule.cols + 1) // len(columns) - 1)
            yield AnyGroup(found.loop.size, found.loop.end, tuple(names), tuple(self._any_tiles(place, most)))

    def _any_tiles(self, place: Vectors, most: int) -> Iterator[AnySolveTile]:
        for one in segments(self.body.size["m"], most):
            row = Loop("i", 0, one.end, one.size, end=one.end)
            yield AnySolveTile(one.size, one.end, self._tile((place,), row))
