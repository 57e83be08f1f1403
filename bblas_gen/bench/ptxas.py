"""What the compiler of CUDA says of device functions: registers, what it left to memory, loads and stores."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..codegen.render import Source
from ..codegen.unit import unit
from ..errors import NoCompilerError
from ..toolchain import compilers, cuda

_SAID = re.compile(
    r"Compiling entry function '(\w+)' for '(\w+)'\n[^\n]*\n\s*(\d+) bytes stack frame, (\d+) bytes spill stores,"
    r" (\d+) bytes spill loads\n[^\n]*Used (\d+) registers"
)
_SHARED_PTX = {"sm_90": "compute_80"}
"""Of architectures that nvcc makes the same PTX for as for an older one, the older one. Most of its time goes there."""
_ENTRY = re.compile(r"^\.visible \.entry (\w+)\(.*?^}", re.MULTILINE | re.DOTALL)
_ACCESS = re.compile(r"\b(ld|st)((?:\.[a-z]\w*)*?)((?:\.v\d)?\.[bfus]\d+)\b")
_ROUNDED = re.compile(r"\b(?:div|rcp|sqrt)\.r[nzmp]\.f")
_ELSEWHERE = {"shared", "local", "param", "const"}
"""Memory of which accesses are not counted."""
_ANY = "any"
"""Stands before the width of accesses that may be to any memory, as compilers do not know of which an address is."""
_COUNTED = re.compile(
    r"add\.[su]\d+\s+(?P<register>%r\w+), (?P=register), (?P<step>-?\d+);(?s:.*)"
    r"setp\.ne\.[su]\d+\s+(?P<go>%p\d+), (?P=register), (?P<stop>-?\d+);\s*@(?P=go) bra\s+\S+;$"
)
"""The end of a loop with constants for its counter."""
_JUMP = re.compile(r"^(\$\w+):|\bbra(?:\.uni)?\s+(\$\w+);", re.MULTILINE)


@dataclass(frozen=True)
class Used:
    """What a device function takes: registers of a thread, bytes of its local memory, and bytes that are spilled there.

    ``loads`` and ``stores`` of global memory, by their width, such as "b64", are those of a thread on the way through
    its text that has most of them; with ``loops``, those whose turns no constants tell, all of the text. "any.b64" may
    be to any memory. ``rounded``: divisions and roots for which compilers call functions of their own.
    """

    registers: int
    local: int
    spilled: int
    loads: dict[str, int]
    stores: dict[str, int]
    loops: bool
    rounded: int = 0

    @property
    def clean(self) -> bool:
        """Whether registers suffice."""
        return self.registers <= 255 and not self.local and not self.spilled

    @property
    def placed(self) -> bool:
        """Whether the compiler knows of all loads and stores which memory they are to: others take longer, and
        registers."""
        return not any(width.startswith(_ANY) for width in (*self.loads, *self.stores))

    def record(self) -> dict[str, Any]:
        return asdict(self)


Functions = dict[str, Used]
"""By the names of functions."""


def used(sources: Sequence[Source], archs: Sequence[str]) -> dict[str, list[Functions]]:
    """What the device functions of each of ``sources``, compiled together by nvcc, take on each of ``archs``. Raises
    NoCompilerError, CompileError."""
    found: dict[str, list[Functions]] = {}
    for ptx, some in by_ptx(archs).items():
        found |= _used(sources, ptx, some)
    return {arch: found[arch] for arch in archs}


def by_ptx(archs: Sequence[str]) -> dict[str, list[str]]:
    """Architectures by those whose PTX is compiled for them."""
    found: dict[str, list[str]] = {}
    for arch in archs:
        found.setdefault(_SHARED_PTX.get(arch, arch.replace("sm_", "compute_")), []).append(arch)
    return found


def _used(sources: Sequence[Source], ptx: str, archs: Sequence[str]) -> dict[str, list[Functions]]:
    nvcc, together = cuda.find_nvcc(), unit(sources)
    if nvcc is None:
        raise NoCompilerError("no nvcc", cuda.HINT)
    with tempfile.TemporaryDirectory(prefix="bblas_gen-ptxas-") as name:
        folder = Path(name)
        code = folder / "kernel.cu"
        code.write_text(together.text, encoding="utf-8")
        targets = [word for arch in archs for word in ("-gencode", f"arch={ptx},code={arch}")]
        flags = [*targets, *cuda.FLAGS, "-Xptxas", "-v", "--keep", "-fatbin", "-o", "kernel.fatbin"]
        said = compilers.run([nvcc.path, *flags, code.name], what=sources[0].symbol, cwd=folder, source=code)
        texts = dict(_entries((folder / "kernel.ptx").read_text(encoding="utf-8")))
    found = {
        (arch, function): _read(texts[function], *map(int, numbers)) for function, arch, *numbers in _SAID.findall(said)
    }
    return {
        arch: [
            {
                one.name: found[key]
                for one in source.functions
                if (key := (arch, entry + one.name[len(source.symbol) :])) in found
            }
            for source, entry in zip(sources, together.entries, strict=True)
        ]
        for arch in archs
    }


def _read(text: str, local: int, stored: int, loaded: int, registers: int) -> Used:
    lines = text.splitlines()
    times = _times(lines)
    loads, stores = (dict(_most(lines, times, verb) if times else _accesses(text, verb)) for verb in ("ld", "st"))
    return Used(registers, local, stored + loaded, loads, stores, not times, len(_ROUNDED.findall(text)))


def _entries(ptx: str) -> Iterator[tuple[str, str]]:
    """The device functions of a unit, by name."""
    for match in _ENTRY.finditer(ptx):
        yield match[1], match[0]


def numbers(accesses: Mapping[str, int]) -> int:
    """How many numbers are loaded or stored, of which vectors have several."""
    several = {"v2": 2, "v4": 4}
    return sum(several.get(width.split(".")[-2:][0], 1) * count for width, count in accesses.items())


def _accesses(text: str, wanted: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for verb, said, width in _ACCESS.findall(text):
        memory = {*said.split(".")}
        if verb == wanted and not memory & _ELSEWHERE:
            found[width[1:] if "global" in memory else _ANY + width] += 1
    return found


def _most(lines: Sequence[str], times: Sequence[int], verb: str) -> Counter[str]:
    """The accesses on the way from the first line to the last that has most of them, each as often as it is done."""
    behind: Counter[str] = Counter()
    at: dict[str, Counter[str]] = {}
    for line, often in zip(reversed(lines), reversed(times), strict=True):
        if jump := _JUMP.search(line):
            label, target = jump.groups()
            if label:
                at[label] = behind
            elif "@" not in line:
                behind = at[target]
            elif target in at:  # jumps back are in ``times``
                behind = max(behind, at[target], key=numbers)
        elif found := _accesses(line, verb):
            behind = behind + Counter({width: count * often for width, count in found.items()})
    return behind


def _times(lines: Sequence[str]) -> list[int]:
    """How often each line is done; none where it is not known of a loop."""
    times, at = [1] * len(lines), {}
    for i, line in enumerate(lines):
        if not (jump := _JUMP.search(line)):
            continue
        label, target = jump.groups()
        if label:
            at[label] = i
        elif target in at:
            turns = _turns(lines, at[target], i)
            if not turns:
                return []
            inside = slice(at[target], i + 1)
            times[inside] = [turns * often for often in times[inside]]
    return times


def _turns(lines: Sequence[str], first: int, last: int) -> int:
    """The turns of the loop of these lines, if its end counts a register, which nothing else writes, by constants up or
    down to another; 0 where it does not."""
    end = _COUNTED.search("\n".join(lines[first : last + 1]))
    if not end:
        return 0
    written = [line for line in lines if re.match(rf"\s*[a-z][\w.]*\s+{end['register']},", line)]
    begin = re.match(r"\s*mov\.\w+\s+%\w+, (-?\d+);", written[0])
    if not begin or len(written) != 2:
        return 0
    turns, left = divmod(int(end["stop"]) - int(begin[1]), int(end["step"]))
    return 0 if left else max(0, turns)
