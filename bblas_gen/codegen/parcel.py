"""What is emitted: kernels as source, and all that a program needs to build, test and use them without us."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from ..errors import SpecError
from ..ir.sequence_text import text_of
from ..ir.sizes import evaluate
from ..ir.spec import KernelSpec
from ..ir.targets import TARGETS, Isa, Target
from ..schedule.large import form
from ..toolchain.compilers import ARITHMETIC, CONTRACT
from ..toolchain.cuda import FLAGS
from ..version import __version__
from . import examples, selftest
from .names import PARCEL
from .render import Source, render_file, source_of
from .unit import unit

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_OPTIONS = {"cpu": ("-O3", *ARITHMETIC), "cuda": FLAGS}
"""What kernels are compiled with, whatever the compiler."""
_GPUS = ("80", "90")
"""What GPUs are compiled for where nobody says; later ones compile when the program runs."""
_FRAME = 8 << 10
"""Bytes of stack that a kernel may take beside its scratch."""


@dataclass(frozen=True)
class Parcel:
    """The kernels of ``specs`` for an instruction set, under a name; ``large``: those for any size are for large
    matrices, and the kernels that they call are there too. The same everywhere, to the byte: nothing of it
    depends on the machine or the day. Raises SpecError (a ValueError) where the name is none, where there is no kernel,
    or some of another target."""

    specs: tuple[KernelSpec, ...]
    isa: Isa
    name: str = PARCEL
    large: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not _NAME.fullmatch(self.name):
            raise SpecError(f"name = {self.name!r} is not a name: expected letters, digits and _, no digit first")
        if not self.specs:
            raise SpecError("specs name no kernel: expected one or more")
        if len({spec.target for spec in self.specs}) > 1:
            raise SpecError("specs are of several targets: expected one")

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        found = [source_of(spec, self.isa, **(_large(spec) if self.large else {})) for spec in self.specs]
        here = {one.symbol: one for one in found}
        for need in (need for one in found for need in one.needs):
            if need.symbol not in here:
                here[need.symbol] = source_of(need.spec, self.isa)
        return tuple(here.values())

    @cached_property
    def files(self) -> dict[str, str]:
        """The text of each file by its path."""
        found = {_path(one): one.text for one in self.sources}
        declarations = self._file("header.h", guard=self.name.upper() + "_H", notes=self._target.notes)
        kernels = {"declarations": declarations, "unit": unit(self.sources).text}
        found |= {
            f"include/{self.name}.h": declarations,
            f"{self.name}{self._target.suffix}": self._own(f"amalgamation{self._target.suffix}", **kernels),
            "selftest.c": self._file("selftest.c", **selftest.context(self.specs, large=self.large)),
            "examples/example.c": self._file("example.c", **examples.context(self.specs[0], cxx=False)),
            "examples/example.cpp": self._file("example.c", **examples.context(self.specs[0], cxx=True)),
            **{name: self._own(name) for name in ("CMakeLists.txt", "Config.cmake.in", "Makefile")},
            **{name: self._file(name) for name in ("LICENSE", "README.md")},
        }
        digests = {path: sha256(text.encode()).hexdigest() for path, text in sorted(found.items())}
        return found | {"metadata.json": json.dumps(self._metadata(digests), indent=1) + "\n"}

    @property
    def _target(self) -> Target:
        return TARGETS[self.specs[0].target]

    def _own(self, template: str, **more: Any) -> str:
        """A file that each target has a template of its own for."""
        return self._file(f"{self._target.name}/{template}", **more)

    def _file(self, template: str, **more: Any) -> str:
        known: dict[str, Any] = {
            "name": self.name,
            "upper": self.name.upper(),
            "header": f"{self.name}.h",
            "version": __version__,
            "cpu": self._target.loads,
            "simd_bytes": self.isa.simd_bytes,
            "options": _OPTIONS[self._target.name],
            "architectures": _GPUS,
            "contract": CONTRACT,
            "sources": self.sources,
            "paths": [_path(one) for one in self.sources],
            "heap": any(one.allocates for one in self.sources),
        }
        return render_file(f"emit/{template}", **{**known, **more})

    def _metadata(self, digests: dict[str, str]) -> dict[str, Any]:
        cpu, options = self._target.loads, _OPTIONS[self._target.name]
        compiled = {family: [*options, contract] for family, contract in CONTRACT.items()}
        return {
            "name": self.name,
            "generator": f"bblas_gen {__version__}",
            "target": self.specs[0].target,
            "simd_bytes": self.isa.simd_bytes if cpu else None,
            "flags": compiled if cpu else {"nvcc": [*options]},
            "kernels": [_described(one) for one in self.sources],
            "sha256": digests,
        }


def _large(spec: KernelSpec) -> dict[str, object]:
    """The fields of the schedule of a kernel that is for large matrices; none where there is no other one."""
    found = form(spec)
    return {"form": found} if found else {}


def _path(source: Source) -> str:
    return f"src/{source.filename}"


def _described(source: Source) -> dict[str, Any]:
    """A kernel as data; what depends on sizes of run time is C text of them, and such a size is null, as is the heap of
    a kernel that asks for memory as it goes."""
    spec = source.spec
    flops, moved = (evaluate(cost, spec.extents) for cost in spec.costs)
    return {
        "symbol": source.symbol,
        "declaration": source.declaration,
        "source": _path(source),
        "operation": spec.op,
        "sequence": text_of(spec.row) if spec.sequence else None,
        "formula": spec.row.formula,
        "precision": spec.precision,
        "dtype": spec.p.dtype,
        "sizes": {name: None if isinstance(value, str) else value for name, value in spec.size.items()},
        "flags": {name: str(value) for name, value in spec.flag.items()},
        "layouts": {x.name: str(spec.where(x)) for x in spec.row.parameters},
        "nb": spec.nb or None,
        "strides": str(spec.strides),
        "flops": flops,
        "bytes": moved,
        "stack_bytes": evaluate(f"{_FRAME} + scratch", {"scratch": source.stack_bytes}),
        "heap_bytes": source.heap_bytes or (None if source.allocates else 0),
    }
