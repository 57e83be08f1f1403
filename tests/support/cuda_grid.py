"""All CUDA kernels that calls may come to for square matrices up to n = 32, and how many of them were compiled."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from bblas_gen.bench.notes import Notes, TimeOverError
from bblas_gen.bench.ptxas import Functions
from bblas_gen.codegen.render import Source
from bblas_gen.ir.operation import Operation
from bblas_gen.ir.spec import KernelSpec

from .cases import letters
from .cuda_kernels import ARCHITECTURES, LARGEST, Kernel, kernel, rows, square, variants

LETTERS, LAYOUTS = "dszc", ("bi", "st", "il", "pp")
RECORD = Path(__file__).resolve().parents[2] / "docs/benchmarks/cuda-grid.json"
"""In which texts nothing was wrong: for each operation, precision, layout and architecture the sizes that were looked
at, and one hash of all their texts, with compiler and flags. Where faults are others than they were it is made anew."""


def grid() -> tuple[list[Kernel], list[Kernel]]:
    """All there are of square matrices, those of variants of operations last: the largest of each kind of schedule,
    which are nearest to what registers hold, and the others, those behind pointers at the end, which are strided ones
    with an address more. Flags are a choice of each, but where :func:`_several` says."""
    families = [
        [list(_several(row, letter, layout, n)) for n in range(1, LARGEST + 1)]
        for some in (rows(), rows(variants()))
        for layout in LAYOUTS
        for letter in LETTERS
        for row, precision in some
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


def _several(row: Operation, letter: str, layout: str, n: int) -> Iterator[Kernel]:
    """A kernel with some flags as all GPUs have it, and as those with more room have it, where that is another. Bodies
    of sequences whose elements have addresses of their own have no limits as a whole: there all flags are looked at."""
    rng = random.Random(f"{row.name} {letter} {layout} {n}")
    first = kernel(row, letter, layout, square(row, n), None, rng)
    yield first
    if layout == "il" and len(first.program.bodies) > 1 and not first.schedule.team:
        for some in itertools.product(*(letters(row, flag) for flag in row.flags)):
            flags = dict(zip(row.flags, some, strict=True))
            yield Kernel(KernelSpec.make(row.name, letter, layout, target="cuda", **square(row, n), **flags))
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
    of which other texts are noted, and what is wrong. ``keys`` are their texts, ``good`` those without a fault."""

    notes: Notes
    archs: list[str]
    record: Path = RECORD
    kernels: dict[str, set[Kernel]] = field(default_factory=lambda: defaultdict(set))
    changed: dict[str, set[Kernel]] = field(default_factory=lambda: defaultdict(set))
    good: dict[str, set[Kernel]] = field(default_factory=lambda: defaultdict(set))
    keys: dict[tuple[Kernel, str], str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def recall(self, kernels: Iterable[Kernel]) -> None:
        """Those that the record has with the texts they have now."""
        there = _families(kernels)
        rows = sorted((row for row in self._rows() if row["arch"] in self.archs), key=lambda row: row["kernels"])
        for name, archs in itertools.groupby(rows, lambda row: row["kernels"]):
            texts = {one: one.source for one in there.get(name, [])}
            for row in archs:
                if some := _sized(texts, sizes_of(row["n"])):
                    self._know({one: texts[one] for one in some}, row["arch"])
                    if self._digest(some, row["arch"]) == row["texts"]:
                        self.kernels[row["arch"]] |= {*some}
                        self.good[row["arch"]] |= {*some}

    def look(self, kernels: list[Kernel]) -> None:
        """At these, but those that are recalled; when the time is over only at those that are known already, and of
        which the name is noted: no texts are made of others."""
        archs = [arch for arch in self.archs if not self.kernels[arch].issuperset(kernels)]
        kernels = [one for one in kernels if any(one not in self.kernels[arch] for arch in archs)]
        noted = [one for one in kernels if any((one.spec.symbol(), arch) in self.notes.names for arch in archs)]
        texts = {one: one.source for one in (noted if self.notes.over else kernels)}
        with suppress(TimeOverError):
            self.notes.used(list(texts.values()), archs)
        for arch in archs:
            self._take({one: text for one, text in texts.items() if not self.notes.missing([text], [arch])}, arch)
            left = (one for one in noted if one not in self.kernels[arch])
            self.changed[arch] |= {one for one in left if (one.spec.symbol(), arch) in self.notes.names}

    def _take(self, texts: dict[Kernel, Source], arch: str) -> None:
        self._know(texts, arch)
        for one, said in zip(texts, self.notes.used(list(texts.values()), [arch])[arch], strict=True):
            found = faults([one], arch, [said])
            self.wrong += found
            self.good[arch] |= set() if found else {one}
        self.kernels[arch] |= {*texts}

    def _know(self, texts: dict[Kernel, Source], arch: str) -> None:
        self.keys |= {(one, arch): self.notes.key(text, arch) for one, text in texts.items()}

    def _digest(self, kernels: Iterable[Kernel], arch: str) -> str:
        return sha256("".join(self.keys[one, arch] for one in kernels).encode()).hexdigest()[:16]

    def _rows(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.record.read_text("utf-8")) if self.record.exists() else []
        return found

    def write(self, kernels: Iterable[Kernel]) -> None:
        """The record, of the sizes all of whose kernels are without a fault. What it has of other architectures stays;
        what is noted with another text, or is no kernel any more, goes."""
        rows = [row for row in self._rows() if row["arch"] not in self.archs]
        for (name, some), arch in itertools.product(_families(kernels).items(), self.archs):
            bad = {_order(one) for one in some if one not in self.good[arch]}
            if sizes := {_order(one) for one in some} - bad:
                texts = self._digest(_sized(some, sizes), arch)
                rows.append({"kernels": name, "arch": arch, "n": spans_of(sizes), "texts": texts})
        lines = (json.dumps(row) for row in sorted(rows, key=lambda row: (row["kernels"], row["arch"])))
        self.record.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")

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


def _families(kernels: Iterable[Kernel]) -> dict[str, list[Kernel]]:
    """By operation, precision and layout, such as "dgemm bi", by growing sizes."""
    found: dict[str, list[Kernel]] = defaultdict(list)
    for one in sorted(kernels, key=lambda one: (_order(one), one.spec.symbol(), one.arch)):
        op, letter, layout = _family(one)
        found[f"{letter}{op} {layout}"].append(one)
    return found


def spans_of(sizes: set[int]) -> str:
    """Such as "1-5 7"."""
    first, last = ([n for n in sorted(sizes) if n + step not in sizes] for step in (-1, 1))
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in zip(first, last, strict=True))


def sizes_of(spans: str) -> set[int]:
    ends = [[int(end) for end in span.split("-")] for span in spans.split()]
    return {n for end in ends for n in range(end[0], end[-1] + 1)}


def _sized(kernels: Iterable[Kernel], sizes: Container[int]) -> list[Kernel]:
    return [one for one in kernels if _order(one) in sizes]


def _order(one: Kernel) -> int:
    return max(dict(one.spec.size).values())


def _family(one: Kernel) -> tuple[str, str, str]:
    return one.spec.op, one.spec.p.letter, str(one.spec.layouts[0])


def _cell(there: int, left: int) -> str:
    """Of so many kernels: none where there are none, else how many are left."""
    return str(left) if there else ""
