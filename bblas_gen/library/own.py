"""Our own functions of a family: fixed batches in each layout, groups, and batches in which each matrix is another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..codegen.signature import Parameter
from .family import Call, FamilyText


@dataclass(frozen=True)
class Own:
    """A function for a fixed batch: ``(layout, flags, sizes, scalars and operands as in the BLAS, batch_count, ...)``.
    Interleaved matrices have no memory order."""

    text: FamilyText
    call: Call

    @property
    def layout(self) -> str:
        return self.call.layout

    @property
    def symbol(self) -> str:
        return f"{self.text.prefix}{self.text.family.name}_{self.layout}"

    @property
    def exchanged(self) -> bool:
        """Whether operands change places in row-major calls."""
        row, turn = self.text.family.row, self.text.turn
        return not self.call.packed and any(turn.of(x.name) != x.name for x in row.parameters)

    @property
    def ordered(self) -> bool:
        """Whether it is told a memory order: interleaved matrices and vectors have none."""
        return self.text.family.ordered and not self.call.packed

    @cached_property
    def names(self) -> list[str]:
        """The names of all parameters."""
        order = ["layout"] if self.ordered else []
        return [*order, *self.text.family.row.flags, *(p.name for p in self.call.own)]

    @property
    def texts(self) -> list[str]:
        """The declarations of all parameters."""
        ours = len(self.names) - len(self.call.own)
        return [f"int {name}" for name in self.names[:ours]] + [p.text for p in self.call.own]

    @property
    def parameters(self) -> str:
        return ", ".join(self.texts)

    @property
    def declaration(self) -> str:
        return f"int {self.symbol}({self.parameters});"

    @property
    def understood(self) -> list[str]:
        """The arguments of the C function ``understood``: matrices without gaps have any leading dimension."""
        row = self.text.family.row
        lds = ["INT64_MAX"] * len(self.text.lds) if self.call.packed else self.text.lds
        return ["layout" if self.ordered else "102", *row.flags, *row.sizes, *lds]

    @property
    def positions(self) -> list[int]:
        """The positions of what ``understood`` finds at fault, from 1; element 0 is none."""
        return [0, *(self._position(name) for name in self.text.asked)]

    def _position(self, name: str) -> int:
        return self.names.index(name) + 1 if name in self.names else 0

    @property
    def passed(self) -> list[str]:
        """The arguments of the C function ``run_LAYOUT``."""
        return [self._turned(p) if self.exchanged else p.name for p in self.call.passed]

    def _other(self, name: str) -> str:
        """The name of the argument that stands for ``name`` in row-major calls."""
        turn, operands = self.text.turn, {x.name.lower(): x.name for x in self.text.matrices}
        for head in ("", "stride_", "ld"):
            lower = name.removeprefix(head)
            if name.startswith(head) and (lower in operands if head else name in operands.values()):
                other = turn.of(operands[lower] if head else name)
                return head + other.lower() if head else other
        return turn.of(name)

    def _turned(self, p: Parameter) -> str:
        other = self._other(p.name)
        return p.name if other == p.name else f"row_major ? {other} : {p.name}"

    @property
    def arguments(self) -> list[list[int]]:
        """The positions of the arguments of a kernel for all sizes, from 1, as it is and in row-major calls."""
        kernel = [p.name for p in self.call.signature.parameters]
        plain = [0, *(self._position(name) for name in kernel)]
        return [plain, [0, *(self._position(self._other(name)) for name in kernel)]]


def own_functions(text: FamilyText) -> list[Own]:
    return [Own(text, call) for call in text.calls]
