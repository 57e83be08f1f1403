"""Functions of the Batched BLAS standard: ``blas_?NAME_batch`` for groups, ``blas_?NAME_batchf`` for one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ..codegen.signature import Parameter
from .family import FamilyText, leading
from .groups import Group, has_groups

ROUTINES = ("gemm", "hemm", "her2k", "herk", "symm", "syr2k", "syrk", "trmm", "trsm")
"""The operations that the standard has; the Hermitian ones in complex precisions alone."""


@dataclass(frozen=True)
class Argument:
    """An argument of a function: its declaration, and what the C struct ``groups`` gets of it."""

    name: str
    declaration: str
    field: str


@dataclass(frozen=True)
class Standard:
    """A function of the standard; ``fixed``: for one group, whose flags, sizes and scalars are values. Numbers are
    int, and complex numbers of the type that the header defines."""

    text: FamilyText
    group: Group
    fixed: bool

    @property
    def symbol(self) -> str:
        return f"blas_{self.text.family.name}_batch{'f' if self.fixed else ''}"

    @property
    def element(self) -> str:
        """The C type of an element of a matrix."""
        p = self.text.family.precision
        return f"{self.text.prefix}complex{p.storage.bytes * 8}_t" if p.complex else self.text.real

    def _one(self, name: str, ctype: str, cast: str = "") -> Argument:
        """What every group has one of: a value, or an array of them."""
        if self.fixed:
            return Argument(name, f"{ctype} {name}", f"{cast}&{name}")
        return Argument(name, f"const {ctype} *{name}", f"{cast}{name}")

    def _argument(self, p: Parameter) -> Argument:
        if p.kind == "scalar":
            parts = dict(self.text.scalars)[p.name]
            cast = f"(const {self.text.real} *)" if parts == 2 else ""
            return self._one(p.name, self.element if parts == 2 else self.text.real, cast)
        if p.kind == "matrix":
            const = "const " if p.ctype.startswith("const ") else ""
            declaration = f"{const}{self.element} *const *{p.name}" if const else f"{self.element} **{p.name}"
            return Argument(p.name, declaration, f"({p.ctype.strip()}){p.name}")
        return self._one(p.name, "int")

    @cached_property
    def arguments(self) -> list[Argument]:
        """Those of a group, in the order of the BLAS."""
        flags = [self._one(name, "int") for name in self.text.family.row.flags]
        found = self.group.call.signature.parameters
        return [*flags, *(self._argument(p) for p in found if p.kind in ("size", "scalar", "matrix") or leading(p))]

    @property
    def parameters(self) -> str:
        counts = ["int group_size"] if self.fixed else ["int group_count", "const int *group_sizes"]
        return ", ".join([*counts, "int layout", *(x.declaration for x in self.arguments), "int *info"])

    @property
    def declaration(self) -> str:
        return f"void {self.symbol}({self.parameters});"

    @property
    def fields(self) -> list[str]:
        """What the C struct ``groups`` holds, in its order."""
        field = {x.name: x.field for x in self.arguments}
        counts = ["1", "&group_size"] if self.fixed else ["group_count", "group_sizes"]
        return ["layout", "1", "0", *counts, *(field[name] for name in self.group.arrays)]


def standard_functions(text: FamilyText) -> list[Standard]:
    """Those of a family; none where the standard has no such routine."""
    family = text.family
    known = family.row.symbol in ROUTINES and (family.precision.complex or not family.row.hermitian)
    return [Standard(text, Group(text), fixed) for fixed in (False, True)] if known and has_groups(text) else []


def complex_types(texts: Iterable[FamilyText]) -> list[tuple[str, str]]:
    """The complex types that functions of families use, and the C type of their parts."""
    found = {f.element: f.text.real for text in texts for f in standard_functions(text)}
    return [(name, real) for name, real in found.items() if name != real]
