"""The Fortran module: an interface of ``iso_c_binding`` for each of our own functions."""

from __future__ import annotations

from dataclasses import dataclass

from .family import FamilyText
from .groups import GroupFunction, ours
from .own import WORK, Own

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
    """A function of C."""

    text: FamilyText
    function: Own | GroupFunction

    @property
    def symbol(self) -> str:
        return self.function.symbol

    @property
    def result(self) -> str:
        return TYPES[self.function.result]

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.function.arguments]

    @property
    def declarations(self) -> list[str]:
        return [self._declared(name, text) for name, text in self.function.arguments]

    def _declared(self, name: str, declaration: str) -> str:
        if (name, 2) in self.text.scalars:
            return f"{COMPLEX[self.text.real]}, intent(in) :: {name}{'(*)' if self.function.arrays else ''}"
        if declaration == f"void *{WORK}":
            return f"type(c_ptr), value :: {WORK}"
        if "*const *" in declaration:
            return f"type(c_ptr), intent(in) :: {name}(*)"
        kind = declaration.removeprefix("const ").split()[0]
        fortran = COMPLEX[self.text.real] if kind == "void" else TYPES[kind]
        if "*" not in declaration:
            return f"{fortran}, value :: {name}"
        return f"{fortran}, intent({'in' if declaration.startswith('const ') else 'inout'}) :: {name}(*)"


def bindings(text: FamilyText) -> list[Binding]:
    """Those of a family."""
    return [Binding(text, f) for f in ours(text)]
