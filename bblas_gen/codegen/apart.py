"""What threads share of a divided problem: parts that need no others."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.program import Program
from ..ir.sizes import evaluate

GRAIN = 48
"""Columns of right-hand sides that a thread takes as a unit."""
APART = 4
"""Matrices of a batch from which threads do one each: these wait for one another less often."""
ALONE, BAND = 512, 3
"""The order up to which threads share an operation by parts, beyond by its products: in parts all that is packed is
packed again. Updates of triangles of the least order in a band of rows, which a thread takes as a unit."""
ABREAST = 4
"""Columns in which rows are exchanged at a time: each exchange waits for the one before in its own column, and more
columns share a few lines of a level-1 cache where they lie a power of two apart."""


@dataclass(frozen=True)
class Parts:
    """As C text: the size beside the order of what is divided, how many parts there are, whether those are enough for
    two threads; whether they are of a triangle that is updated, whose rows have nothing to do with one another."""

    long: str
    count: str
    enough: str
    rank: bool


def parts_of(order: str, free: str, *, rank: bool) -> Parts | None:
    """Those along the size ``free``; of an update of ``rank`` k bands of rows; None where there are none."""
    if rank:
        return Parts("k", f"bb_bands({order})", f"bb_bands({order}) > 2", rank)
    enough = f"{free} >= {4 * GRAIN} && {order} >= {GRAIN}"
    return Parts(free, f"bb_units({free})", enough, rank) if free else None


def nanoseconds(program: Program) -> str:
    """The C text of the time that a matrix takes, about."""
    doubles = {name: f"(double){name}" for name in program.spec.unknown}
    flops = evaluate(program.spec.costs[0], program.row.extents(doubles, program.spec.flag))
    return f"({flops}) / 32"
