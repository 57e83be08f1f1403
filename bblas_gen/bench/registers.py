"""Derives ``schedule/registers.py``: which tiles fit into the registers of a GPU's thread, read off the compiler.

``python -m bblas_gen.bench.registers FILE [MINUTES [OPERATION...]]`` compiles kernels of growing sizes with whole
matrices in registers, without any GPU. What the compiler says is added to the file, so that a run goes on where the one
before ended, after so many minutes or by force. The limits are written whenever those of an operation are found. With
``--record`` none are looked for: what nvcc says of the kernels at those there are is written into
``docs/benchmarks/cuda-registers.json``, of operations that are named anew, else of kernels that have no row there.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Container, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any, TypeVar

from ..codegen.render import Source, render
from ..ir.catalog import OPS
from ..ir.operation import Operation
from ..ir.program import Program
from ..ir.spec import KernelSpec
from ..ir.terms import PRECISIONS, Diag
from ..schedule import gpu, registers, words
from .notes import Notes, TimeOverError
from .ptxas import Functions, by_ptx

ARCHITECTURES = ("sm_90", "sm_80", "sm_100")
"""Limits are looked for on the first; the others confirm them."""
MOST = 270
"""Words that do not fit: a column beside a tile need not be there as a whole, the tile must."""
FIRST = {"bi": 220, "il": 90}
"""Words at which the search begins where nothing is known."""
FEW = (2, 3)
"""Right-hand sides beside one."""
OTHERS = ({"uplo": "U"}, {"side": "R", "uplo": "U", "trans": "C", "transa": "C", "transb": "C"})
"""Letters beside those that flags have where nobody says: other ones turn more views round, which take registers where
each element has an address of its own."""
WITHIN = {"getrfnp": "gesvnp"}
"""Operations and sequences that begin with them, where they have no more room than these leave to them."""
NO_MORE = {("il", "getrfnp", "s"): 80, ("il", "trti2", "s"): 104}
"""Words beyond which the full grid found spills where a search finds none: of sizes below one that fits, and of
sequences that have the body, a few registers more."""
UNIT = 48
"""Kernels that are compiled together: each call of nvcc takes as long as a few small ones do."""
FEW_LARGE = 8
"""The same of kernels at limits, which take long: what was said of them is written behind each call."""
RECORD = Path(registers.__file__).parents[2] / "docs/benchmarks/cuda-registers.json"
"""What nvcc says of the largest kernels that fit."""
T = TypeVar("T")
Search = Generator[list[Source], bool, T]
"""It asks of kernels, again and again, whether registers suffice for all of them."""
Limits = dict[str, dict[str, dict[str, list[int]]]]
_HEAD = '''"""What fits into the registers of a GPU's thread, read off what nvcc says of kernels of all sizes.

Derived by ``python -m bblas_gen.bench.registers``, in steps; it is made anew by one run of that.
"""

from __future__ import annotations

BLOCKS = (1, 3, 4, 5, 6, 8, 12)
"""Of 128 threads, on a multiprocessor together: a thread has 255 registers or, from 3 on, 168, 128, 96, 80, 64, 40."""
WORDS: dict[str, dict[str, dict[str, list[int]]]] = '''
_TAIL = '''
"""By addressing, operation and precision, for each number of BLOCKS the words of 32 bits of the largest tile, with a
column beside it, whose kernels have the registers and leave none to memory, for all kinds of scalars; of sequences
those of all operands. Operations with unit diagonals are apart."""
'''


@dataclass
class Family:
    """An operation in a precision and with one addressing; of ``unit`` diagonals, or of others; with the factor
    ``held``, or with all that is written in registers."""

    row: Operation
    precision: str
    layout: str
    unit: bool = False
    held: bool = False

    @property
    def name(self) -> str:
        return words.limit_name(self.row.name, self.unit and Diag.U, self.held)

    def programs(self, n: int) -> list[Program]:
        """Those of kernels of all sizes n, with some choices of all flags: one right-hand side, and a few for which
        there is as much room, of which compilers load more ahead."""
        first = self.program(n, {}, 1)
        choices = [{}, *({flag: x for flag, x in some.items() if flag in self.row.flags} for some in OTHERS)]
        if "nrhs" in self.row.sizes:
            few = ((self.program(m, choices[-1], nrhs) for m in range(n, 0, -1)) for nrhs in FEW)
            others = [next((x for x in fewer if _words(x) <= _words(first)), first) for fewer in few]
        else:
            others = [self.program(n, flags, 1) for flags in choices]
        return list({x.spec: x for x in (first, *others)}.values())

    def program(self, n: int, flags: Mapping[str, str], nrhs: int) -> Program:
        sizes: dict[str, Any] = {name: nrhs if name == "nrhs" else n for name in self.row.sizes}
        named: dict[str, Any] = {**sizes, **flags, **({"diag": Diag.U} if self.unit else {})}
        return Program.of(KernelSpec.make(self.row.name, self.precision, self.layout, target="cuda", **named))

    def words(self, n: int) -> int:
        """The words that decide whether a whole matrix of this size is a tile."""
        return _words(self.program(n, {}, 1), self.held)

    def size(self, words: int) -> int:
        """The largest size that takes so many; 0 where none does."""
        n = 0
        while self.words(n + 1) <= words:
            n += 1
        return n

    @property
    def most(self) -> int:
        """The largest size that was found to fit; 0 where none was looked for, or does."""
        known = registers.WORDS[self.layout].get(self.name, {}).get(self.precision)
        return self.size(known[0]) if known else 0

    def limits(self) -> Search[list[int]]:
        """For each number of BLOCKS the words of the largest size that fits; 0 where none does. Of a thread's registers
        twenty are taken by others than the tile: there each search begins."""
        known = registers.WORDS[self.layout].get(self.name, {}).get(self.precision, [FIRST[self.layout]])[0]
        found: list[int] = []
        for blocks in registers.BLOCKS:
            start = known if not found else gpu.most_registers(blocks) - 20
            most = MOST if not found else found[-1]
            n = yield from self.limit(blocks, self.size(min(start, most)), self.size(most))
            found.append(self.words(n) if n else 0)
        return found

    def limit(self, blocks: int, n: int, most: int) -> Search[int]:
        """The largest size up to ``most`` that fits, looked for from ``n`` on."""
        if n and (yield self.sources(n, blocks)):
            while n < most and (yield self.sources(n + 1, blocks)):
                n += 1
            return n
        n -= n > 0
        while n and not (yield self.sources(n, blocks)):
            n -= 1
        return n

    def sources(self, n: int, blocks: int) -> list[Source]:
        """Kernels of size n with whole matrices in registers and so many blocks."""
        programs = [(program, gpu.fewest(program) if blocks == 1 else blocks) for program in self.programs(n)]
        made = gpu.holding if self.held else gpu.whole
        return [render(program, replace(made(program), blocks=number)) for program, number in programs]


def derive(some: Iterable[Family], notes: Notes) -> Iterator[tuple[Family, list[int]]]:
    """The limits of families, each when they are found. What all of them ask at a time is compiled together."""
    searches = [(one, one.limits()) for one in some]
    asked = [next(search) for _, search in searches]
    while searches:
        going = []
        for (one, search), fits in zip(searches, all_fit(asked, notes), strict=True):
            try:
                going.append((one, search, search.send(fits)))
            except StopIteration as end:
                yield one, end.value
        searches, asked = [(one, search) for one, search, _ in going], [sources for *_, sources in going]


def all_fit(asked: Sequence[Sequence[Source]], notes: Notes) -> list[bool]:
    """Whether registers suffice for all of each, on all architectures. Nothing is asked where one says no."""
    found = [all(one.clean for one in notes.told(sources, ARCHITECTURES)) for sources in asked]
    for archs in by_ptx(ARCHITECTURES).values():
        left = [source for sources, fits in zip(asked, found, strict=True) if fits for source in sources]
        for i in range(0, len(left), UNIT):
            notes.used(left[i : i + UNIT], archs)
        found = [fits and _clean(notes.used(x, archs)) for x, fits in zip(asked, found, strict=True)]
    return found


def _words(program: Program, held: bool = False) -> int:
    if len(program.bodies) > 1:
        return words.sequence_words(program)
    shape = words.held_shape if held else words.tile_shape
    return words.tile_words(program, program.bodies[0], shape(program.bodies[0]))


def _clean(found: Mapping[str, list[Functions]]) -> bool:
    return all(one.clean for said in found.values() for functions in said for one in functions.values())


def families() -> list[Family]:
    """All operations with tiles; and sequences, but not where each element has an address of its own: compilers do not
    recognize these from body to body, so each body loads anew, and what holds of bodies holds of them."""
    rows = [row for row in OPS.values() if ((row.tile_shape or row.fetched) and not row.steps) or _sequence(row)]
    return [
        Family(row, letter, layout, unit, held)
        for row in rows
        for unit in ([False, True] if "diag" in row.flags else [False])
        for held in ([False, True] if row.holds else [False])
        for letter, p in PRECISIONS.items()
        for layout in FIRST
        if (p.complex or not row.hermitian) and (layout == "bi" or not row.steps)
    ]


def _sequence(row: Operation) -> bool:
    """Whether it has several bodies, which may leave their operands in registers for one another."""
    sizes: dict[str, Any] = dict.fromkeys(row.sizes, 2)
    return len(Program.of(KernelSpec.make(row.name, "d", "bi", target="cuda", **sizes)).bodies) > 1


def table(found: Mapping[tuple[str, str, str], list[int]]) -> Limits:
    """The limits by addressing, operation and precision: what conjugates is what does not where elements are real; what
    was not found is as it was."""
    limits: Limits = {layout: {} for layout in FIRST}
    for one in families():
        for letter, p in PRECISIONS.items():
            name = OPS[one.row.name].template if one.row.hermitian and not p.complex else one.name
            before = registers.WORDS[one.layout].get(one.name, {}).get(letter)
            words = found.get((one.layout, name, letter), before)
            if words:
                limits[one.layout].setdefault(one.name, {})[letter] = words
    for rows in limits.values():
        for name, within in WITHIN.items():
            for letter, words in rows.get(within, {}).items():
                rows[name][letter] = [min(pair) for pair in zip(rows[name][letter], words, strict=True)]
    for (layout, name, letter), most in NO_MORE.items():
        limits[layout][name][letter] = [min(one, most) for one in limits[layout][name][letter]]
    return limits


def text(limits: Mapping[str, Mapping[str, Mapping[str, list[int]]]]) -> str:
    """The module that holds the limits."""
    lines = ["{"]
    for layout, rows in limits.items():
        lines.append(f'    "{layout}": {{')
        for name, known in sorted(rows.items()):
            lines.append(f'        "{name}": {{')
            lines += [f'            "{letter}": {json.dumps(most)},' for letter, most in known.items()]
            lines.append("        },")
        lines.append("    },")
    return _HEAD + "\n".join([*lines, "}"]) + _TAIL


def record(some: Sequence[Family], notes: Notes, named: Container[str]) -> None:
    """Write what is said of kernels at the limits of these families, a few at a time: of those that nothing is written
    of, and of all of the operations ``named``. What was written of kernels that are still at limits stays."""
    rows, there = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else [], at_limits()
    specs = {row["kernel"]: spec_of(row["kernel"]) for row in rows}
    rows = [row for row in rows if (spec := specs[row["kernel"]]) in there and spec.op not in named]
    written = {specs[row["kernel"]].symbol() for row in rows}
    sources = [source for one in some if (n := one.most) for source in one.sources(n, 1)]
    sources = [source for source in sources if source.symbol not in written]
    for first in range(0, len(sources), FEW_LARGE):
        for arch, said in notes.used(sources[first : first + FEW_LARGE], ARCHITECTURES).items():
            rows += [{"kernel": name, "arch": arch, **one.record()} for x in said for name, one in x.items()]
        lines = sorted({(row["kernel"], row["arch"]): json.dumps(row) for row in rows}.items())
        RECORD.write_text("[\n" + ",\n".join(line for _, line in lines) + "\n]\n", encoding="utf-8")


def at_limits() -> set[KernelSpec]:
    """The kernels of the largest sizes that fit."""
    return {program.spec for one in families() if (n := one.most) for program in one.programs(n)}


def spec_of(function: str) -> KernelSpec:
    """The kernel of a function, such as "bb_dpotrf_l_bi_n8_k"."""
    return KernelSpec.parse(function.rpartition("_")[0], "cuda")


def main(arguments: Sequence[str] | None = None) -> None:
    """Derive the limits, of all operations or of these, and write them where they are read from."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("minutes", type=float, nargs="?", default=inf)
    parser.add_argument("operations", nargs="*")
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args(arguments)
    notes, found = Notes.of(given.file, given.minutes), {}
    some = [one for one in families() if not given.operations or one.row.name in given.operations]
    try:
        if given.record:
            record(some, notes, given.operations)
            return
        for one, most in derive(some, notes):
            found[one.layout, one.name, one.precision] = most
            print(one.layout, one.name, one.precision, *most, flush=True)
            Path(registers.__file__).write_text(text(table(found)), encoding="utf-8")
    except TimeOverError:
        print("the others are left as they were: the time is over", flush=True)


if __name__ == "__main__":
    main()
