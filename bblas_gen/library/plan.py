"""What a library is to be, and the C files that it is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from ..codegen.render import render_file, source_of
from ..codegen.unit import unit
from ..ir.spec import KernelSpec
from ..version import __version__
from .contents import Family, Level
from .family import FamilyText, entry
from .groups import Group, group_functions
from .own import own_functions
from .vectors import apart_of

KERNELS, GENERAL = 12, 3
"""Kernels in one C file: for sizes that are known, and for all sizes."""
VARIABLE = "BBLAS_GEN_CPU"
"""The environment variable that names the newest instruction set to be used."""


@dataclass(frozen=True)
class Piece:
    """A C file: ``what`` it is, the instruction set it is for, and what makes its text; ``recipe`` says all that the
    text follows from, beside the generator."""

    what: str
    march: str
    recipe: str
    text: Callable[[], str]


@dataclass(frozen=True)
class Plan:
    """A library. ``families`` have functions; ``more`` are kernels that are found by name alone; ``levels`` are the
    instruction sets, from the oldest on; ``prefix`` begins every name that it exports."""

    name: str
    prefix: str
    families: tuple[Family, ...]
    more: tuple[KernelSpec, ...]
    levels: tuple[Level, ...]
    openmp: bool

    @property
    def header(self) -> str:
        return f"{self.name}.h"

    @cached_property
    def kernels(self) -> list[KernelSpec]:
        """All kernels, each once."""
        return [*dict.fromkeys([*(spec for family in self.families for spec in family.everything), *self.more])]

    def text_of(self, family: Family) -> FamilyText:
        return FamilyText(family, self.levels, self.prefix)

    def pieces(self) -> Iterator[Piece]:
        """The C files, those first that take longest to compile."""
        general = [spec for spec in self.kernels if spec.general]
        known = [spec for spec in self.kernels if not spec.general]
        for specs, size in ((general, GENERAL), (known, KERNELS)):
            for level in reversed(self.levels):
                for i in range(0, len(specs), size):
                    yield self._unit(specs[i : i + size], level)
        march = self.levels[0].march
        for family in self.families:
            yield Piece(family.name, march, repr((self, family.name)), partial(self.family_text, family))
        yield Piece("the names of kernels", march, repr((self, "kernels")), self.names_text)
        yield Piece("the choice of instructions", march, repr((self, "level")), self.level_text)

    def _unit(self, specs: Sequence[KernelSpec], level: Level) -> Piece:
        more = f" and {len(specs) - 1} more" if len(specs) > 1 else ""
        what = f"{specs[0].symbol()}{more} for {level.march}"
        recipe = repr((self.prefix, level, [vars(spec) for spec in specs]))
        return Piece(what, level.march, recipe, partial(self._unit_text, specs, level))

    def _unit_text(self, specs: Sequence[KernelSpec], level: Level) -> str:
        entries = [entry(self.prefix, spec, level) for spec in specs]
        return unit([source_of(spec, level.isa) for spec in specs], entries).text

    def family_text(self, family: Family) -> str:
        """The functions of a family."""
        text = self.text_of(family)
        functions, groups = ["library/own.c"], group_functions(text)
        if groups:
            functions += [f"library/{part}.c" for part in ("group", "window", "group_run", "own_group")]
        return render_file(
            "library/family.c",
            header=self.header,
            prefix=self.prefix,
            name=family.name,
            row=family.row,
            family=family,
            text=text,
            levels=self.levels,
            functions=functions,
            own=own_functions(text),
            own_groups=groups,
            aparts=apart_of(text),
            group=Group(text) if groups else None,
        )

    def names_text(self) -> str:
        rows = [(spec.symbol(), [entry(self.prefix, spec, level) for level in self.levels]) for spec in self.kernels]
        return render_file(
            "library/kernels.c",
            header=self.header,
            prefix=self.prefix,
            levels=self.levels,
            rows=sorted(rows),
            version=__version__,
        )

    def level_text(self) -> str:
        return render_file("library/level.c", prefix=self.prefix, levels=self.levels, variable=VARIABLE)

    def header_text(self) -> str:
        """The header that declares all functions."""
        sections = []
        for family in self.families:
            text = self.text_of(family)
            declarations = [x.declaration for x in own_functions(text)]
            declarations += [x.declaration for x in group_functions(text)]
            sections.append({"formula": f"{family.name}: {family.row.formula}", "declarations": declarations})
        return render_file(
            "library/header.h",
            name=self.name,
            version=__version__,
            guard=f"{self.name.upper()}_H",
            prefix=self.prefix,
            upper=self.prefix.upper(),
            blocks="64 bytes of real numbers",
            openmp=self.openmp,
            variable=VARIABLE,
            manifest=f"share/{self.name}/manifest.json",
            sections=sections,
        )


def unreached(plan_families: Sequence[Family], specs: Sequence[KernelSpec]) -> tuple[KernelSpec, ...]:
    """The kernels of ``specs`` that no function of a family runs."""
    reached = {spec for family in plan_families for spec in family.everything}
    return tuple(spec for spec in dict.fromkeys(specs) if spec not in reached)
