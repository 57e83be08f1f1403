"""The C++ header: a function of one name for all precisions, which calls ours for the one that its arguments have."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.terms import Kind
from .family import FamilyText
from .groups import GroupFunction, ours
from .own import Own


@dataclass(frozen=True)
class Overload:
    """``function`` of C by a name without prefix and precision. Complex numbers are std::complex."""

    text: FamilyText
    function: Own | GroupFunction

    @property
    def name(self) -> str:
        return self.function.symbol.removeprefix(self.text.prefix + self.text.family.precision.letter)

    @property
    def element(self) -> str:
        return f"std::complex<{self.text.real}>"

    @property
    def declaration(self) -> str:
        declared = ", ".join(self._declared(*argument) for argument in self.function.arguments)
        return f"inline {self.function.result} {self.name}({declared})"

    @property
    def call(self) -> str:
        return f"{self.function.symbol}({', '.join(self._passed(*argument) for argument in self.function.arguments)})"

    def _pair(self, name: str) -> bool:
        return (name, 2) in self.text.scalars

    def _declared(self, name: str, declaration: str) -> str:
        if self._pair(name):
            return f"const {self.element} *{name}" if self.function.arrays else f"{self.element} {name}"
        return declaration.replace("void *", f"{self.element} *") if self._matrix(name) else declaration

    def _matrix(self, name: str) -> bool:
        return any(x.name == name and x.kind is not Kind.INDEX for x in self.text.matrices)

    def _passed(self, name: str, declaration: str) -> str:
        if self._pair(name):
            return f"reinterpret_cast<const {self.text.real} *>({'' if self.function.arrays else '&'}{name})"
        if self._matrix(name) and "void *const *" in declaration:
            return f"reinterpret_cast<{declaration.removesuffix(name)}>({name})"
        return name


def overloads(text: FamilyText) -> list[Overload]:
    """Those of a family. Interleaved matrices have none: those of complex numbers are reals, too."""
    return [Overload(text, f) for f in ours(text) if not f.packed]
