"""How direct bodies go through a product: its shape, and its tiles by a model of issue slots.

The output's columns are covered with vectors, a tile is some of them by some columns, and stays in registers while k
runs. Of a triangle only what tiles hold is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..ir.canonical import Case
from ..ir.program import Program
from ..ir.targets import Isa
from ..ir.terms import Strides
from .lane import GENERAL, LATENCY, grid
from .solve import ANY_ROWS, solve_problems, solves

PACKED = 1.5
"""Cycles to transpose a vector of a left factor into the panel."""
Steps = tuple[int, int, int, float]
"""Vectors and columns of a tile, how many of its vectors are blended with what they were, and steps of k."""


@dataclass(frozen=True)
class DirectProblem:
    """C := alpha L R + beta C of one matrix: ``reals`` in a column of C, ``n`` columns, ``k`` steps. ``canonical_form``
    is the operation's, ``case`` that of its body on matrices without strides of their own. ``passes``: what all this
    takes where there are two such products."""

    reals: int
    n: int
    k: int
    parts: int
    canonical_form: str
    passes: float
    case: Case

    @property
    def packed(self) -> bool:
        """Whether the left factor is brought to a panel, as its columns are not contiguous, or not stored whole."""
        return self.case.left and (self.canonical_form == "symmetric" or not self.case.views[0].unit_rows)

    @property
    def blends(self) -> bool:
        """Whether vectors run across a triangular factor's diagonal, and keep some of their lanes in every step."""
        return self.case.left and self.canonical_form == "triangular"

    def vectors(self, width: int) -> int:
        """How many vectors cover a column."""
        return -(-self.reals // width)

    def allows(self, width: int, rows: int, cols: int) -> bool:
        """Whether the last vector of a column, if it overlaps its predecessor, shares a tile with it; and whether all
        rows of tiles meet the diagonal of an output alike.

        Both must be loaded from C before either is stored, or the rows they share would be updated twice.
        """
        total = self.vectors(width)
        alike = self.canonical_form != "rank_k" or rows >= total or rows * width // self.parts % cols == 0
        return alike and (self.reals % width == 0 or (total - 1) % rows != 0)


def direct_problem(program: Program) -> DirectProblem:
    """What a direct kernel of ``program`` computes."""
    row, case, p = program.bodies[0].row, program.direct, program.p
    m, n, k = (x if isinstance(x := case.size[name], int) else GENERAL for name in "mnk")
    passes = 1.5 if row.canonical_form == "rank_k" and len(row.matrices) == 3 else 1.0
    return DirectProblem(max(1, m) * p.parts, max(1, n), k, p.parts, row.canonical_form, passes, case)


def choose_tile(found: DirectProblem, isa: Isa, real_bytes: int) -> tuple[float, int, int, int]:
    """The tile of the least cycles: those of a matrix, vector width, vectors and columns of the tile."""
    widest = isa.simd_bytes // real_bytes
    plans = [
        (_cycles(found, width, rows, cols), -rows * cols, width, rows, cols)
        for width in (16, 8, 4, 2, 1)
        if found.parts <= width <= min(widest, found.reals)
        for rows, cols in _tiles(found, width, isa.blended if found.blends else isa.filled)
    ]
    cycles, _, width, rows, cols = min(plans)
    moved = found.n + (PACKED * found.k if found.packed and found.canonical_form in ("triangular", "rank_k") else 0)
    return cycles + found.vectors(width) * moved, width, rows, cols


def any_forms(program: Program) -> tuple[str, ...]:
    """The forms that have bodies for sizes that only run time knows."""
    products = not program.bodies[-1].row.canonical_form and program.spec.strides is not Strides.RS
    products = products and not program.p.complex
    across = solves(program) and len(program.spec.unknown) == len(program.spec.sizes)
    across = across and all(one.beside for one in solve_problems(program))
    return ("lane", "direct") if products else ("lane", "across") if across else ("lane",)


def any_tile(program: Program, isa: Isa) -> dict[str, int]:
    """What a schedule has for columns whose length only run time knows: the widest vectors, so many of them that two
    tiles share what is left over evenly without one that is alone, and the columns that there are registers for."""
    if isinstance(program.direct.size["m"], int):
        return {}
    width = max(1, isa.simd_bytes // program.p.compute.bytes)
    return {"width": width, "rows": ANY_ROWS, "cols": (isa.looped - 1) // ANY_ROWS - 1}


def _tiles(found: DirectProblem, width: int, limit: int) -> Iterator[tuple[int, int]]:
    for rows in range(1, min(found.vectors(width), 6) + 1):
        for cols in range(1, min(found.n, 12) + 1):
            registers_fit = rows * cols * found.parts + rows + 1 <= limit
            if registers_fit and found.allows(width, rows, cols):
                yield rows, cols


def _cycles(found: DirectProblem, width: int, rows: int, cols: int) -> float:
    """Cycles of arithmetic per matrix, and of packing."""
    parts = found.parts
    # The short chains of triangles overlap with the next tile's.
    latency = LATENCY if found.canonical_form in ("", "symmetric") else LATENCY / 2

    def cost(r: int, c: int, blends: int = 0) -> float:
        """Of one step of k of a tile, of which so many vectors are blended."""
        loads, products = (c * parts + r) / 2, (r + blends) * c * parts / 2
        return max(products, loads, latency) + 0.25 + (loads + products) / 16

    return found.passes * sum(
        cost(*tile) * steps for *tile, steps in _WORK[found.canonical_form](found, width // parts, rows, cols)
    )


def _whole(found: DirectProblem, height: int, rows: int, cols: int) -> Iterator[Steps]:
    """All steps for all tiles."""
    for r, c, times in grid(found.vectors(height * found.parts), found.n, rows, cols):
        yield r, c, 0, times * max(1, found.k)


def _triangular(found: DirectProblem, height: int, rows: int, cols: int) -> Iterator[Steps]:
    """The steps up to the diagonal, and those of the diagonal, for fewer and fewer vectors or columns."""
    total, n = found.vectors(height * found.parts), found.n
    if found.case.left:
        for r, c, times in grid(total, n, rows, cols):
            for active in range(1, r + 1):
                yield active, c, 1, times * min(r * height, found.k) / r
        for _, c, times in grid(rows, n, rows, cols):
            for r, first in _beyond(total, rows):
                yield r, c, 0, times * first * height
    else:
        for r, c, times in grid(total, n, rows, cols):
            for active in range(1, c + 1):
                yield r, active, 0, times
        for r, _, times in grid(total, cols, rows, cols):
            for c, first in _beyond(n, cols):
                yield r, c, 0, times * first


def _rank(found: DirectProblem, height: int, rows: int, cols: int) -> Iterator[Steps]:
    """All steps for the tiles below the diagonal, and for those vectors of the others that meet the triangle; and one
    more that blends the result."""
    total, k = found.vectors(height * found.parts), max(1, found.k)
    for r, first in _beyond(total, rows):
        yield r, cols, 0, first * height // cols * k
    last = (total - 1) // rows * rows
    for first, times in ((0, last // rows), (last, 1)):  # the rows of tiles but the last are alike
        r = min(rows, total - first)
        for column in range(0, min(r * height, found.n - first * height) if times else 0, cols):
            tile = r - column // height, min(cols, found.n - first * height - column)
            yield *tile, 0, times * k
            yield *tile, tile[0], times


def _beyond(total: int, step: int) -> Iterator[tuple[int, int]]:
    """The steps through ``total`` but the first: their size, and how much lies before all of that size together."""
    whole, rest = divmod(total, step)
    yield step, step * (whole * (whole - 1) // 2)
    if rest:
        yield rest, whole * step


_WORK: dict[str, Callable[[DirectProblem, int, int, int], Iterator[Steps]]] = {
    "": _whole,
    "symmetric": _whole,
    "triangular": _triangular,
    "rank_k": _rank,
}
