"""What a library is to be, and the C files that it is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from ..codegen.render import render_file, source_of
from ..codegen.unit import unit
from ..ir.spec import KernelSpec
from ..schedule.large import form
from ..schedule.work import TASK_NS
from ..toolchain.machine import POOLED
from ..version import __version__
from .by_reference import FortranBatch, FortranStrided, fortran_batches, fortran_strided
from .compact import FORMAT, compact_functions, named_functions, packings
from .contents import Family, Level
from .family import FamilyText, entry
from .fortran import bindings
from .groups import Group, group_functions, ours
from .large import called, large_entry, large_kernels, large_of
from .overloads import overloads
from .own import WORK, own_functions, work_functions
from .standard import complex_types, standard_functions
from .vectors import apart_of
from .vendor import Batch, Strided, batches, copies, strided

GROUPS = ["group", "blocks", "kinds", "survey", "window"]
GROUPS += ["group_run", "group_parts", "all_groups", "own_group"]
"""What the functions for groups are written in, in this order."""
KERNELS, GENERAL = 12, 3
"""Kernels in one C file: for sizes that are known, and for all sizes."""
VARIABLE = "BBLAS_GEN_CPU"
"""The environment variable that names the newest instruction set to be used."""
APIS = ("own", "standard", "vendor", "compact", "mkl_compact")
"""The interfaces that a library may have: it always has ``own``, and ``compact`` beside ``mkl_compact``."""


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
    instruction sets, from the oldest on; ``prefix`` begins every name of our own that it exports; ``apis`` are its
    interfaces. ``python``: it is for Python's processes alone, and has their thread pool in the place of OpenMP."""

    name: str
    prefix: str
    families: tuple[Family, ...]
    more: tuple[KernelSpec, ...]
    levels: tuple[Level, ...]
    openmp: bool
    apis: tuple[str, ...] = ("own",)
    python: bool = False

    @property
    def pool(self) -> bool:
        """Whether the thread pool is in it."""
        return self.python and POOLED

    @property
    def compact(self) -> bool:
        """Whether there are compact functions."""
        return "compact" in self.apis or self.named

    @property
    def named(self) -> bool:
        """Whether these are there by the vendor's names, too."""
        return "mkl_compact" in self.apis

    @cached_property
    def texts(self) -> list[FamilyText]:
        return [self.text_of(family) for family in self.families]

    @cached_property
    def kernels(self) -> list[KernelSpec]:
        """All kernels, each once."""
        found = [spec for family in self.families for spec in family.everything]
        found += [spec for text in self.texts * self.compact for f in compact_functions(text) for spec in f.spaced]
        return [*dict.fromkeys([*found, *self.more, *called(self.large)])]

    @cached_property
    def large(self) -> list[KernelSpec]:
        """The kernels for large operands, each once; others have their names, too."""
        return [*dict.fromkeys(spec for family in self.families for spec in large_kernels(family))]

    def text_of(self, family: Family) -> FamilyText:
        return FamilyText(family, self.levels, self.prefix)

    def pieces(self) -> Iterator[Piece]:
        """The C files, those first that take longest to compile."""
        general = [spec for spec in self.kernels if spec.general]
        known = [spec for spec in self.kernels if not spec.general]
        for specs, size, large in ((general, GENERAL, False), (self.large, GENERAL, True), (known, KERNELS, False)):
            for level in reversed(self.levels):
                for i in range(0, len(specs), size):
                    yield self._unit(specs[i : i + size], level, large)
        march = self.levels[0].march
        for family in self.families:
            yield Piece(family.name, march, repr((self, family.name)), partial(self.family_text, family))
        if "vendor" in self.apis:
            yield Piece("copies of vectors", march, repr((self, "copies")), self.copies_text)
        if self.compact:
            yield Piece("compact storage", march, repr((self, "packing")), self.packing_text)
        yield Piece("the names of kernels", march, repr((self, "kernels")), self.names_text)
        if self.pool:
            yield Piece("the thread pool", march, "pool", _pool_text)
        yield Piece("the choice of instructions", march, repr((self, "level")), self.level_text)

    def _unit(self, specs: Sequence[KernelSpec], level: Level, large: bool) -> Piece:
        more = f" and {len(specs) - 1} more" if len(specs) > 1 else ""
        what = f"{specs[0].symbol()}{more}{', large,' * large} for {level.march}"
        recipe = repr((self.prefix, self.python, level, [vars(spec) for spec in specs], large))
        return Piece(what, level.march, recipe, partial(self._unit_text, specs, level, large))

    def _unit_text(self, specs: Sequence[KernelSpec], level: Level, large: bool) -> str:
        named = large_entry if large else entry
        entries = [named(self.prefix, spec, level) for spec in specs]
        sources = [source_of(spec, level.isa, **({"form": form(spec)} if large else {})) for spec in specs]
        text = unit(sources, entries).text
        if self.python:
            return text
        others = {"bblas_parallel": f"{self.prefix}parallel"}
        needed = {need.symbol: entry(self.prefix, need.spec, level) for one in sources for need in one.needs}
        others |= {name + more: other + more for name, other in needed.items() for more in ("", f"_{WORK}")}
        defines = "".join(f"#define {name} {other}\n" for name, other in others.items())
        return f"#define BB_POOL\n#define BB_WORK\n{defines}{text}"

    def family_text(self, family: Family) -> str:
        """The functions of a family."""
        text = self.text_of(family)
        functions, groups = ["library/memory.c", "library/own.c"], group_functions(text)
        if groups:
            functions += [f"library/{part}.c" for part in GROUPS]
            functions[2:2] = ["library/indices.c"] * (Group(text).index is not None)
        standard = standard_functions(text) if "standard" in self.apis else []
        vendor = _of_vendors(text) if "vendor" in self.apis else ([], [])
        compact = compact_functions(text) if self.compact else []
        named = named_functions(text) if self.named else []
        functions += ["library/refused.c"] * bool(vendor[0] or named)
        functions += ["library/standard.c"] * bool(standard) + ["library/vendor.c"] * bool(vendor[0])
        functions += ["library/compact.c"] * bool(compact)
        return render_file(
            "library/family.c",
            headers=[name for name in self.headers if name.endswith(".h")],
            prefix=self.prefix,
            name=family.name,
            row=family.row,
            family=family,
            text=text,
            levels=self.levels,
            functions=functions,
            own=[*own_functions(text), *work_functions(text)],
            own_groups=[*groups, *group_functions(text, work=True)],
            group=Group(text) if groups else None,
            keeps=bool(groups) and not self.python and Group(text).index is None,
            standard=standard,
            batches=vendor[0],
            strided=vendor[1],
            compact=compact[0] if compact else None,
            named=named,
            block_format=FORMAT,
            aparts=apart_of(text),
            larges=large_of(text),
        )

    def names_text(self) -> str:
        rows = [(spec.symbol(), [entry(self.prefix, spec, level) for level in self.levels]) for spec in self.kernels]
        return render_file(
            "library/kernels.c",
            header=f"{self.name}.h",
            prefix=self.prefix,
            levels=self.levels,
            rows=sorted(rows),
            version=__version__,
        )

    def copies_text(self) -> str:
        return render_file("library/copies.c", header=f"{self.name}_vendor.h", copies=copies(self.families))

    def packing_text(self) -> str:
        return render_file(
            "library/packing.c",
            header=f"{self.name}_compact.h",
            prefix=self.prefix,
            packings=packings(self.families, self.prefix),
            named=self.named,
            block_format=FORMAT,
        )

    def level_text(self) -> str:
        task = 0 if self.python else TASK_NS
        return render_file("library/level.c", prefix=self.prefix, levels=self.levels, variable=VARIABLE, task=task)

    @cached_property
    def headers(self) -> dict[str, str]:
        """The headers that declare all functions, by the names of their files."""
        found = {
            f"{self.name}.h": self._own_header(),
            f"{self.name}.hpp": self._header("header.hpp", overloads, prefix=self.prefix),
            f"{self.name}.f90": self._header("module.f90", bindings, prefix=self.prefix),
        }
        if "standard" in self.apis:
            types = complex_types(self.texts)
            found[f"{self.name}_standard.h"] = self._header("standard.h", standard_functions, complex_types=types)
        if "vendor" in self.apis:
            known = copies(self.families)
            of_copies = [*(text for f in known for text in f.declarations), *(x for f in known for x, _ in f.fortran)]
            found[f"{self.name}_vendor.h"] = self._header(
                "vendor.h", lambda text: [f for some in _of_vendors(text) for f in some], copies=of_copies
            )
        if self.compact:
            found[f"{self.name}_compact.h"] = self._compact_header()
        return found

    def _compact_header(self) -> str:
        of_packing = packings(self.families, self.prefix)
        return self._header(
            "compact.h",
            lambda text: [*compact_functions(text), *(named_functions(text) if self.named else [])],
            prefix=self.prefix,
            packings=[text for f in of_packing for text in f.declarations],
            of_vendor=[text for f in of_packing for *_, some in f.of_vendor for text in some] if self.named else [],
            block_format=FORMAT,
        )

    def _own_header(self) -> str:
        return self._header(
            "header.h",
            ours,
            prefix=self.prefix,
            upper=self.prefix.upper(),
            blocks="64 bytes of real numbers",
            openmp=self.openmp,
            variable=VARIABLE,
            manifest=f"share/{self.name}/manifest.json",
        )

    def _header(self, template: str, functions: Callable[[FamilyText], Sequence[Any]], **more: Any) -> str:
        """A header with those of all families."""
        sections = []
        for text in self.texts:
            formula = f"{text.family.name}: {text.family.row.formula}"
            if known := functions(text):
                sections.append({"formula": formula, "functions": known})
        guard = f"{self.name}_{template}".upper().replace("_HEADER.", "_").replace(".", "_")
        return render_file(
            f"library/{template}", name=self.name, version=__version__, guard=guard, sections=sections, **more
        )


def _of_vendors(text: FamilyText) -> tuple[list[Batch | FortranBatch], list[Strided | FortranStrided]]:
    """The functions of vendors' libraries for groups, and for batches with strides."""
    return [*batches(text), *fortran_batches(text)], [*strided(text), *fortran_strided(text)]


def _pool_text() -> str:
    """Kernels that are loaded later see its functions."""
    return f"#pragma GCC visibility push(default)\n{render_file('threads/pool.c')}"


def unreached(plan_families: Sequence[Family], specs: Sequence[KernelSpec]) -> tuple[KernelSpec, ...]:
    """The kernels of ``specs`` that no function of a family runs."""
    reached = {spec for family in plan_families for spec in family.everything}
    return tuple(spec for spec in dict.fromkeys(specs) if spec not in reached)
