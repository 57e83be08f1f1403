"""The pieces of one large matrix, which threads share where a kernel is made for its size: none needs what another one
overwrites."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..ir.program import Program
from .across import RightHandSides
from .tiles import Loop, Pass

WORTH = 2 * 40**3
"""Operations from which half of them is worth what it costs to share them, and no less than 2 us."""
FEW = 8
"""Parts of a matrix at most where all of it takes some microseconds, or each packs its left factor anew."""
OF = {"": "tile", "symmetric": "row", "rank_k": "row"}
"""What is a piece, by the canonical form of a product; of triangular ones see below."""


@dataclass(frozen=True)
class Pieces:
    """``count`` pieces, which are ``of`` one kind: a "tile", a "row" of tiles, a "column" of them, or a "group" of
    right-hand sides. There are ``beside`` tiles in each row. A thread takes ``grain`` of them at least. Of a
    larger ``batch`` threads take whole matrices."""

    count: int
    of: str
    beside: int = 1
    grain: int = 1
    batch: int = 16


def pieces_of_product(program: Program, passes: Sequence[Pass]) -> Pieces | None:
    """Those of the output of a product; None where threads take whole matrices."""
    if not _worth(program):
        return None
    form, left = program.bodies[0].row.canonical_form, program.direct.left
    of = ("column" if left else "row") if form == "triangular" else OF[form]
    rows = passes[0].rows
    down = _steps([x.loop for x in rows])
    if of == "row":
        return Pieces(down, of)
    beside = _steps([x.loop for x in rows[0].columns])
    count = beside if of == "column" else beside * down
    few = of == "tile" or passes[0].left.packed
    return Pieces(count, of, beside, -(-count // FEW) if few else 1)


def pieces_of_solve(program: Program, groups: Sequence[RightHandSides]) -> Pieces | None:
    """Those of X."""
    return Pieces(_steps([x.loop for x in groups]), "group") if _worth(program) else None


def _worth(program: Program) -> bool:
    spec = program.spec
    return not spec.unknown and len(program.bodies) == 1 and spec.flops >= WORTH


def _steps(loops: Sequence[Loop]) -> int:
    """The steps of loops whose ends are known."""
    return sum(len(range(_number(x.first), _number(x.last), x.step)) for x in loops)


def _number(index: object) -> int:
    assert isinstance(index, int)
    return index
