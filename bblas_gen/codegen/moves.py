"""What kernels without lanes do first, where matrices lie: copies of operands, zeros in a triangle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..ir.program import Program
from ..ir.terms import Uplo
from .operand_text import OperandText


@dataclass(frozen=True)
class Move:
    """One of them: its ``operands``, from the first to the last, and whether it is the ``lower`` triangle, by columns,
    that stays."""

    op: str
    operands: tuple[OperandText, ...]
    lower: bool

    @property
    def rows(self) -> tuple[str, str]:
        """The rows of column c that are written, of all that is copied, or of the other triangle: the first, and what
        is behind the last, as C text."""
        n = str(self.operands[0].stored_rows)
        if len(self.operands) > 1:
            return "0", n
        return ("0", "c") if self.lower else ("c + 1", n)


def moved(program: Program, operands: Sequence[OperandText]) -> dict[str, Any]:
    """What the frame sees of them: what is ``moved``, and the ``moves``. A copy that another one changes is made by
    that one, as vectors that were stored a moment before come slowly. ``origin``: what streamed bodies copy themselves,
    part by part, before they change the copy."""
    named, rows = {x.name: x for x in operands}, program.spec.strides.row_major
    found: list[Move] = []
    for body in program.moves:
        given = tuple(named[x] for x in body.operands)
        if found and found[-1].operands[-1] is given[0]:
            given = found.pop().operands
        found.append(Move(body.row.name, given, (body.flag.get("uplo") is Uplo.U) == rows))
    names = {name for body in program.moves for name in body.operands}
    source = found[0].operands[0] if found else None
    return {"moves": found, "moved": [x for x in operands if x.name in names], "origin": source}
