"""How factorizations go through matrices that lie by themselves without bringing all of them to lanes: their tiles, by
a model of issue slots.

*hybrid*: blocks on the diagonal of a vector of matrices go to lanes, where pivots are; what is left of them is solved
where it lies, by vectors of rows, in one matrix after another. Rows that are contiguous are transposed for it.
Right-hand sides are in lanes, and go along.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..ir.canonical import Body, canonical_lane
from ..ir.program import Program
from ..ir.targets import SCRATCH, Isa
from ..ir.terms import Strides
from ..ir.views import View

LEAST_BYTES = 32
"""Bytes of a vector at least: it is joined of halves."""
LEAST_ROWS = 8
"""Rows of a block at least: two vectors of 4."""
LANE_TILE = 4
"""Rows and columns of a tile in lanes."""
ISSUE = {64: 2.2, 32: 1.58}
"""Cycles of a cycle of products by the bytes of a vector: with loads, and latency that is not hidden."""
BLOCK = {64: 34, 32: 20}
"""Cycles of a block beside its elements: its pivots, its loops; by the bytes of a vector."""
MOVED = 0.03
"""Cycles for each byte that is brought to lanes or transposed, and back."""
COPIED = 0.01
"""Cycles for each byte that is copied before; lanes are copies."""
PANEL = 10
"""Cycles of a panel to which rows are transposed beside its elements."""
LANE_ISSUE, LANE_MOVED, FAST = 0.82, 0.08, 96 << 10
"""The same where all goes to lanes, and the bytes of scratch that double it."""
WORTH = 1.05
"""What the form must gain to be taken instead of lanes."""


def factors(program: Program) -> bool:
    """Whether all that a kernel does is to factor real matrices that lie by themselves, perhaps to solve with them.
    A sequence has sizes of its own."""
    forms = all("hybrid" in body.row.algorithms for body in program.in_form("hybrid").bodies)
    return (
        forms
        and not program.row.composed
        and program.separate
        and not program.p.complex
        and program.spec.strides is not Strides.RS
    )


def in_columns(program: Program, body: Body) -> bool:
    """Whether columns of the lower triangle are contiguous, not rows."""
    order = View(1, 2).transposed() if program.spec.strides.row_major else View(1, 2)
    return canonical_lane(body, dict.fromkeys(body.operands, order), is_complex=False).views[0].unit_rows


def possible(program: Program, width: int, rows: int, cols: int) -> bool:
    """Whether there is more than one block on the diagonal, of so many vectors that are joined of halves, and whole
    tiles in it; and no right-hand side, or what goes to lanes with them is no more than a lane kernel may have."""
    wide, size = width * program.p.compute.bytes >= LEAST_BYTES, rows * width
    (n, nrhs), solves = _sizes(program.spec.size), "nrhs" in program.spec.size
    fits = not solves or (nrhs > 0 and n * (size + 2 * nrhs) * width * program.p.compute.bytes <= SCRATCH)
    return factors(program) and wide and fits and size % cols == 0 and n > size


def tiles(program: Program, isa: Isa) -> Iterator[tuple[float, tuple[int, int, int], int]]:
    """Cycles of a matrix; the vector width, vectors in a block's height and columns in a tile left of it; how often
    loops are unrolled."""
    width = isa.simd_bytes // program.p.compute.bytes
    rows = max(1, LEAST_ROWS // width)
    cols = width
    if possible(program, width, rows, cols):
        own = program.in_form("hybrid")
        cycles = sum(_cycles(program, body, width, rows) for body in own.bodies)
        copied = sum(body.size["m"] * body.size["n"] for body in own.moves if body.row.copies)
        yield (cycles + COPIED * copied * program.p.itemsize) * WORTH, (width, rows, cols), 2


def lane_cycles(program: Program, width: int, scratch: int) -> float:
    """Cycles of a matrix in a kernel of lanes: its arithmetic, and moving its triangle through ``scratch`` bytes."""
    n, nrhs = _sizes(program.spec.size)
    moved = n * (n + width / 2 + 2 * nrhs) * program.p.compute.bytes
    products = n**3 / 6 + n**2 * nrhs
    return float((LANE_ISSUE * products / 2 / width + LANE_MOVED * moved) * min(1.7, 1 + scratch / FAST))


def _sizes(size: Mapping[str, Any]) -> tuple[int, int]:
    """The order of a matrix, and its right-hand sides."""
    return size["n"], size.get("nrhs", 0)


def _cycles(program: Program, body: Body, width: int, rows: int) -> float:
    """Cycles of a matrix by blocks: what is left of each is solved, and transposed where rows are contiguous, then the
    block is reduced and moved. Rows of right-hand sides are moved too, reduced and solved, twice; on the way back what
    is left of a block is what was below others, which goes to lanes where columns are contiguous."""
    (n, nrhs), real, size = _sizes(body.size), program.p.compute.bytes, rows * width
    packed, found = not in_columns(program, body), 0.0
    for left in (0, *range(n % size or size, n, size)):
        products = rows * left * (left + 1) / 2 + rows * (rows + 1) / 2 * width * left
        products += (2 * left + size) * rows * nrhs
        lines = 0.75 * size + left * packed + nrhs * (1 + 2 * packed)
        if nrhs and left:
            lines += left / 2 if not packed else nrhs
            lines += nrhs
        found += ISSUE[width * real] * products / 2 + BLOCK[width * real]
        found += PANEL * (left > 0) * packed + MOVED * size * lines * 2 * real
    return found
