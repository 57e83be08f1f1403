"""How large triangular problems and factorizations are divided: down to which order, and what is done there at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

from ..ir.catalog import OPS
from ..ir.operation import Operation
from ..ir.program import Program
from ..ir.recursion import divides
from ..ir.rules import RULES
from ..ir.sizes import evaluate
from ..ir.spec import KernelSpec
from ..ir.targets import Isa
from .blocked import BLOCKED_SIDE, FORMED, packs, plain
from .blocked import possible as packing
from .lane import KC
from .schedule import Schedule

STOP, PANEL, CORNERS = 32, 8, {1: 16, 2: 32}
"""The order up to which problems are done at once; the columns of such a panel of LU, as high as the matrix; by parts
of an element, the order of such updates of a triangle, of which all of a square is multiplied."""
LARGE = 128
"""The order from which matrices are divided where a kernel for the size has lanes, which one matrix alone does not
fill; where it has vectors along one matrix it is FORMED."""
FEW, BESIDE = {1: 32, 2: 16}, 1 << 19
"""By parts of an element, right-hand sides beside which a triangle is read once, where it lies, if they have so many
bytes: half of a middling level-2 cache, as they go through it for each few columns of the triangle."""
LEAST = 1 << 22
"""Products of elements, of real ones, from which threads share parts of a step. What one thread wrote comes slowly to
another, so short steps that follow one another are as fast on one thread."""
MOST = {"stop": 64, "panel": 64, "corner": 64, "few": FEW[1], "least": LEAST}
"""What may be chosen, up to which number."""
TILE_ROWS = 4
"""Rows of a tile of right-hand sides."""


@dataclass(frozen=True)
class RecursiveSchedule(Schedule):
    """Problems are divided down to the order ``stop``, panels of LU to ``panel`` columns, updates of a triangle to the
    order ``corner``; triangles beside ``few`` right-hand sides, or fewer, are not. Threads share steps of ``least``
    products of elements. Tiles of right-hand sides have ``rows`` vectors and ``cols`` rows."""

    stop: int = field(default=0, kw_only=True)
    panel: int = field(default=0, kw_only=True)
    corner: int = field(default=0, kw_only=True)
    few: int = field(default=0, kw_only=True)
    least: int = field(default=0, kw_only=True)

    @property
    def span(self) -> int:
        """Columns of a panel of right-hand sides."""
        return self.rows * self.width

    @property
    def pitch(self) -> int:
        """Numbers from one row or column to the next in what is done at once: whole tiles, whole vectors."""
        unit = max(self.cols, self.width)
        return -(-max(self.stop, self.panel, self.corner) // unit) * unit


def possible(program: Program) -> bool:
    """Whether it comes to products of matrices by themselves, of any size."""
    spec = program.spec
    every = program.separate and spec.unknown == spec.row.sizes
    return every and not program.row.intermediates and divides(program.row, spec.flag)


def large(spec: KernelSpec) -> bool:
    """Whether a kernel for any size does matrices of these sizes, others are small enough to have one of their own.
    Depends on shapes alone."""
    if spec.general or _order(spec) < (FORMED if _formed(spec) else LARGE):
        return False
    program = Program.of(spec.any_size)
    return possible(program) and not packs(program)


def condition(spec: KernelSpec, extents: Mapping[str, Any]) -> str:
    """The same as C text of sizes, which are ``extents``, where small matrices have no kernels of their own: those for
    any size have lanes. They pack what is symmetric where no side is short."""
    found = f"{evaluate(order(spec.row), extents)} >= {LARGE}"
    if not packing(Program.of(spec)):
        return found
    return found + f" && ({' || '.join(f'{extents[size]} < {BLOCKED_SIDE}' for size in spec.row.sizes)})"


def _formed(spec: KernelSpec) -> bool:
    """Whether a kernel for the size has vectors along one matrix. Those of right-hand sides have one element where
    there is one right-hand side."""
    forms = {"direct", "hybrid"} if _beside(spec) == 1 else {"direct", "across", "hybrid"}
    row = OPS.get(spec.row.variant_of, spec.row)
    return plain(spec) and not row.steps and not forms.isdisjoint(row.algorithms)


def order(row: Operation) -> str:
    """The order of what is divided, of its triangular, symmetric or factored operand, as an expression of sizes."""
    square = sorted((x for x in row.parameters if x.rows == x.cols), key=lambda x: not x.triangle)
    found = square[0] if square else row.parameters[0]
    return found.rows if square else f"min({found.rows}, {found.cols})"


def _order(spec: KernelSpec) -> int:
    return int(evaluate(order(spec.row), spec.extents))


def _beside(spec: KernelSpec) -> int:
    """How many right-hand sides a triangle has; 0 where there are none."""
    rule = RULES.get(spec.op)
    elements: int = prod(spec.stored(spec.row.operand("B"))) if rule and rule.turns else 0
    return elements // max(1, _order(spec))


def whole(spec: KernelSpec) -> bool:
    """Whether a large triangle is not divided, as it has a few right-hand sides."""
    beside = _beside(spec)
    return 0 < beside <= FEW[spec.p.parts] and beside * _order(spec) * spec.p.itemsize <= BESIDE


def choose(program: Program, isa: Isa, overrides: dict[str, object]) -> RecursiveSchedule:
    """The schedule of a problem whose sizes only run time knows."""
    width = max(1, isa.simd_bytes // program.p.compute.bytes)
    vectors = (3 if isa.registers == 32 else 2) if not program.p.complex else (2 if isa.registers == 32 else 1)
    parts = program.p.parts
    most = {"stop": STOP, "panel": PANEL, "corner": CORNERS[parts], "few": FEW[parts]}
    most["least"] = LEAST // parts**2
    plain = RecursiveSchedule("recursive", width, vectors, TILE_ROWS, 1, KC, 0, 1, 1, **most)  # type: ignore[arg-type]
    found = replace(plain, **overrides)  # type: ignore[arg-type]
    numbers, known = found.numbers(), plain.numbers()
    wrong = next((name for name, value in numbers.items() if not _fits(value, MOST.get(name), known[name])), None)
    if wrong:
        raise ValueError(f"{wrong} = {numbers[wrong]!r} is not available for {program.spec.symbol()}: {found}")
    return found


def _fits(value: object, most: int | None, only: int) -> bool:
    return type(value) is int and (value == only if most is None else 1 <= value <= most)
