"""How direct bodies go through a product: its shape, and its tiles by a model of issue slots.

The output's columns are covered with vectors, a tile is some of them by some columns, and stays in registers while k
runs. Of a triangle only what tiles hold is computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .bodies import Case, bodies, oriented
from .layout import View
from .spec import KernelSpec
from .tiling import LATENCY, grid, registers


@dataclass(frozen=True)
class Product:
    """C := alpha L R + beta C of one matrix: ``reals`` in a column of C, ``n`` columns, ``k`` steps. ``reduction`` is
    the operation's, ``case`` that of its body on matrices without strides of their own."""

    reals: int
    n: int
    k: int
    parts: int
    reduction: str
    case: Case

    @property
    def packed(self) -> bool:
        """Whether the left factor is brought to a panel, as its columns are not contiguous, or not stored whole."""
        return self.case.left and (self.reduction == "symmetric" or not self.case.views[0].unit_rows)

    def vectors(self, width: int) -> int:
        """How many vectors cover a column."""
        return -(-self.reals // width)

    def allows(self, width: int, rows: int) -> bool:
        """Whether the last vector of a column, if it overlaps its predecessor, shares a tile with it.

        Both must be loaded from C before either is stored, or the rows they share would be updated twice.
        """
        return self.reals % width == 0 or (self.vectors(width) - 1) % rows != 0


def product(spec: KernelSpec) -> Product:
    """What a direct kernel of ``spec`` computes."""
    body = bodies(spec)[0]
    order = View(1, 2).transposed() if spec.strides.row_major else View(1, 2)
    case = oriented(
        body, dict.fromkeys(body.operands, order), is_complex=spec.p.complex, row_major=spec.strides.row_major
    )
    m, n, k = (case.size[name] for name in "mnk")
    return Product(max(1, m) * spec.p.parts, max(1, n), k, spec.p.parts, body.row.reduction, case)


def best(found: Product, simd_bytes: int, real_bytes: int) -> tuple[float, int, int, int]:
    """The tile of the least cycles: those of a matrix, vector width, vectors and columns of the tile."""
    widest = simd_bytes // real_bytes
    plans = [
        (_cycles(found, width, rows, cols), -rows * cols, width, rows, cols)
        for width in (16, 8, 4, 2, 1)
        if found.parts <= width <= min(widest, found.reals)
        for rows, cols in _tiles(found, width, registers(simd_bytes) * 13 // 16)
    ]
    cycles, _, width, rows, cols = min(plans)
    return cycles + found.vectors(width) * found.n, width, rows, cols


def _tiles(found: Product, width: int, limit: int) -> Iterator[tuple[int, int]]:
    for rows in range(1, min(found.vectors(width), 6) + 1):
        for cols in range(1, min(found.n, 12) + 1):
            if rows * cols * found.parts + rows + 1 <= limit and found.allows(width, rows):
                yield rows, cols


def _cycles(found: Product, width: int, rows: int, cols: int) -> float:
    """Cycles of arithmetic per matrix, those of a step of k over the whole matrix times the steps."""

    def cost(r: int, c: int) -> float:
        loads, products = (c * found.parts + r) / 2, r * c * found.parts / 2
        return max(products, loads, LATENCY) + 0.25 + (loads + products) / 16

    step = sum(cost(r, c) * times for r, c, times in grid(found.vectors(width), found.n, rows, cols))
    return step * max(1, found.k)
