"""The Fortran module: an interface of ``iso_c_binding`` for each of our own functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .family import FamilyText
from .groups import group_functions
from .own import own_functions

TYPES = {
    "int": "integer(c_int)",
    "int32_t": "integer(c_int32_t)",
    "int64_t": "integer(c_int64_t)",
    "float": "real(c_float)",
    "double": "real(c_double)",
}
COMPLEX = {"float": "complex(c_float_complex)", "double": "complex(c_double_complex)"}
"""By C type of a real number, and of the parts of a complex one."""


@dataclass(frozen=True)
class Binding:
    """A function of C: ``arguments`` are names and declarations there, and scalars are ``arrays`` in some."""

    text: FamilyText
    symbol: str
    arguments: Sequence[tuple[str, str]]
    arrays: bool

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.arguments]

    @property
    def declarations(self) -> list[str]:
        return [self._declared(name, text) for name, text in self.arguments]

    def _declared(self, name: str, declaration: str) -> str:
        if (name, 2) in self.text.scalars:
            return f"{COMPLEX[self.text.real]}, intent(in) :: {name}{'(*)' if self.arrays else ''}"
        if "*const *" in declaration:
            return f"type(c_ptr), intent(in) :: {name}(*)"
        kind = declaration.removeprefix("const ").split()[0]
        fortran = COMPLEX[self.text.real] if kind == "void" else TYPES[kind]
        if "*" not in declaration:
            return f"{fortran}, value :: {name}"
        return f"{fortran}, intent({'in' if declaration.startswith('const ') else 'inout'}) :: {name}(*)"


def bindings(text: FamilyText) -> list[Binding]:
    """Those of a family."""
    own = [Binding(text, f.symbol, list(zip(f.names, f.texts, strict=True)), arrays=False) for f in own_functions(text)]
    return [*own, *(Binding(text, f.symbol, f.arguments, arrays=True) for f in group_functions(text))]
