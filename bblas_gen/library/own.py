"""Our own functions of a family: fixed batches in each layout, groups, and batches in which each matrix is another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..codegen.signature import Parameter
from .family import Call, FamilyText

WORK = "work"
"""What functions that work in memory of the caller call it; it ends their names."""


@dataclass(frozen=True)
class Own:
    """A function for a fixed batch: ``(layout, flags, sizes, scalars and operands as in the BLAS, batch_count, ...)``.
    Interleaved matrices have no memory order. ``work``: on one thread, in memory of the caller."""

    text: FamilyText
    call: Call
    work: bool = False

    @property
    def layout(self) -> str:
        return self.call.layout

    @property
    def symbol(self) -> str:
        return f"{self.text.prefix}{self.text.family.name}_{self.layout}{f'_{WORK}' if self.work else ''}"

    @property
    def result(self) -> str:
        """The C type that it returns."""
        return "int64_t" if self.work else "int"

    @property
    def arrays(self) -> bool:
        """Whether scalars are arrays."""
        return False

    @property
    def packed(self) -> bool:
        """Whether matrices are interleaved."""
        return self.call.packed

    @property
    def exchanged(self) -> bool:
        """Whether operands change places in row-major calls."""
        row, turn = self.text.family.row, self.text.turn
        return not self.packed and any(turn.of(x.name) != x.name for x in row.parameters)

    @property
    def ordered(self) -> bool:
        """Whether it is told a memory order: interleaved matrices and vectors have none."""
        return self.text.family.ordered and not self.packed

    @cached_property
    def arguments(self) -> list[tuple[str, str]]:
        """Name and declaration of each parameter."""
        flags = [*(["layout"] if self.ordered else []), *self.text.family.row.flags]
        found = [*((name, f"int {name}") for name in flags), *((p.name, p.text) for p in self.call.own)]
        return with_work(found) if self.work else found

    @cached_property
    def names(self) -> list[str]:
        """The names of all parameters."""
        return [name for name, _ in self.arguments]

    @property
    def texts(self) -> list[str]:
        """The declarations of all parameters."""
        return [text for _, text in self.arguments]

    @property
    def parameters(self) -> str:
        return ", ".join(self.texts)

    @property
    def declaration(self) -> str:
        return f"{self.result} {self.symbol}({self.parameters});"

    @property
    def understood(self) -> list[str]:
        """The arguments of the C function ``understood``: matrices without gaps have any leading dimension."""
        row = self.text.family.row
        lds = ["INT64_MAX"] * len(self.text.lds) if self.packed else self.text.lds
        return ["layout" if self.ordered else "102", *row.flags, *row.sizes, *lds]

    @property
    def positions(self) -> list[int]:
        """The positions of what ``understood`` finds at fault, from 1; element 0 is none."""
        return [0, *(self._position(name) for name in self.text.asked)]

    def _position(self, name: str) -> int:
        return self.names.index(name) + 1 if name in self.names else 0

    @property
    def passed(self) -> list[str]:
        """The arguments of the C function ``run_LAYOUT``, but the scratch."""
        *found, threads = [self._turned(p) if self.exchanged else p.name for p in self.call.passed]
        return [*found, "1" if self.work else threads]

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
    def kernel_positions(self) -> list[list[int]]:
        """The positions of the arguments of a kernel for all sizes, from 1, as it is and in row-major calls."""
        kernel = [p.name for p in self.call.signature.parameters]
        plain = [0, *(self._position(name) for name in kernel)]
        return [plain, [0, *(self._position(self._other(name)) for name in kernel)]]


def with_work(arguments: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The arguments of the function with memory of the caller: in the place of threads."""
    return [*arguments[:-1], (WORK, f"void *{WORK}"), (f"l{WORK}", f"int64_t l{WORK}")]


def own_functions(text: FamilyText) -> list[Own]:
    return [Own(text, call) for call in text.calls]


def work_functions(text: FamilyText) -> list[Own]:
    return [Own(text, call, work=True) for call in text.calls]
