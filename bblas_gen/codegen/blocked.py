"""What blocked bodies pack: slivers of both factors, in the order in which a tile reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..ir.sizes import product
from ..ir.views import View
from ..schedule.blocked import BlockedSchedule
from ..schedule.lane import LINE
from ..schedule.schedule import Schedule
from .functions import BodyText

AHEAD = 8
"""Steps of k by which slivers are prefetched: both together do not stay in a level-1 cache."""
TOGETHER = 16
"""Slivers that are packed together where neighbours are neighbours in memory: a column of them is read at once."""


@dataclass(frozen=True)
class Pairs:
    """Two vectors of ``width`` reals: of pairs of real and imaginary parts, or one of each part. ``parted`` has what
    the second are made of, ``joined`` what the first are."""

    width: int

    @property
    def parted(self) -> tuple[range, range]:
        return range(0, 2 * self.width, 2), range(1, 2 * self.width, 2)

    @property
    def joined(self) -> tuple[list[int], list[int]]:
        both = [x for q in range(self.width) for x in (q, q + self.width)]
        return both[: self.width], both[self.width :]


@dataclass(frozen=True)
class Packed:
    """A factor whose slivers are ``size`` rows or columns, ``what``. ``along``: the vectors that move neighbours in a
    sliver, where these are neighbours in memory; ``turned``: those that are transposed, where steps of k are; else 0.
    ``conj``: conjugates are packed."""

    what: str
    size: int
    along: int
    turned: int
    conj: bool

    @property
    def starts(self) -> range:
        """Where its vectors begin."""
        return range(0, self.size, self.along or self.turned)

    @property
    def parted(self) -> tuple[range, range]:
        return Pairs(self.along).parted


def packed(body: BodyText, schedule: BlockedSchedule, parts: int) -> tuple[Packed, Packed]:
    """The factors of a product."""
    left, right = body.views[0], body.views[1].transposed()
    return (
        _packed("rows", schedule.mr, schedule.width, left, parts),
        _packed("columns", schedule.nr, schedule.width, right, parts),
    )


def _packed(what: str, size: int, width: int, view: View, parts: int) -> Packed:
    vector = min(size, width)
    along = vector if view.unit_rows and (parts == 1 or vector > 1) else 0
    turned = vector if view.cs == 1 and parts == 1 else 0
    return Packed(what, size, along, turned, view.conj)


def steps_of(view: View) -> str:
    """The C text of the reals from a row to the next, and from a column."""
    return ", ".join(str(product(stride, view.factor)) for stride in (view.rs, view.cs))


def _given(body: BodyText) -> str:
    """The arguments behind the sides of C."""
    a, b, c = map(steps_of, body.views)
    return f"{body.size['k']}, alpha, A, {a}, B, {b}, beta, C, {c}, rows, columns"


def _lines(reals: int, real_bytes: int) -> list[int]:
    """Reals of a column in each of its cache lines, wherever it begins."""
    return [*range(0, reals, LINE // real_bytes), reals - 1]


def blocked_context(body: BodyText, schedule: Schedule, parts: int, real_bytes: int) -> dict[str, Any]:
    """What the templates of blocked bodies see beside those of others."""
    assert isinstance(schedule, BlockedSchedule)
    found, column = packed(body, schedule, parts), schedule.mr * parts
    slivers = {"a": column, "b": schedule.nr * parts}
    return {
        "packed": found,
        "given": _given(body),
        "fetched": [(x, range(AHEAD * step, (AHEAD + 1) * step, LINE // real_bytes)) for x, step in slivers.items()],
        "heights": [(rows, _lines(rows * schedule.width * parts, real_bytes)) for rows in range(schedule.rows, 0, -1)],
        "packed_together": TOGETHER,
        "vector_pairs": Pairs(schedule.width),
        "shuffles": parts == 2 or any(x.turned for x in found),
        "widths": sorted({1, schedule.width, *(width for x in found for width in (x.along, x.turned) if width)}),
    }
