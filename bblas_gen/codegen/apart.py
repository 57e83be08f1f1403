"""What threads share of a divided problem: parts that need no others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..ir.program import Program
from ..ir.sizes import evaluate
from ..schedule.recursive import RecursiveSchedule

GRAIN = 48
"""Columns of right-hand sides that a thread takes as a unit."""
APART = 4
"""Matrices of a batch from which threads do one each: these wait for one another less often."""
ALONE, BAND = 2048, 3
"""The order up to which threads share an operation by parts, beyond by its products: in parts all that is packed is
packed again. Updates of triangles of the least order in a band of rows, which a thread takes as a unit."""
LEAST_PRODUCT, LEAST_EXCHANGE = 4, 32
"""The parts of the least step that threads share from which they share a product, whose rows need no others, and an
exchange of rows, of elements."""
ABREAST = 4
"""Columns in which rows are exchanged at a time: each exchange waits for the one before in its own column, and more
columns share a few lines of a level-1 cache where they lie a power of two apart."""
EVEN = 16
"""Halves of a triangle are done at once where the second has all but one of so many parts of the first's order."""


@dataclass(frozen=True)
class Parts:
    """As C text: products of elements in all, how many parts there are, whether those are enough for two threads. They
    may be of a triangle that is updated: of ``rank`` k, by rows, of which none needs others."""

    work: str
    count: str
    enough: str
    rank: bool


def parts_of(order: str, free: str, *, rank: bool) -> Parts | None:
    """Those along the size ``free``; of an update of ``rank`` k bands of rows; None where there are none."""
    if rank:
        return Parts(_work(order, "k"), f"bb_bands({order})", f"bb_bands({order}) > 2", rank)
    enough = f"{free} >= {4 * GRAIN} && {order} >= {GRAIN}"
    return Parts(_work(order, free), f"bb_units({free})", enough, rank) if free else None


def _work(order: str, beside: str) -> str:
    return f"(double){order} * (double){order} * (double){beside}"


def nanoseconds(program: Program) -> str:
    """The C text of the time that a matrix takes, about."""
    doubles = {name: f"(double){name}" for name in program.spec.unknown}
    flops = evaluate(program.spec.costs[0], program.row.extents(doubles, program.spec.flag))
    return f"({flops}) / 32"


def apart_context(schedule: RecursiveSchedule) -> dict[str, Any]:
    """What the templates of divided problems see of this."""
    return {
        "grain": GRAIN,
        "apart": APART,
        "alone": ALONE,
        "band": BAND * schedule.corner,
        "least_product": schedule.least / LEAST_PRODUCT,
        "least_exchange": schedule.least // LEAST_EXCHANGE,
        "columns_abreast": ABREAST,
        "even": EVEN,
    }
