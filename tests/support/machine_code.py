"""Machine code of kernels for a named instruction set, whatever this machine's own: compiled and read, never run."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from bblas_gen.codegen.render import Source
from bblas_gen.codegen.unit import unit
from bblas_gen.toolchain.compilers import find_cc, library_flags

WIDTHS = {"x86-64-v2": 16, "x86-64-v3": 32, "x86-64-v4": 64, "haswell": 32, "icelake-server": 64}
"""Instruction sets, and bytes in a vector of theirs: the levels of x86-64 and two processors, which have tunings."""
PACKED = re.compile(r"\bv?(fn?m(add|sub)\w*|mul|add)p[sd]\b")
SCALAR = re.compile(r"\bv?(add|sub|mul|div|sqrt|fn?m(add|sub)\d*)s[sd]\b")
SPILL = re.compile(r"\bv?mov\w+\s+(-?(0x)?[0-9a-f]*\(%r[sb]p\)[^,]*,%[xyz]mm|%[xyz]mm\d+,-?(0x)?[0-9a-f]*\(%r[sb]p\))")
CALL = re.compile(r"\bcall(?!.*_keep>)")
"""But for the rare path of matrices that failed."""
STORED = re.compile(r"\bv?mov\w+\s+%[xyz]mm\d+,-?(0x)?[0-9a-f]*\(%r[sb]p\)")


def spills_are_listed() -> bool:
    """Whether the compiler is the one whose spills are known: others allocate registers otherwise."""
    cc = find_cc()
    return cc.family == "gcc" and re.search(r"\b12\.\d", cc.version) is not None


@dataclass(frozen=True)
class Line:
    address: int
    text: str
    target: int | None


def compiled(text: str, isa: str, folder: Path) -> Path:
    """The object file that the library's own flags make of ``text``, for another instruction set."""
    cc = replace(find_cc(), arch_flag=f"-march={isa}")
    (folder / "kernel.c").write_text(text)
    flags = [flag for flag in library_flags(cc) if flag != "-shared"]
    subprocess.run([cc.path, *flags, "-c", "kernel.c"], cwd=folder, check=True)
    return folder / "kernel.o"


def functions(path: Path) -> dict[str, list[Line]]:
    """The lines of each function by its name."""
    command = ["objdump", "-d", "--no-show-raw-insn", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, list[Line]] = {}
    lines: list[Line] = []
    for row in done.stdout.splitlines():
        if name := re.match(r"[0-9a-f]+ <(.*)>:$", row):
            lines = found.setdefault(name[1], [])
        elif match := re.match(r"\s*([0-9a-f]+):\s*(.*)", row):
            jump = re.match(r"j\w+\s+([0-9a-f]+)", match[2])
            lines.append(Line(int(match[1], 16), match[2], int(jump[1], 16) if jump else None))
    return found


def hot_loops(lines: Sequence[Line]) -> list[list[str]]:
    """The innermost loops that do packed arithmetic: from the target of a backward jump to the jump.

    In a function without any, the innermost of those that do: what is inside of them only moves, as where matrices are
    packed. Loops that call something are not hot: they handle the partly filled last vector of a batch.
    """
    framed = any(re.search(r"mov\s+%rsp,%rbp", x.text) for x in lines)
    if not framed:  # %rbp is a register as all others, no address of the stack
        lines = [replace(x, text=x.text.replace("%rbp", "%general")) for x in lines]
    jumps = {(x.target, x.address) for x in lines if x.target is not None and x.target <= x.address}
    loops = {(a, b): [x.text for x in lines if a <= x.address <= b] for a, b in sorted(jumps)}
    packed = {ends: body for ends, body in loops.items() if any(map(PACKED.search, body))}

    def without(inner: Iterable[tuple[int, int]]) -> list[list[str]]:
        hot = (ends for ends in packed if not any(ends[0] <= a and b <= ends[1] and (a, b) != ends for a, b in inner))
        return [packed[ends] for ends in hot if not any(map(CALL.search, packed[ends]))]

    return without(loops) or without(packed)


def hot_loops_of(sources: Sequence[Source], isa: str) -> list[list[list[str]]]:
    """The hot loops of each kernel; all are compiled together."""
    together = unit(sources)
    with tempfile.TemporaryDirectory() as folder:
        code = functions(compiled(together.text, isa, Path(folder)))
    found: list[list[list[str]]] = [[] for _ in sources]
    for name, lines in code.items():
        base = name.split(".")[0].removesuffix("_omp_fn").removesuffix("._omp_fn")
        local = re.match(r"bb(\d+)_", name)
        owner = int(local[1]) if local else together.entries.index(base) if base in together.entries else None
        if owner is not None:
            found[owner] += hot_loops(lines)
    return found


@cache
def known(isa: str) -> bool:
    """Whether the compiler has this instruction set."""
    command = [find_cc().path, f"-march={isa}", "-E", "-x", "c", "-"]
    return subprocess.run(command, input="", capture_output=True, text=True, check=False).returncode == 0
