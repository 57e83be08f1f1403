"""The functions of vendors' libraries as Fortran calls them: all by reference, with letters, matrices by columns."""

from __future__ import annotations

from dataclasses import dataclass

from .family import FamilyText
from .own import Own
from .vendor import NUMBERS, Batch, Strided, batches, strided


def letters(declaration: str) -> str:
    return declaration.replace("int *", "char *")


@dataclass(frozen=True)
class FortranBatch:
    """A function for groups: arguments in the order of ``batch``, without a memory order."""

    text: FamilyText
    batch: Batch

    @property
    def symbol(self) -> str:
        return f"{self.text.family.name}_batch{self.batch.end}_"

    @property
    def routine(self) -> str:
        """Its name in messages."""
        return self.symbol.removesuffix("_").upper()

    @property
    def declaration(self) -> str:
        flags, counts = self.text.family.row.flags, (self.batch.own.count,)
        texts = []
        for name, text in self.batch.arguments:
            if name in counts:
                texts.append(f"const {NUMBERS[self.batch.end]} *{name}")
            elif name != "layout":
                texts.append(letters(text) if name in flags else text)
        return f"void {self.symbol}({', '.join(texts)});"

    @property
    def fields(self) -> list[str]:
        """What the C struct ``groups`` holds, in its order."""
        _, narrow, _, count, *others = self.batch.fields
        return ["102", narrow, "1", f"*{count}", *others]

    @property
    def _order(self) -> int:
        return int(self.text.family.ordered)

    @property
    def positions(self) -> list[int]:
        """The positions of what ``understood`` finds at fault, from 1; element 0 is none."""
        return [max(0, at - self._order) for at in self.batch.positions]

    @property
    def count(self) -> int:
        """The position of the number of groups; their sizes are next."""
        return self.batch.count - self._order


@dataclass(frozen=True)
class FortranStrided:
    """A function for a batch with strides: that of our own, without a memory order and threads."""

    text: FamilyText
    strided: Strided

    @property
    def own(self) -> Own:
        return self.strided.own

    @property
    def symbol(self) -> str:
        return f"{self.text.family.name}_batch_strided{self.strided.end}_"

    @property
    def routine(self) -> str:
        """Its name in messages."""
        return self.symbol.removesuffix("_").upper()

    @property
    def more(self) -> int:
        """The arguments of our own function that come before all of this one."""
        return int(self.text.family.ordered)

    @property
    def _arguments(self) -> list[tuple[str, str]]:
        """Names and declarations of those of our own function that are given, too."""
        return self.strided.own.arguments[self.more : -1]

    @property
    def declaration(self) -> str:
        return f"void {self.symbol}({', '.join(self._declared(*argument) for argument in self._arguments)});"

    def _declared(self, name: str, text: str) -> str:
        if (name, 2) in self.text.scalars:
            return f"const void *{name}"
        if "*" in text:
            return text
        kind = "char" if name in self.text.family.row.flags else text.rsplit(" ", 1)[0]
        return f"const {kind.replace('int64_t', NUMBERS[self.strided.end])} *{name}"

    @property
    def arguments(self) -> str:
        """Those of our own function."""
        flags = {flag.name: flag for flag in self.text.flags}
        found = ["102"] * self.more
        for name, text in self._arguments:
            if name in flags:
                found.append(f"number_of(*{name}, {flags[name].named})")
            else:
                found.append(name if "*" in text else f"*{name}")
        return ", ".join([*found, "0"])


def fortran_batches(text: FamilyText) -> list[FortranBatch]:
    return [FortranBatch(text, f) for f in batches(text)]


def fortran_strided(text: FamilyText) -> list[FortranStrided]:
    return [FortranStrided(text, f) for f in strided(text)]
