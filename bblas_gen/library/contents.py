"""What is in a library: operations, and for each the kernels that were made for sizes and those for all others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

from ..ir.operation import Operation
from ..ir.spec import KernelSpec
from ..ir.targets import Isa
from ..ir.terms import FLAGS, Kind, Layout, Letter, Precision, Strides, Trans
from .turns import turn_of

LAYOUTS = (Layout.PP, Layout.ST, Layout.BI)
"""The layouts that functions of a library take, in the order of their numbers in a key."""
CODE_BITS, LAYOUT_BITS = 12, 3
"""The bits of flags and memory order in a key, and of the layout."""


FEW = ("nrhs",)
"""Sizes that are 1 where others are large."""


@dataclass(frozen=True)
class Level:
    """An instruction set that a library has kernels for: what ``-march`` calls it, and the vectors of its schedules.
    ``features``: what a processor must have, by the names of the compiler's own test."""

    march: str
    simd_bytes: int
    features: tuple[str, ...] = ()

    @property
    def isa(self) -> Isa:
        return Isa.of(self.simd_bytes)

    @property
    def tag(self) -> str:
        """What stands for it in a symbol."""
        return self.march.replace("x86-64", "x86_64").replace("-", "_")


_V3 = ("avx", "avx2", "fma", "bmi", "bmi2", "f16c", "lzcnt", "movbe", "popcnt", "sse4.2")
LEVELS = (
    Level("x86-64", 16),
    Level("x86-64-v2", 16, ("popcnt", "sse3", "ssse3", "sse4.1", "sse4.2")),
    Level("x86-64-v3", 32, _V3),
    Level("x86-64-v4", 64, (*_V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")),
)
"""From the oldest on."""
ANY_X86 = ("x86-64", "x86-64-v3", "x86-64-v4")
"""The levels of a library that runs on every x86-64 processor."""


@dataclass(frozen=True)
class Family:
    """An operation in one precision. ``kernels`` are those for sizes that are known, ``layouts`` those of its
    functions."""

    row: Operation
    precision: Precision
    layouts: tuple[Layout, ...]
    kernels: tuple[KernelSpec, ...]

    @property
    def name(self) -> str:
        """The name of the BLAS: ``dgemm``."""
        return f"{self.precision.letter}{self.row.symbol}"

    @property
    def turns(self) -> bool:
        """Whether its kernels do row-major matrices, too, as the problem with everything transposed, or have vectors
        alone. Others have kernels for either memory order."""
        return turn_of(self.row) is not None or not self.ordered

    @property
    def ordered(self) -> bool:
        """Whether there are matrices, which have a memory order."""
        return not all(x.is_vector for x in self.row.parameters)

    @property
    def letters(self) -> tuple[tuple[Letter, ...], ...]:
        """The letters of each flag that are told apart, in the order of their numbers."""
        return tuple(letters_of(self.row, self.precision, name) for name in self.row.flags)

    @property
    def orders(self) -> tuple[Strides, ...]:
        """The strides of its kernels, by memory order: columns, then rows."""
        return (Strides.LD,) if self.turns else (Strides.LD, Strides.RMLD)

    def general(self, layout: Layout) -> list[KernelSpec]:
        """The kernels for all sizes, by their code: flags as the digits of a number, memory order as the last, of which
        interleaved matrices have none."""
        orders = (Strides.PACKED,) * len(self.orders) if layout.interleaved else self.orders
        return [self._spec(layout, flags, strides) for flags in product(*self.letters) for strides in orders]

    @property
    def spaced(self) -> list[KernelSpec]:
        """The kernels for all sizes of blocks whose matrices have leading dimensions, by their code."""
        return [self._spec(Layout.BI, flags, strides) for flags in product(*self.letters) for strides in self.orders]

    def apart(self, layout: Layout) -> list[KernelSpec]:
        """The kernels for vectors whose elements lie apart, by their flags: they take any memory order."""
        if layout.interleaved or not any(x.has_increment for x in self.row.parameters):
            return []
        return [self._spec(layout, flags, Strides.RS) for flags in product(*self.letters)]

    def _spec(self, layout: Layout, flags: Sequence[Letter], strides: Strides) -> KernelSpec:
        named: dict[str, Any] = dict(zip(self.row.flags, flags, strict=True))
        sizes: dict[str, Any] = dict.fromkeys(self.row.sizes)
        return KernelSpec.make(self.row, self.precision.letter, layout, strides=strides, **named, **sizes)

    @property
    def size_bits(self) -> int:
        """The bits of each size in a key; larger sizes have no kernels of their own."""
        return min(16, (63 - CODE_BITS - LAYOUT_BITS) // max(1, len(self.row.sizes)))

    @cached_property
    def codes(self) -> dict[KernelSpec, int]:
        """The code of each kernel for all sizes: the first where there are several."""
        found: dict[KernelSpec, int] = {}
        for layout in self.layouts:
            for code, spec in enumerate(self.general(layout)):
                found.setdefault(spec, code)
        return found

    @cached_property
    def everything(self) -> list[KernelSpec]:
        """All its kernels, each once."""
        found = [*self.kernels]
        for layout in self.layouts:
            found += [*self.general(layout), *self.apart(layout)]
        return [*dict.fromkeys(found)]


def letters_of(row: Operation, p: Precision, name: str) -> tuple[Letter, ...]:
    """The letters of a flag that mean different things: of real matrices, and where the BLAS has but two, there are
    two transpositions."""
    kind = FLAGS[name]
    if kind is not Trans:
        return tuple(kind)
    if row.canonical_form == "rank_k":
        return (Trans.N, Trans.C if row.hermitian and p.complex else Trans.T)
    return (Trans.N, Trans.T, Trans.C) if p.complex else (Trans.N, Trans.T)


def families(specs: Iterable[KernelSpec], layouts: Sequence[Layout]) -> tuple[Family, ...]:
    """The families of ``specs``, in their order, with functions for ``layouts``."""
    found: dict[tuple[str, str], list[KernelSpec]] = {}
    for spec in specs:
        found.setdefault((spec.row.symbol, spec.precision), []).append(spec)
    return tuple(_family(kernels, layouts) for kernels in found.values())


def _family(kernels: Sequence[KernelSpec], layouts: Sequence[Layout]) -> Family:
    row, p = kernels[0].row, kernels[0].p
    bare = Family(row, p, tuple(layouts), ())
    return replace(bare, kernels=tuple(dict.fromkeys(spec for spec in kernels if reachable(bare, spec))))


def layout_of(spec: KernelSpec) -> Layout:
    """The layout of a kernel's matrices."""
    return next(where for x, where in zip(spec.row.parameters, spec.layouts, strict=True) if x.kind is not Kind.INDEX)


def reachable(family: Family, spec: KernelSpec) -> bool:
    """Whether a function of a library may run this kernel: all sizes known and not too large for a key, one layout for
    all matrices, leading dimensions, and letters that are told apart."""
    fits = all(isinstance(size, int) and size >> family.size_bits == 0 for size in spec.sizes)
    return fits and spec.any_size in family.codes


def spread(row: Operation, p: Precision, sizes: Iterable[int], layouts: Sequence[Layout]) -> list[KernelSpec]:
    """The kernels of an operation for equal sizes and one right-hand side, all flags and each layout."""
    family = Family(row, p, tuple(layouts), ())
    general = dict.fromkeys(spec for layout in layouts for spec in family.general(layout))
    each = [tuple(1 if name in FEW else size for name in row.sizes) for size in sizes]
    return [replace(spec, sizes=some) for some in dict.fromkeys(each) for spec in general]
