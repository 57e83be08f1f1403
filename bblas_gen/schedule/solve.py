"""How triangular solvers go through matrices that lie by themselves: their tiles, by a model of issue slots.

*across*: a vector holds right-hand sides, elements of A are read one by one from where they lie, whatever its memory
order. Where right-hand sides are columns, a vector of them at a time is transposed to a panel and back. *columns*:
vectors run down the columns of one matrix, whose rows are solved one after the other; a few matrices take turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log2

from ..ir.canonical import Body, canonical_lane
from ..ir.partition import segments
from ..ir.program import Program
from ..ir.targets import Isa
from ..ir.terms import Strides
from ..ir.views import View
from .lane import GENERAL, LATENCY, LINE, STACK

SOLVERS = ("across", "columns")
"""The forms of solvers that have no lanes."""
ANY_ROWS = 3
"""Vectors in a tile where only run time knows how many there are: two tiles then share what is left evenly."""
TOGETHER = 128
"""Rows of X, of all matrices that are solved together then."""
MOST_ROWS = 12
"""Rows of X in a tile at most."""
NARROW = 4
"""Reals of a vector down a column, whatever the machine has: of blocks on the diagonal, as high, half is lost,
and these vectors are permuted and blended without masks that take registers."""
MOST_MATRICES = 3
"""Matrices that take turns: with so many a row is solved when its turn comes again."""
TRANSPOSED = 0.79
"""Cycles for each exchange of halves that brings a vector of X to the panel, or back."""
ISSUE = {(16, 16): 0.8, (16, 32): 0.95, (32, 16): 0.75, (32, 32): 0.88, (32, 64): 1.25}
"""Cycles of a cycle of arithmetic by the registers and the bytes of a vector: those of 64 bytes leave one port to all
else, 32 registers take factors from memory."""
HIDDEN = 14
"""Cycles of these that a matrix has to spare, as it waits for its diagonal."""
MOVED = 0.077
"""Cycles for each byte that is brought to lanes."""
FAST = 128 << 10
"""Bytes of scratch that double the cycles of lanes."""
LARGEST = 8
"""Bytes of a real at most."""
WORTH = 1.05
"""What a form must gain to be taken instead of lanes."""


@dataclass(frozen=True)
class SolveProblem:
    """A X = B with A of order ``m`` and ``n`` right-hand sides: in memory rows of X are contiguous (``beside``), or
    columns of A and X (``down``)."""

    m: int
    n: int
    beside: bool
    down: bool

    def allows(self, form: str, width: int, rows: int, cols: int) -> bool:
        """Whether there is a tile of so many rows and columns: all rows where vectors run down columns; else the last
        vector of right-hand sides, if it overlaps its predecessor, shares one with it, to be loaded in time; and the
        panel and the inverses of the diagonal are on the stack."""
        if form == "columns":
            return self.down and self.m >= width and rows == -(-self.m // width)
        if (rows * width + 1) * self.m * LARGEST > STACK - 2 * LINE:
            return False
        if not self.beside:
            return self.m >= width and self.n > 1
        return self.n >= width and (self.n % width == 0 or self.n // width % rows != 0)


def solve_problems(program: Program) -> list[SolveProblem]:
    """One for each body, for matrices without strides of their own."""
    order = View(1, 2).transposed() if program.spec.strides.row_major else View(1, 2)
    return [_problem(body, order, contiguous=program.contiguous) for body in program.bodies]


def _problem(body: Body, order: View, *, contiguous: bool) -> SolveProblem:
    case = canonical_lane(body, dict.fromkeys(body.operands, order), is_complex=False)
    (a, b) = case.views
    m, n = (max(1, x) if isinstance(x := case.size[name], int) else GENERAL for name in "mn")
    return SolveProblem(m, n, b.cs == 1, a.rs == 1 and (b.rs == 1 or (n == 1 and contiguous)))


def solves(program: Program) -> bool:
    """Whether all that a kernel does is to solve real triangular systems in matrices that lie by themselves."""
    forms = all(set(SOLVERS) & set(body.row.algorithms) for body in program.bodies)
    return forms and program.separate and not program.p.complex and program.spec.strides is not Strides.RS


def solvable(program: Program, form: str, width: int, rows: int, cols: int) -> bool:
    """Whether all bodies have such tiles."""
    return all(one.allows(form, width, rows, cols) for one in solve_problems(program))


def any_tile(program: Program, isa: Isa) -> dict[str, int]:
    """What a schedule across has where only run time knows sizes: the widest vectors, a few of them, and the rows of X
    that there are registers for."""
    cols = (isa.registers * 13 // 16 - 1) // ANY_ROWS - 1
    return {"width": isa.simd_bytes // program.p.compute.bytes, "rows": ANY_ROWS, "cols": cols, "kc": 1}


def lane_cycles(program: Program, width: int, scratch: int) -> float:
    """Cycles per matrix of a kernel of lanes: its arithmetic, and moving A and B through ``scratch`` bytes."""
    found = solve_problems(program)
    m, n = found[0].m, found[0].n
    arithmetic = sum(one.m**2 * one.n for one in found) / 4 / width
    triangle = m * min(m, (m + width // 2) / 2)
    moved = (triangle + m * n) * program.p.compute.bytes * MOVED
    return (arithmetic + moved) * min(1.7, 1 + scratch / FAST)


Plan = tuple[float, str, tuple[int, int, int], int]
"""Cycles of a matrix, the form, vector width, rows and columns of the tile, how often loops are unrolled."""


def across(program: Program, isa: Isa) -> Iterator[Plan]:
    """The tile of the least cycles, if there is one: so many vectors of right-hand sides by rows of X."""
    found, widest = solve_problems(program), isa.simd_bytes // program.p.compute.bytes
    plans = [
        (
            sum(
                _cycles(one, width, rows, cols, ISSUE[isa.registers, width * program.p.compute.bytes]) for one in found
            ),
            -rows * cols,
            width,
            rows,
            cols,
        )
        for width in (16, 8, 4)
        for rows in range(1, min(6, -(-found[0].n // width)) + 1)
        for cols in range(1, min(MOST_ROWS, found[0].m) + 1)
        if width <= widest and rows * (cols + 1) + 1 <= isa.registers * 13 // 16
        if solvable(program, "across", width, rows, cols)
    ]
    for cycles, _, width, rows, cols in sorted(plans)[:1]:
        yield cycles * WORTH, "across", (width, rows, cols), 2


def columns(program: Program, isa: Isa) -> Iterator[Plan]:
    """All vectors of X by as many right-hand sides as there are registers for, and as many matrices then."""
    found = solve_problems(program)
    rows = -(-found[0].m // NARROW)
    cols = min(found[0].n, isa.registers * 5 // 8 // rows)
    fits = cols and NARROW * program.p.compute.bytes <= isa.simd_bytes
    if fits and solvable(program, "columns", NARROW, rows, cols):
        matrices = max(1, min(MOST_MATRICES, isa.registers * 5 // 8 // (rows * cols + 1)))
        fixed, row = (10, 0.2) if NARROW * program.p.compute.bytes > 16 else (7, -0.2)
        cycles = sum(fixed + _taken(one.m, rows) * (row + 1.2 * one.n) for one in found)
        yield cycles * WORTH, "columns", (NARROW, rows, cols), matrices


def _taken(m: int, rows: int) -> int:
    """Vectors of one right-hand side that are changed when row after row is solved."""
    return sum(rows - i // NARROW for i in range(m))


def _cycles(found: SolveProblem, width: int, rows: int, cols: int, issue: float) -> float:
    """Cycles of a matrix: its tiles, the inverses of the diagonal, the way to the panel and back."""
    vectors = -(-found.n // width)
    groups = ((rows, vectors // rows), (vectors % rows, 1))
    arithmetic = sum(times * _tiles(found.m, r, cols) for r, times in groups if r)
    transposed = (
        2 * vectors * -(-found.m // width) * width * TRANSPOSED * log2(width) - HIDDEN if not found.beside else 0
    )
    return issue * arithmetic + 1.2 * found.m + 2 + max(0, transposed)


def _tiles(m: int, rows: int, cols: int) -> float:
    """Cycles of all tiles of ``rows`` vectors, from the top."""
    starts = ((at, s.size) for s in segments(m, cols) for at in range(s.start, s.stop, s.size))
    return sum(_tile(at, rows, size) for at, size in starts)


def _tile(steps: int, rows: int, cols: int) -> float:
    """Cycles of a tile; most of the latency of a diagonal overlaps with other tiles."""
    step = max(rows * cols / 2, (rows + cols) / 2, LATENCY) + 0.25 + (rows * cols + rows + cols) / 16
    chain = max(rows * cols * (cols + 1) / 4, cols * LATENCY * 0.75)
    return steps * step + chain + 2
