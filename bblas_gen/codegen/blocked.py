"""What blocked bodies pack: slivers of both factors, in the order in which a tile reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..ir.sizes import product
from ..ir.views import View
from ..schedule.blocked import BlockedSchedule
from ..schedule.schedule import Schedule
from .functions import BodyText


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


def packed(body: BodyText, schedule: Schedule, parts: int) -> tuple[Packed, Packed]:
    """The factors of a product."""
    assert isinstance(schedule, BlockedSchedule)
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


def blocked_context(body: BodyText, schedule: Schedule, parts: int) -> dict[str, Any]:
    """What the templates of blocked bodies see beside those of others."""
    found = packed(body, schedule, parts)
    return {
        "packed": found,
        "steps_of": steps_of,
        "shuffles": parts == 2 or any(x.turned for x in found),
        "widths": sorted({1, schedule.width, *(width for x in found for width in (x.along, x.turned) if width)}),
    }
