"""What blocked bodies pack: slivers of both factors, in the order in which a tile reads them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..ir.program import Program
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
    ``conj``: conjugates are packed. Of a symmetric one, ``hermitian`` or not, one triangle is stored, ``before`` the
    diagonal in a sliver's steps or behind it; ``mirrored`` is how the other one is packed."""

    what: str
    size: int
    along: int
    turned: int
    conj: bool
    parts: int
    strides: tuple[str, str] = ("step", "next")
    mirrored: Packed | None = None
    before: bool = False
    hermitian: bool = False

    @property
    def name(self) -> str:
        """The function that packs it has this in its name."""
        return self.what if self.strides[0] == "step" else f"{self.what}_mirrored"

    @property
    def sliver(self) -> int:
        """Reals of a step."""
        return self.size * self.parts

    @property
    def sides(self) -> tuple[Packed, Packed]:
        """How a symmetric one is packed before the diagonal, and behind it."""
        assert self.mirrored
        return (self, self.mirrored) if self.before else (self.mirrored, self)

    @property
    def starts(self) -> range:
        """Where its vectors begin."""
        return range(0, self.size, self.along or self.turned)

    @property
    def parted(self) -> tuple[range, range]:
        return Pairs(self.along or self.turned).parted


def factors(body: BodyText) -> tuple[int, int]:
    """The numbers of the operands that are the left and the right factor."""
    return (0, 1) if body.left else (1, 0)


def packed(program: Program, body: BodyText, schedule: BlockedSchedule) -> tuple[Packed, Packed]:
    """The factors of a product. Columns are packed as rows of the transpose; what is symmetric is the first operand."""
    (left, right), parts = factors(body), program.p.parts
    sides = (
        ("rows", schedule.mr, body.views[left], body.lower),
        ("columns", schedule.nr, body.views[right].transposed(), not body.lower),
    )
    found = [_packed(what, size, schedule.width, view, parts) for what, size, view, _ in sides]
    if program.row.canonical_form == "symmetric":
        what, size, view, before = sides[left]
        turned = view.transposed().conjugated() if body.hermitian else view.transposed()
        other = replace(_packed(what, size, schedule.width, turned, parts), strides=("next", "step"))
        found[left] = replace(found[left], mirrored=other, before=before, hermitian=body.hermitian)
    return found[0], found[1]


def _packed(what: str, size: int, width: int, view: View, parts: int) -> Packed:
    vector = min(size, width)
    most = vector if parts == 1 or vector > 1 else 0
    return Packed(what, size, most if view.unit_rows else 0, most if view.cs == 1 else 0, view.conj, parts)


def steps_of(view: View) -> str:
    """The C text of the reals from a row to the next, and from a column."""
    return ", ".join(str(product(stride, view.factor)) for stride in (view.rs, view.cs))


def _given(body: BodyText) -> str:
    """The arguments behind the sides of C."""
    left, right = (f"{'AB'[x]}, {steps_of(body.views[x])}" for x in factors(body))
    return f"{body.size['k']}, alpha, {left}, {right}, beta, C, {steps_of(body.views[2])}, rows, columns"


def _lines(reals: int, real_bytes: int) -> list[int]:
    """Reals of a column in each of its cache lines, wherever it begins."""
    return [*range(0, reals, LINE // real_bytes), reals - 1]


def blocked_context(program: Program, body: BodyText, schedule: Schedule) -> dict[str, Any]:
    """What the templates of blocked bodies see beside those of others."""
    assert isinstance(schedule, BlockedSchedule)
    parts, real_bytes = program.p.parts, program.p.compute.bytes
    found, column = packed(program, body, schedule), schedule.mr * parts
    ways = [y for x in found for y in (x, x.mirrored) if y]
    slivers = {"a": column, "b": schedule.nr * parts}
    return {
        "packed": found,
        "symmetric": any(x.mirrored for x in found),
        "turned_by": sorted({x.turned for x in ways if x.turned}),
        "given": _given(body),
        "speed": 16 // parts**2,
        "fetched": [(x, range(AHEAD * step, (AHEAD + 1) * step, LINE // real_bytes)) for x, step in slivers.items()],
        "heights": [(rows, _lines(rows * schedule.width * parts, real_bytes)) for rows in range(schedule.rows, 0, -1)],
        "packed_together": TOGETHER,
        "vector_pairs": Pairs(schedule.width),
        "shuffles": parts == 2 or any(x.turned for x in ways),
        "widths": sorted({1, schedule.width, *(width for x in ways for width in (x.along, x.turned) if width)}),
    }
