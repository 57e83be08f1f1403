"""All CUDA kernels that calls may come to for square matrices up to n = 32, and how many of them were compiled."""

from __future__ import annotations

import itertools
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from bblas_gen.bench.notes import Notes, TimeOverError
from bblas_gen.bench.ptxas import Functions
from bblas_gen.codegen.render import Source
from bblas_gen.ir.operation import Operation

from .cuda_kernels import ARCHITECTURES, LARGEST, Kernel, kernel, rows, square

LETTERS, LAYOUTS = "dszc", ("bi", "st", "il", "pp")


def grid() -> tuple[list[Kernel], list[Kernel]]:
    """All there are of square matrices: the largest of each kind of schedule, which are nearest to what registers hold,
    and the others, last those behind pointers, which are strided ones with an address more. Flags are a choice of
    each."""
    families = [
        [list(_variants(row, letter, layout, n)) for n in range(1, LARGEST + 1)]
        for layout in LAYOUTS
        for letter in LETTERS
        for row, precision in rows()
        if precision == letter
    ]
    largest = [
        one
        for sizes in families
        for some, next_ones in itertools.zip_longest(sizes, sizes[1:], fillvalue=[])
        for one in some
        if not next_ones or _kind(one) != _kind(next_ones[0])
    ]
    first = dict.fromkeys(largest)
    others = (one for sizes in families for some in sizes for one in some if one not in first)
    return list(first), list(dict.fromkeys(others))


def _kind(one: Kernel) -> tuple[object, ...]:
    """What schedules of neighbouring sizes have in common."""
    found = one.schedule
    return found.lanes, found.threads, found.staged, found.blocks, found.room, found.forgets, one.whole


def _variants(row: Operation, letter: str, layout: str, n: int) -> Iterator[Kernel]:
    """A kernel with some flags as all GPUs have it, and as those with more room have it, where that is another."""
    rng = random.Random(f"{row.name} {letter} {layout} {n}")
    first = kernel(row, letter, layout, square(row, n), None, rng)
    yield first
    before = first
    for arch in () if first.schedule.team else ARCHITECTURES:
        one = replace(first, arch=arch)
        if one.schedule != before.schedule:
            yield one
            before = one


def faults(kernels: Iterable[Kernel], arch: str, said: Iterable[Functions]) -> list[str]:
    """What is wrong with the machine code of those that run there."""
    return [
        f"{arch}: {fault}"
        for one, functions in zip(kernels, said, strict=True)
        if one.runs_on(arch)
        for fault in one.faults(functions)
    ]


@dataclass
class Looked:
    """What was looked at: by architecture the kernels of whose present text it is known what the compiler says, those
    of which other texts are noted, and what is wrong."""

    notes: Notes
    archs: list[str]
    kernels: dict[str, set[Kernel]] = field(default_factory=lambda: defaultdict(set))
    changed: dict[str, set[Kernel]] = field(default_factory=lambda: defaultdict(set))
    wrong: list[str] = field(default_factory=list)

    def look(self, kernels: list[Kernel]) -> None:
        """At these; when the time is over only at those that are known already, and of which the name is noted: no
        texts are made of others."""
        noted = [one for one in kernels if any((one.spec.symbol(), arch) in self.notes.names for arch in self.archs)]
        texts = {one: one.source for one in (noted if self.notes.over else kernels)}
        with suppress(TimeOverError):
            self.notes.used(list(texts.values()), self.archs)
        for arch in self.archs:
            self._take({one: text for one, text in texts.items() if not self.notes.missing([text], [arch])}, arch)
            left = (one for one in noted if one not in self.kernels[arch])
            self.changed[arch] |= {one for one in left if (one.spec.symbol(), arch) in self.notes.names}

    def _take(self, texts: dict[Kernel, Source], arch: str) -> None:
        self.wrong += faults(texts, arch, self.notes.used(list(texts.values()), [arch])[arch])
        self.kernels[arch] |= {*texts}

    def summary(self, largest: Sequence[Kernel], others: Sequence[Kernel]) -> str:
        """How much was looked at, and, by operation, precision and layout, how many kernels are left."""
        return "\n".join(line for arch in self.archs for line in self._summary(arch, largest, others))

    def _summary(self, arch: str, largest: Sequence[Kernel], others: Sequence[Kernel]) -> Iterator[str]:
        seen = self.kernels[arch]
        first, rest = (sum(one in seen for one in some) for some in (largest, others))
        every = [*largest, *others]
        yield (
            f"{arch}: {first + rest} of {len(every)} kernels looked at ({100 * (first + rest) / len(every):.1f} %), "
            f"{first} of {len(largest)} of the largest; {len(self.changed[arch])} others are noted with another text"
        )
        columns = [(letter, layout) for layout in LAYOUTS for letter in LETTERS]
        there, left = (Counter(_family(x) for x in every if x not in known) for known in (set(), seen))
        yield "left        " + "".join(f"{letter + ' ' + layout:>6}" for letter, layout in columns)
        for op in dict.fromkeys(one.spec.op for one in every):
            cells = [_cell(there[op, *x], left[op, *x]) for x in columns]
            yield f"{op:12}" + "".join(f"{cell:>6}" for cell in cells)


def _family(one: Kernel) -> tuple[str, str, str]:
    return one.spec.op, one.spec.p.letter, str(one.spec.layouts[0])


def _cell(there: int, left: int) -> str:
    """Of so many kernels: none where there are none, else how many are left."""
    return str(left) if there else ""
