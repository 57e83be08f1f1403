"""The C++ header: a function of one name for all precisions, which calls ours for the one that its arguments have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..ir.terms import Kind
from .family import FamilyText
from .groups import group_functions
from .own import own_functions


@dataclass(frozen=True)
class Overload:
    """``function`` of C by the name ``name``; ``arguments`` are names and declarations there; scalars are ``arrays``
    in some. Complex numbers are std::complex."""

    text: FamilyText
    name: str
    function: str
    arguments: Sequence[tuple[str, str]]
    arrays: bool

    @property
    def element(self) -> str:
        return f"std::complex<{self.text.real}>"

    @property
    def declaration(self) -> str:
        return f"inline int {self.name}({', '.join(self._declared(*argument) for argument in self.arguments)})"

    @property
    def call(self) -> str:
        return f"{self.function}({', '.join(self._passed(*argument) for argument in self.arguments)})"

    def _pair(self, name: str) -> bool:
        return (name, 2) in self.text.scalars

    def _declared(self, name: str, declaration: str) -> str:
        if self._pair(name):
            return f"const {self.element} *{name}" if self.arrays else f"{self.element} {name}"
        return declaration.replace("void *", f"{self.element} *") if self._matrix(name) else declaration

    def _matrix(self, name: str) -> bool:
        return any(x.name == name and x.kind is not Kind.INDEX for x in self.text.matrices)

    def _passed(self, name: str, declaration: str) -> str:
        if self._pair(name):
            return f"reinterpret_cast<const {self.text.real} *>({'' if self.arrays else '&'}{name})"
        if self._matrix(name) and "void *const *" in declaration:
            return f"reinterpret_cast<{declaration.removesuffix(name)}>({name})"
        return name


def overloads(text: FamilyText) -> list[Overload]:
    """Those of a family. Interleaved matrices have none: those of complex numbers are reals, too."""
    op, found = text.family.row.symbol, []
    for f in own_functions(text):
        if not f.call.packed:
            arguments = list(zip(f.names, f.texts, strict=True))
            found.append(Overload(text, f"{op}_{f.layout}", f.symbol, arguments, arrays=False))
    return [*found, *(Overload(text, f"{op}_{f.kind}", f.symbol, f.arguments, True) for f in group_functions(text))]
