"""Vectors whose elements lie apart or run backwards: kernels that take any strides, and what they are called with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..codegen.signature import Parameter, Signature, signature_of
from ..ir.operation import Operand
from ..ir.sizes import evaluate
from ..ir.spec import KernelSpec
from ..ir.terms import Layout
from .family import Call, FamilyText, held, sizes_alone, spacing, types


@dataclass(frozen=True)
class Vector:
    """An operand with an increment, in C: ``length`` and ``increment`` of a problem, the type of a ``pointer`` to one
    vector and of one to its reals, ``real``; ``parts`` are the reals of an element."""

    name: str
    length: str
    increment: str
    real: str
    pointer: str
    parts: int


@dataclass(frozen=True)
class Apart:
    """What a template needs of the kernels for one layout: ``specs``, by their flags."""

    text: FamilyText
    call: Call
    specs: Sequence[KernelSpec]

    @property
    def layout(self) -> Layout:
        return self.call.layout

    @property
    def name(self) -> str:
        """What stands for them in names in C."""
        return f"apart_{self.layout}"

    @property
    def _operands(self) -> dict[str, Operand]:
        return {x.name: x for x in self.text.matrices}

    @property
    def _signature(self) -> Signature:
        return signature_of(self.specs[0])

    @property
    def vectors(self) -> list[Vector]:
        found = []
        for p in self.call.passed:
            x = self._operands.get(p.name)
            if x and x.has_increment:
                const = "const " * p.ctype.startswith("const")
                pointer = p.ctype.removesuffix("*const *").removesuffix("*").strip() + " *"
                length = str(evaluate(x.rows, self.text.held_sizes))
                parts = self.text.family.precision.parts
                found.append(Vector(x.name, length, f"p->{spacing(x)}", f"{const}{self.text.real} *", pointer, parts))
        return found

    @property
    def condition(self) -> str:
        """The C condition that elements of some vector are no neighbours."""
        return " || ".join(f"{v.increment} != 1" for v in self.vectors)

    @property
    def code(self) -> str:
        """The C text of the flags of a problem, without the memory order."""
        return "p->code" if self.text.family.turns else "p->code / 2"

    @property
    def types(self) -> str:
        """The types of a kernel's parameters."""
        return types(self._signature.parameters)

    @property
    def sizes_alone(self) -> str:
        return sizes_alone(self._signature.parameters)

    @property
    def arguments(self) -> str:
        """The arguments of a kernel, where NAME_at is where the vectors begin."""
        return ", ".join(self._argument(p) for p in self._signature.parameters)

    def _argument(self, p: Parameter) -> str:
        if p.kind == "stride" and p.name[:2] in ("rs", "cs"):
            return self._stride(p.name)
        if held(p):
            return f"p->{p.name}"
        x = self._operands.get(p.name)
        if x and x.has_increment:
            return f"{p.name}_at"
        if self.layout is Layout.PP and (x or p.name == "info"):
            return f"{p.name} + done"
        return "count" if self.layout is Layout.PP and p.name == "batch_count" else p.name

    def _stride(self, name: str) -> str:
        """The stride from row to row, rsX, or from column to column."""
        x = next(x for x in self.text.matrices if x.name.lower() == name[2:])
        if x.is_vector:
            return f"p->{spacing(x)}" if x.has_increment and name.startswith("rs") else "1"
        long = "1" if self.text.family.turns else f"(p->code % 2 ? p->{spacing(x)} : 1)"
        other = f"p->{spacing(x)}" if self.text.family.turns else f"(p->code % 2 ? 1 : p->{spacing(x)})"
        return long if name.startswith("rs") else other

    @property
    def positions(self) -> list[int]:
        """Where a kernel's arguments are among those of the kernel for vectors without gaps; element 0 is none."""
        names = [p.name for p in self.call.signature.parameters]
        return [0, *(names.index(p.name) + 1 if p.name in names else 0 for p in self._signature.parameters)]


def apart_of(text: FamilyText) -> dict[Layout, Apart]:
    """By layout, for families that have vectors."""
    found = ((call, text.family.apart(call.layout)) for call in text.calls)
    return {call.layout: Apart(text, call, specs) for call, specs in found if specs}
