"""Functions of vendors' libraries for batches: ``cblas_?NAME_batch`` for groups, ``cblas_?NAME_batch_strided``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from ..ir.terms import Layout, Precision
from .contents import Family
from .family import FamilyText
from .groups import GroupFunction, group_functions
from .own import Own, own_functions

ROUTINES = ("axpy", "gemm", "gemv", "syrk", "trsm")
"""The operations that vendors have so; copies of vectors are there, too."""
NUMBERS = {"": "int", "_64": "int64_t"}
"""By the end of a name the C type of sizes and counts, of leading dimensions, increments and strides."""


@dataclass(frozen=True)
class Batch:
    """A function for groups: arguments in the order of ``own``, without threads."""

    text: FamilyText
    own: GroupFunction
    end: str

    @property
    def symbol(self) -> str:
        return f"cblas_{self.text.family.name}_batch{self.end}"

    @property
    def routine(self) -> str:
        """Its name in messages."""
        return self.symbol

    @cached_property
    def arguments(self) -> list[tuple[str, str]]:
        """Names and declarations."""
        outputs = {x.name for x in self.text.family.row.outputs}
        return [
            (name, self._declared(name, text, outputs)) for name, text in self.own.arguments if "threads" not in name
        ]

    def _declared(self, name: str, text: str, outputs: set[str]) -> str:
        if name in self.text.family.row.scalars and (name, 2) in self.text.scalars:
            return f"const void *{name}"
        if name in outputs:
            return text.replace("*const *", "**")
        return text.replace("int64_t", NUMBERS[self.end])

    @property
    def declaration(self) -> str:
        return f"void {self.symbol}({', '.join(text for _, text in self.arguments)});"

    @property
    def fields(self) -> list[str]:
        """What the C struct ``groups`` holds, in its order."""
        narrow = str(int(NUMBERS[self.end] == "int"))
        casts = {name: f"(const {self.text.real} *){name}" for name, parts in self.text.scalars if parts == 2}
        operands = {p.name: f"({p.ctype.strip()}){p.name}" for p in self.own.group.operands}
        fields = [(casts | operands).get(name, name) for name in self.own.group.arrays]
        return [self.own.layout, narrow, "0", self.own.count, "group_sizes", *fields]

    @property
    def positions(self) -> list[int]:
        """The positions of what ``understood`` finds at fault, from 1; element 0 is none."""
        return self.own.positions

    @property
    def count(self) -> int:
        """The position of the number of groups; their sizes are next."""
        return self.own.position(self.own.count)


@dataclass(frozen=True)
class Strided:
    """A function for a batch with strides: that of our own, without threads."""

    text: FamilyText
    own: Own
    end: str

    @property
    def symbol(self) -> str:
        return f"cblas_{self.text.family.name}_batch_strided{self.end}"

    @property
    def routine(self) -> str:
        """Its name in messages."""
        return self.symbol

    @property
    def more(self) -> int:
        """The arguments of our own function that come before all of this one."""
        return 0

    @property
    def declaration(self) -> str:
        pairs = {name for name, parts in self.text.scalars if parts == 2}
        texts = []
        for text in self.own.texts[:-1]:
            kind, name = text.rsplit(" ", 1)
            texts.append(f"const void *{name[1:]}" if name[1:] in pairs else f"{kind} {name}")
        return f"void {self.symbol}({', '.join(texts)});".replace("int64_t", NUMBERS[self.end])

    @property
    def arguments(self) -> str:
        return ", ".join([*self.own.names[:-1], "0"])


@dataclass(frozen=True)
class Copy:
    """The functions that copy vectors of one precision."""

    precision: Precision
    end: str

    @property
    def symbol(self) -> str:
        return f"cblas_{self.precision.letter}copy_batch"

    @property
    def type(self) -> str:
        """The C type of an element."""
        return f"{self.precision.letter}_element"

    @property
    def one(self) -> str:
        """The C function that copies one vector."""
        return f"{self.precision.letter}_copied"

    @property
    def structure(self) -> str:
        """What an element is."""
        return f"struct {{ {self.precision.storage.name} part[{self.precision.parts}]; }}"

    @property
    def number(self) -> str:
        return NUMBERS[self.end]

    @property
    def declarations(self) -> list[str]:
        i, t = self.number, "void" if self.precision.complex else self.precision.storage.name
        vectors = f"const {t} *const *X, const {i} *incx, {t} **Y, const {i} *incy"
        strided = f"const {t} *X, {i} incx, {i} stride_x, {t} *Y, {i} incy, {i} stride_y"
        return [
            f"void {self.symbol}{self.end}(const {i} *n, {vectors}, {i} group_count, const {i} *group_sizes);",
            f"void {self.symbol}_strided{self.end}({i} n, {strided}, {i} batch_count);",
        ]

    @property
    def fortran(self) -> list[tuple[str, str]]:
        """Declarations of the functions that Fortran calls, and the calls of those in C."""
        i, t = self.number, "void" if self.precision.complex else self.precision.storage.name
        name, counts = f"{self.precision.letter}copy_batch", f"const {i} *group_count, const {i} *group_sizes"
        vectors = f"const {t} *const *X, const {i} *incx, {t} **Y, const {i} *incy"
        strided = f"const {t} *X, const {i} *incx, const {i} *stride_x, {t} *Y, const {i} *incy, const {i} *stride_y"
        return [
            (
                f"void {name}{self.end}_(const {i} *n, {vectors}, {counts});",
                f"{self.symbol}{self.end}(n, X, incx, Y, incy, *group_count, group_sizes);",
            ),
            (
                f"void {name}_strided{self.end}_(const {i} *n, {strided}, const {i} *batch_count);",
                f"{self.symbol}_strided{self.end}(*n, X, *incx, *stride_x, Y, *incy, *stride_y, *batch_count);",
            ),
        ]


def known(text: FamilyText) -> bool:
    return text.family.row.symbol in ROUTINES


def batches(text: FamilyText) -> list[Batch]:
    found = [f for f in group_functions(text) if f.sizes] if known(text) else []
    return [Batch(text, f, end) for f, end in product(found, NUMBERS)]


def strided(text: FamilyText) -> list[Strided]:
    found = [f for f in own_functions(text) if f.call.layout is Layout.ST] if known(text) else []
    return [Strided(text, f, end) for f, end in product(found, NUMBERS)]


def copies(families: Sequence[Family]) -> list[Copy]:
    """In the precisions of families."""
    precisions = dict.fromkeys(family.precision for family in families)
    return [Copy(p, end) for p, end in product(precisions, NUMBERS)]
