"""How factorizations go through matrices that lie by themselves without bringing all of them to lanes: their tiles, by
a model of issue slots.

*hybrid*: blocks on the diagonal of a vector of matrices go to lanes, where pivots are; what is left of them is solved
where it lies, by vectors of rows, in one matrix after another. Rows that are contiguous are transposed for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir.canonical import Body, canonical_lane
from ..ir.program import Program
from ..ir.targets import Isa
from ..ir.terms import Strides
from ..ir.views import View

LEAST_BYTES = 32
"""Bytes of a vector at least: it is joined of halves."""
LEAST_ROWS = 8
"""Rows of a block at least: two vectors of 4."""
LANE_TILE = 4
"""Rows and columns of a tile in lanes."""
ISSUE = {64: 1.85, 32: 1.28}
"""Cycles of a cycle of products by the bytes of a vector: with loads, and latency that is not hidden."""
BLOCK = 20
"""Cycles of a block beside its elements: its pivots, its loops."""
MOVED = 0.048
"""Cycles for each byte that is brought to lanes or transposed, and back."""
PANEL = 15
"""Cycles of a panel to which rows are transposed beside its elements."""
LANE_ISSUE, LANE_MOVED, FAST = 0.52, 0.087, 96 << 10
"""The same where all goes to lanes, and the bytes of scratch that double it."""
WORTH = 1.07
"""What the form must gain to be taken instead of lanes."""


def factors(program: Program) -> bool:
    """Whether all that a kernel does is to factor real matrices that lie by themselves."""
    forms = all("hybrid" in body.row.algorithms for body in program.bodies)
    return forms and program.separate and not program.p.complex and program.spec.strides is not Strides.RS


def in_columns(program: Program, body: Body) -> bool:
    """Whether columns of the lower triangle are contiguous, not rows."""
    order = View(1, 2).transposed() if program.spec.strides.row_major else View(1, 2)
    return canonical_lane(body, dict.fromkeys(body.operands, order), is_complex=False).views[0].unit_rows


def possible(program: Program, width: int, rows: int, cols: int) -> bool:
    """Whether there is more than one block on the diagonal, of so many vectors that are joined of halves, and whole
    tiles in it."""
    wide = width * program.p.compute.bytes >= LEAST_BYTES
    whole = rows * width % cols == 0 and all(body.size["n"] > rows * width for body in program.bodies)
    return factors(program) and wide and whole


def tiles(program: Program, isa: Isa) -> Iterator[tuple[float, tuple[int, int, int], int]]:
    """Cycles of a matrix; the vector width, vectors in a block's height and columns in a tile left of it; how often
    loops are unrolled."""
    width = isa.simd_bytes // program.p.compute.bytes
    rows = max(1, LEAST_ROWS // width)
    cols = width
    if possible(program, width, rows, cols):
        yield sum(_cycles(program, body, width, rows) for body in program.bodies) * WORTH, (width, rows, cols), 2


def lane_cycles(program: Program, width: int, scratch: int) -> float:
    """Cycles of a matrix in a kernel of lanes: its arithmetic, and moving its triangle through ``scratch`` bytes."""
    n = program.bodies[0].size["n"]
    moved = n * (n + width / 2) * program.p.compute.bytes
    return float((LANE_ISSUE * n**3 / 12 / width + LANE_MOVED * moved) * min(1.7, 1 + scratch / FAST))


def _cycles(program: Program, body: Body, width: int, rows: int) -> float:
    """Cycles of a matrix by blocks: what is left of each is solved, and transposed where rows are contiguous, then the
    block is reduced and moved."""
    n, real, size = body.size["n"], program.p.compute.bytes, rows * width
    packed, found = not in_columns(program, body), 0.0
    for left in (0, *range(n % size or size, n, size)):
        products = rows * left * (left + 1) / 2 + rows * (rows + 1) / 2 * width * left
        moved = size * (0.75 * size + left * packed)
        found += ISSUE[width * real] * products / 2 + BLOCK + PANEL * (left > 0) * packed + MOVED * moved * 2 * real
    return found
