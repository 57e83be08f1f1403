"""Large matrices and long vectors: kernels for all sizes of another form, and which problems these do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..codegen.recursive import needs_of
from ..codegen.signature import signature_of
from ..ir.program import Program
from ..ir.spec import KernelSpec
from ..schedule import large
from .contents import Family, Level
from .family import FamilyText, entry, types, works
from .vectors import apart_of


@dataclass(frozen=True)
class Large:
    """What a template needs of kernels for large operands: ``specs`` by the number that is C text, ``code``, of a
    problem ``p``; ``name`` is that of their table in C."""

    text: FamilyText
    name: str
    specs: Sequence[KernelSpec]
    code: str

    @property
    def form(self) -> str:
        return large.form(self.specs[0])

    @cached_property
    def _conditions(self) -> list[str]:
        """The C text, for each kernel, of the condition that a problem is large."""
        row = self.text.family.row
        names = {name: f"p->{name}" for name in row.sizes}
        return [large.condition(spec, row.extents(names, spec.flag)) for spec in self.specs]

    @property
    def conditions(self) -> list[str]:
        """Each once."""
        return [*dict.fromkeys(self._conditions)]

    @property
    def which(self) -> list[int]:
        """The number of the condition of each kernel."""
        return [self.conditions.index(one) for one in self._conditions]

    @property
    def types(self) -> str:
        """The types of a kernel's parameters."""
        return types(signature_of(self.specs[0]).parameters)

    @property
    def prototypes(self) -> list[str]:
        """Of kernels, and of those in the caller's scratch, which kernels without scratch on the heap do not have."""
        names = [self.entry(spec, level) for spec in self.specs for level in self.text.levels]
        plain = [f"int {name}({self.types});" for name in names]
        return plain + [works(name, self.types) for name in names]

    def entry(self, spec: KernelSpec, level: Level) -> str:
        return large_entry(self.text.prefix, spec, level)


def large_entry(prefix: str, spec: KernelSpec, level: Level) -> str:
    """The symbol of a kernel for large operands in a library, beside the one for others."""
    return f"{entry(prefix, spec, level)}_large"


def large_of(text: FamilyText) -> dict[str, Large]:
    """By the names of what runs them, a layout, or that of vectors whose elements lie apart."""
    found = [Large(text, str(layout), text.family.general(layout), "p->code") for layout in text.family.layouts]
    found += [Large(text, one.name, one.specs, one.code) for one in apart_of(text).values()]
    return {one.name: one for one in found if one.form}


def large_kernels(family: Family) -> list[KernelSpec]:
    """The kernels of a family for large operands, each once."""
    every = [spec for layout in family.layouts for some in (family.general, family.apart) for spec in some(layout)]
    return [spec for spec in dict.fromkeys(every) if large.form(spec)]


def called(specs: Sequence[KernelSpec]) -> list[KernelSpec]:
    """The kernels of products that they call, each once."""
    found = (need.spec for spec in specs if large.form(spec) == "recursive" for need in needs_of(Program.of(spec)))
    return [*dict.fromkeys(found)]
