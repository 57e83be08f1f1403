"""How matrices lie where functions of C take one at a time: its first element, and the strides that run time knows."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.operation import Operand
from ..ir.terms import Kind, Precision, Strides


@dataclass(frozen=True)
class Memory:
    """Elements of a precision, and the order in which all matrices of a kernel lie."""

    p: Precision
    strides: Strides

    def given(self, x: Operand) -> tuple[str, ...]:
        """The arguments that say how a matrix lies."""
        name = x.name.lower()
        if x.kind is Kind.INDEX:
            return ()
        return (f"rs{name}", f"cs{name}") if self.strides is Strides.RS else (f"ld{name}",)

    def steps(self, x: Operand) -> tuple[str, str]:
        """The C text of the elements from a row to the next, and from a column."""
        given = self.given(x)
        if len(given) != 1:
            return given or ("1", "0")  # type: ignore[return-value]
        return (given[0], "1") if self.strides.row_major else ("1", given[0])

    def lies(self, turned: bool) -> str:
        """What is next to an element in memory, as C text: the element below, beside it, or neither."""
        if self.strides is Strides.RS:
            return "BB_APART"
        return "BB_ACROSS" if self.strides.row_major != turned else "BB_DOWN"

    def within(self, pitch: object) -> str:
        """The same of an array whose rows, or columns, are ``pitch`` apart."""
        return f"{pitch}, 1" if self.strides.row_major else f"1, {pitch}"

    def across(self, pitch: object) -> str:
        """The same of its transpose."""
        return ", ".join(self.within(pitch).split(", ")[::-1])

    def inside(self, name: str, pitch: object) -> str:
        """Such an array as arguments."""
        return f"{name}, 1, {pitch}" if self.strides is Strides.RS else f"{name}, {pitch}"

    def at(self, x: Operand, down: str, across: str) -> str:
        """The C text of an element's address."""
        terms = [f"{i} * {step}" if step != "1" else i for i, step in zip((down, across), self.steps(x), strict=True)]
        offset = " + ".join(term for i, term in zip((down, across), terms, strict=True) if i != "0")
        parts = 1 if x.kind is Kind.INDEX else self.p.parts
        return f"{x.name} + ({offset}) * {parts}" if offset else x.name
