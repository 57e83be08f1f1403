"""Derives ``schedule/registers.py``: which tiles fit into the registers of a GPU's thread, read off the compiler.

``python -m bblas_gen.bench.registers FILE [MINUTES [OPERATION...]]`` compiles kernels of growing sizes with whole
matrices in registers, without any GPU. What the compiler says is added to the file, so that a run goes on where the one
before ended, after so many minutes or by force. The limits are written whenever those of an operation are found.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..codegen.render import render
from ..ir.catalog import OPS
from ..ir.operation import Operation
from ..ir.program import Program
from ..ir.spec import KernelSpec
from ..ir.terms import PRECISIONS, Kind
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
UNIT = {"diag": "U"}
"""Tried with all of them: bodies are others then."""
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
those of all operands."""
'''


@dataclass
class Family:
    """An operation in a precision and with one addressing."""

    row: Operation
    precision: str
    layout: str

    def programs(self, n: int) -> list[Program]:
        """Those of kernels of all sizes n, with some choices of all flags, and both diagonals: one right-hand side,
        and a few for which there is as much room, of which compilers load more ahead."""
        first = self.program(n, {}, 1)
        choices = [{}, *({flag: x for flag, x in some.items() if flag in self.row.flags} for some in OTHERS)]
        if "nrhs" in self.row.sizes:
            few = ((self.program(m, choices[-1], nrhs) for m in range(n, 0, -1)) for nrhs in FEW)
            others = [next((x for x in fewer if _words(x) <= _words(first)), first) for fewer in few]
        else:
            units: tuple[dict[str, str], ...] = ({}, UNIT) if "diag" in self.row.flags else ({},)
            others = [self.program(n, {**flags, **unit}, 1) for flags in choices for unit in units]
        return list({x.spec: x for x in (first, *others)}.values())

    def program(self, n: int, flags: Mapping[str, str], nrhs: int) -> Program:
        sizes: dict[str, Any] = {name: nrhs if name == "nrhs" else n for name in self.row.sizes}
        named: dict[str, Any] = {**sizes, **flags}
        return Program.of(KernelSpec.make(self.row.name, self.precision, self.layout, target="cuda", **named))

    def words(self, n: int) -> int:
        """The words that decide whether a whole matrix of this size is a tile."""
        return _words(self.program(n, {}, 1))

    def size(self, words: int) -> int:
        """The largest size that takes so many; 0 where none does."""
        n = 0
        while self.words(n + 1) <= words:
            n += 1
        return n

    def limits(self, notes: Notes) -> list[int]:
        """For each number of BLOCKS the words of the largest size that fits; 0 where none does. Of a thread's registers
        twenty are taken by others than the tile: there each search begins."""
        known = registers.WORDS[self.layout].get(self.row.name, {}).get(self.precision, [FIRST[self.layout]])[0]
        found: list[int] = []
        for blocks in registers.BLOCKS:
            start = known if not found else gpu.most_registers(blocks) - 20
            most = MOST if not found else found[-1]
            n = self.limit(notes, blocks, self.size(min(start, most)), self.size(most))
            found.append(self.words(n) if n else 0)
        return found

    def limit(self, notes: Notes, blocks: int, n: int, most: int) -> int:
        """The largest size up to ``most`` that fits, looked for from ``n`` on."""
        if n and self.fits(notes, n, blocks):
            while n < most and self.fits(notes, n + 1, blocks):
                n += 1
            return n
        while n and not self.fits(notes, n, blocks):
            n -= 1
        return n

    def fits(self, notes: Notes, n: int, blocks: int) -> bool:
        """Whether kernels of all kinds of scalars have enough registers, on all architectures."""
        programs = [(program, gpu.fewest(program) if blocks == 1 else blocks) for program in self.programs(n)]
        sources = [render(program, replace(gpu.whole(program), blocks=number)) for program, number in programs]
        if not all(one.clean for one in notes.told(sources, ARCHITECTURES)):
            return False
        return all(_clean(notes.used(sources, some)) for some in by_ptx(ARCHITECTURES).values())


def _words(program: Program) -> int:
    if len(program.bodies) > 1:
        return words.sequence_words(program)
    return words.tile_words(program, program.bodies[0], words.tile_shape(program.bodies[0]))


def _clean(found: Mapping[str, list[Functions]]) -> bool:
    return all(one.clean for said in found.values() for functions in said for one in functions.values())


def families() -> list[Family]:
    """All operations with tiles; and sequences, but not where each element has an address of its own: compilers do not
    recognize these from body to body."""
    rows = [row for row in OPS.values() if ((row.tile_shape or row.fetched) and not row.steps) or _kept(row)]
    return [
        Family(row, letter, layout)
        for row in rows
        for letter, p in PRECISIONS.items()
        for layout in FIRST
        if (p.complex or not row.hermitian) and (layout == "bi" or not row.steps)
    ]


def _kept(row: Operation) -> bool:
    """Whether it is a sequence that may stay in registers: rows that are exchanged go through memory."""
    sizes: dict[str, Any] = dict.fromkeys(row.sizes, 2)
    several = len(Program.of(KernelSpec.make(row.name, "d", "bi", target="cuda", **sizes)).bodies) > 1
    return several and not any(x.kind is Kind.INDEX for x in row.matrices)


def table(found: Mapping[tuple[str, str, str], list[int]]) -> Limits:
    """The limits by addressing, operation and precision: what conjugates is what does not where elements are real; what
    was not found is as it was."""
    limits: Limits = {layout: {} for layout in FIRST}
    for one in families():
        for letter, p in PRECISIONS.items():
            name = OPS[one.row.name].template if one.row.hermitian and not p.complex else one.row.name
            before = registers.WORDS[one.layout].get(one.row.name, {}).get(letter)
            words = found.get((one.layout, name, letter), before)
            if words:
                limits[one.layout].setdefault(one.row.name, {})[letter] = words
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


def main(path: str, minutes: str = "inf", *names: str) -> None:
    """Derive the limits, of all operations or of these, and write them where they are read from."""
    notes, found = Notes.of(Path(path), float(minutes)), {}
    for one in families():
        if names and one.row.name not in names:
            continue
        name = one.layout, one.row.name, one.precision
        try:
            found[name] = one.limits(notes)
        except TimeOverError:
            print(*name, "is left as it was: the time is over", flush=True)
            continue
        print(*name, *found[name], flush=True)
        Path(registers.__file__).write_text(text(table(found)), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
