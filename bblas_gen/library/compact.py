"""The compact functions of a vendor's library, for interleaved matrices: with our prefix, and by the vendor's names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from ..codegen.signature import Parameter, signature_of
from ..ir.spec import KernelSpec
from ..ir.terms import Layout, Precision
from .contents import Family
from .family import Call, FamilyText
from .own import Own
from .vendor import NUMBERS

ROUTINES = {"gemm": "", "potrf": "", "trsm": "", "getrfnp": "", "getrinp": "n"}
"""The operations that have such functions, and the elements of a block of the vendor's workspace, where there is one,
which ours need not. The vendor's other one, QR, is not in our table."""
FORMAT = 183
"""The vendor's number for the format in which a block is 64 bytes of real numbers: that of ``bi``."""


@dataclass(frozen=True)
class Compact(Own):
    """A function for a fixed batch of interleaved matrices, which have a memory order and leading dimensions."""

    @property
    def symbol(self) -> str:
        return f"{self.text.prefix}{self.text.family.name}_compact"

    @property
    def workspace(self) -> str:
        """The elements of a block that the vendor wants as workspace, in C; "" where it wants none."""
        return ROUTINES[self.text.family.row.symbol]

    @cached_property
    def kept(self) -> list[Parameter]:
        """The parameters in the order of the BLAS, between flags and format; a workspace is before info."""
        found = [p for p in self.call.signature.parameters if p.name not in ("batch_count", "num_threads")]
        if self.workspace:
            more = {"work": f"{self.text.real} *", "lwork": "int64_t"}
            found[-1:-1] = [Parameter(name, "plain", ctype, "", "") for name, ctype in more.items()]
        return found

    @cached_property
    def names(self) -> list[str]:
        return ["layout", *self.text.family.row.flags, *(p.name for p in self.kept), "format", "nm"]

    @property
    def texts(self) -> list[str]:
        flags = [f"int {name}" for name in ("layout", *self.text.family.row.flags)]
        return [*flags, *(p.text for p in self.kept), "int format", "int64_t nm"]

    @property
    def exchanged(self) -> bool:
        return True

    @property
    def understood(self) -> list[str]:
        return self.text.asked

    @property
    def digits(self) -> list[tuple[str, int]]:
        """The flags that shapes depend on, and their first numbers."""
        row = self.text.family.row
        used = {x.flag for x in row.operands} | {rule.flag for _, rule in row.derived}
        return [(flag.name, flag.first) for flag in self.text.flags if flag.name in used]

    @property
    def spaced(self) -> list[KernelSpec]:
        """The kernels that read leading dimensions, by their code."""
        return self.text.family.spaced

    @property
    def gaps(self) -> str:
        """The C condition that elements do not follow one another as the kernels of ``run_bi`` have them."""
        found = [f"ld{x.name.lower()} > {self.text.least_ld(x)}" for x in self.text.matrices]
        return " || ".join([*["row_major"] * (not self.text.family.turns), *found])

    @property
    def handed(self) -> str:
        """The arguments of `run_bi`."""
        ours = {"batch_count": "nm", "num_threads": "0"}
        return ", ".join(ours.get(p.name) or self._turned(p) for p in self.call.passed)


@dataclass(frozen=True)
class Named:
    """A function by the vendor's name: one of our own, with numbers of another size, that returns nothing. Its ``info``
    is one number."""

    own: Compact
    end: str

    @property
    def symbol(self) -> str:
        return f"mkl_{self.own.text.family.name}_compact{self.end}"

    @property
    def declaration(self) -> str:
        return f"void {self.symbol}({', '.join(map(self._declared, self.own.texts))});"

    def _declared(self, text: str) -> str:
        name = text.rsplit(" ", 1)[1].lstrip("*")
        if (name, 2) in self.own.text.scalars:
            return f"const void *{name}"
        return text.replace("int32_t", NUMBERS[self.end]).replace("int64_t", NUMBERS[self.end])

    @property
    def arguments(self) -> str:
        return ", ".join("each" if name == "info" else name for name in self.own.names)


@dataclass(frozen=True)
class Packing:
    """The functions that make compact matrices of one precision, and take them apart; ``prefix`` is ours."""

    precision: Precision
    prefix: str

    def symbol(self, what: str) -> str:
        return f"{self.prefix}{self.precision.letter}{what}_compact"

    def named(self, what: str, end: str) -> str:
        """The vendor's name."""
        return f"mkl_{self.precision.letter}{what}_compact{end}"

    @property
    def real(self) -> str:
        return self.precision.storage.name

    @property
    def element(self) -> int:
        """The numbers of an element of a block."""
        return self.precision.default_nb * self.precision.parts

    @property
    def numbers(self) -> list[tuple[int, int, str]]:
        """Of an element each number, where those of a block begin, and in C what a matrix that is missing has."""
        return [(i, i * self.precision.default_nb, "0" if i else "i == j") for i in range(self.precision.parts)]

    @property
    def sizes(self) -> str:
        """The parameters of the function for bytes."""
        return "int64_t ld, int64_t sd, int format, int64_t nm"

    @property
    def into(self) -> str:
        return self._parameters(f"const {self._element} *const *a", f"{self.real} *ap")

    @property
    def out_of(self) -> str:
        return self._parameters(f"{self._element} *const *a", f"const {self.real} *ap")

    @property
    def _element(self) -> str:
        return "void" if self.precision.complex else self.real

    def _parameters(self, a: str, ap: str) -> str:
        numbers = "int layout, int64_t rows, int64_t columns"
        return f"{numbers}, {a}, int64_t lda, {ap}, int64_t ldap, int format, int64_t nm"

    @property
    def declarations(self) -> list[str]:
        return [
            f"int64_t {self.symbol('get_size')}({self.sizes});",
            f"int {self.symbol('gepack')}({self.into});",
            f"int {self.symbol('geunpack')}({self.out_of});",
        ]

    @property
    def of_vendor(self) -> list[tuple[str, str, list[str]]]:
        """The ends of the vendor's names, the type of numbers, and the declarations of the same functions by these."""
        return [(end, number, self._of_vendor(end, number)) for end, number in NUMBERS.items()]

    def _of_vendor(self, end: str, number: str) -> list[str]:
        found = [
            f"int64_t {self.named('get_size', end)}({self.sizes});",
            f"void {self.named('gepack', end)}({self.into});",
            f"void {self.named('geunpack', end)}({self.out_of});",
        ]
        return [text.replace("int64_t", number) for text in found]


def compact_functions(text: FamilyText) -> list[Compact]:
    """That of a family with interleaved matrices; none where the vendor has no such routine."""
    if text.family.row.symbol not in ROUTINES or Layout.BI not in text.family.layouts:
        return []
    return [Compact(text, Call(Layout.BI, 0, signature_of(text.family.spaced[0]), True, {}, {}))]


def named_functions(text: FamilyText) -> list[Named]:
    return [Named(f, end) for f, end in product(compact_functions(text), NUMBERS)]


def packings(families: Sequence[Family], prefix: str) -> list[Packing]:
    """In the precisions of families."""
    return [Packing(p, prefix) for p in dict.fromkeys(family.precision for family in families)]
