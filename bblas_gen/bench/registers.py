"""Derives ``schedule/registers.py``: which tiles fit into the registers of a GPU's thread, read off the compiler.

``python -m bblas_gen.bench.registers [FILE.json]`` compiles kernels of growing sizes with whole matrices in registers,
without any GPU, writes the limits and, to the file, what was read. It takes a long while.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..codegen.render import Source, render
from ..ir.catalog import OPS
from ..ir.operation import Operation
from ..ir.program import Program
from ..ir.spec import KernelSpec
from ..ir.terms import PRECISIONS, Kind
from ..schedule import gpu, registers
from ..toolchain.machine import cores
from .ptxas import Used, used

ARCHITECTURES = ("sm_90", "sm_80", "sm_100")
"""Limits are looked for on the first; the others confirm them."""
MOST = 270
"""Words that do not fit: a column beside a tile need not be there as a whole, the tile must."""
FIRST = {"bi": 220, "il": 110}
"""Words at which the search begins."""
OTHER = {"side": "R", "uplo": "U", "trans": "C", "transa": "C", "transb": "C"}
"""Letters beside those that flags have where nobody says."""
_HEAD = '''"""What fits into the registers of a GPU's thread, read off what nvcc says of kernels of all sizes.

Derived by ``python -m bblas_gen.bench.registers``, in steps; it is made anew by one run of that.
"""

from __future__ import annotations

WORDS: dict[str, dict[str, dict[str, int]]] = '''
_TAIL = '''
"""By addressing, operation and precision the words of 32 bits of the largest tile, with a column beside it, that takes
255 registers at most and leaves none to memory, for all kinds of scalars; of sequences those of all operands."""
'''


@dataclass
class Family:
    """An operation in a precision and with one addressing. ``read``: what the compiler said, by size, architecture and
    device function."""

    row: Operation
    precision: str
    layout: str
    read: dict[int, dict[str, dict[str, Used]]] = field(default_factory=dict)

    def programs(self, n: int) -> list[Program]:
        """Those of kernels of all sizes n, one right-hand side, with two choices of all flags."""
        sizes: dict[str, Any] = {name: 1 if name == "nrhs" else n for name in self.row.sizes}
        some = [{}, {flag: OTHER[flag] for flag in self.row.flags if flag in OTHER}]
        specs = [KernelSpec.make(self.row.name, self.precision, self.layout, target="cuda", **sizes, **x) for x in some]
        return [Program.of(spec) for spec in dict.fromkeys(specs)]

    def words(self, n: int) -> int:
        """The words that decide whether a whole matrix of this size is a tile."""
        program = self.programs(n)[0]
        if len(program.bodies) > 1:
            return gpu.sequence_words(program)
        return gpu.tile_words(program, program.bodies[0], gpu.tile_shape(program.bodies[0]))

    def size(self, words: int) -> int:
        """The largest size that takes so many."""
        n = 1
        while self.words(n + 1) <= words:
            n += 1
        return n

    def fits(self, n: int) -> bool:
        """Whether the kernel for any scalars fits."""
        if self.words(n) > MOST:
            return False
        source = _source(self.programs(n)[0])
        last = render(Program.of(source.spec), source.schedule, source.functions[-1].name)
        return _clean(used([last], ARCHITECTURES[0]))

    def tried(self) -> int:
        """The largest size that fits, by the kernel for any scalars alone."""
        n = self.size(FIRST[self.layout])
        while n > 1 and not self.fits(n):
            n -= 1
        if n == self.size(FIRST[self.layout]):
            while self.fits(n + 1):
                n += 1
        return n

    def limit(self, n: int) -> int:
        """The largest size up to ``n`` that fits, as do the smaller ones that are bounded: kernels of all kinds of
        scalars, on all architectures."""
        while n > 1 and not all(self.confirmed(n, arch) for arch in ARCHITECTURES):
            n -= 1
        bounded = min(n, self.size(gpu.MIDDLING[self.layout]))
        while bounded > 1 and not self.confirmed(bounded, ARCHITECTURES[0]):
            n = bounded = bounded - 1
        return n

    def confirmed(self, n: int, arch: str) -> bool:
        """Whether kernels of all kinds of scalars fit."""
        read = self.read.setdefault(n, {})
        if arch not in read:
            read[arch] = used([_source(program) for program in self.programs(n)], arch)
        return _clean(read[arch])

    def records(self) -> list[dict[str, Any]]:
        """What was read."""
        return [
            {"kernel": name, "arch": arch, **one.record()}
            for n, by_arch in sorted(self.read.items())
            for arch, found in by_arch.items()
            for name, one in sorted(found.items())
        ]


def _clean(found: Mapping[str, Used]) -> bool:
    return all(one.clean for one in found.values())


def _source(program: Program) -> Source:
    """The source of a kernel with whole matrices in registers."""
    return render(program, gpu.whole(program))


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


def table(words: Mapping[tuple[str, str, str], int]) -> dict[str, dict[str, dict[str, int]]]:
    """The limits by addressing, operation and precision: what conjugates is what does not where elements are real."""
    limits: dict[str, dict[str, dict[str, int]]] = {layout: {} for layout in FIRST}
    for layout, name, _ in words:
        names = {
            letter: OPS[name].template if OPS[name].hermitian and not p.complex else name
            for letter, p in PRECISIONS.items()
        }
        limits[layout][name] = {letter: words[layout, x, letter] for letter, x in names.items()}
    return limits


def text(limits: Mapping[str, Mapping[str, Mapping[str, int]]]) -> str:
    """The module that holds the limits."""
    lines = ["{"]
    for layout, rows in limits.items():
        lines.append(f'    "{layout}": {{')
        lines += [f'        "{name}": {json.dumps(words)},' for name, words in sorted(rows.items())]
        lines.append("    },")
    return _HEAD + "\n".join([*lines, "}"]) + _TAIL


def main(output: str = "") -> None:
    """Derive the limits, and write them where they are read from."""
    found = families()

    def derived(one: Family) -> int:
        n = one.limit(one.tried())
        print(one.row.name, one.precision, one.layout, n, one.words(n), flush=True)
        return n

    with ThreadPoolExecutor(cores()) as pool:
        sizes = list(pool.map(derived, found))
    limits = table(
        {(one.layout, one.row.name, one.precision): one.words(n) for one, n in zip(found, sizes, strict=True)}
    )
    Path(registers.__file__).write_text(text(limits), encoding="utf-8")
    if output:
        records = [json.dumps(record) for one in found for record in one.records()]
        Path(output).write_text("[\n" + ",\n".join(records) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
