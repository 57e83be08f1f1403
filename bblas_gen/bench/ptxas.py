"""What the compiler of CUDA says of device functions: registers, what it left to memory, loads and stores."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..codegen.render import Source
from ..codegen.unit import unit
from ..errors import NoCompilerError
from ..toolchain import compilers, cuda

_SAID = re.compile(
    r"Compiling entry function '(\w+)'[^\n]*\n[^\n]*\n\s*(\d+) bytes stack frame, (\d+) bytes spill stores,"
    r" (\d+) bytes spill loads\n[^\n]*Used (\d+) registers"
)
_ENTRY = re.compile(r"^\.visible \.entry (\w+)\(.*?^}", re.MULTILINE | re.DOTALL)
_ACCESS = re.compile(r"\b(ld|st)\.global(?:\.\w+)*?((?:\.v\d)?\.[bfus]\d+)\b")
_JUMP = re.compile(r"^(\$\w+):|\bbra(?:\.uni)?\s+(\$\w+);", re.MULTILINE)


@dataclass(frozen=True)
class Used:
    """What a device function takes: registers of a thread, bytes of its local memory, and bytes that are spilled there.

    ``loads`` and ``stores`` of global memory stand in its text by their width, such as "b64"; with ``loops`` some are
    done more than once.
    """

    registers: int
    local: int
    spilled: int
    loads: dict[str, int]
    stores: dict[str, int]
    loops: bool

    @property
    def clean(self) -> bool:
        """Whether registers suffice."""
        return self.registers <= 255 and not self.local and not self.spilled

    def record(self) -> dict[str, Any]:
        return asdict(self)


def used(sources: Sequence[Source], arch: str) -> dict[str, Used]:
    """What the device functions of ``sources``, compiled together by nvcc, take on ``arch``. Raises NoCompilerError,
    CompileError."""
    nvcc = cuda.find_nvcc()
    if nvcc is None:
        raise NoCompilerError("no nvcc", cuda.HINT)
    with tempfile.TemporaryDirectory(prefix="bblas_gen-ptxas-") as name:
        folder = Path(name)
        code = folder / "kernel.cu"
        code.write_text(unit(sources).text, encoding="utf-8")
        flags = [*cuda.cubin_flags(arch), "-Xptxas", "-v", "--keep", "-cubin", "-o", "kernel.cubin"]
        said = compilers.run([nvcc.path, *flags, code.name], what=sources[0].symbol, cwd=folder, source=code)
        texts = dict(_entries((folder / "kernel.ptx").read_text(encoding="utf-8")))
    found = {}
    for symbol, local, stored, loaded, registers in _SAID.findall(said):
        text = texts[symbol]
        loads, stores = (Counter(width for verb, width in _accesses(text) if verb == wanted) for wanted in ("ld", "st"))
        spilled = int(stored) + int(loaded)
        found[symbol] = Used(int(registers), int(local), spilled, dict(loads), dict(stores), _loops(text))
    return found


def _entries(ptx: str) -> Iterator[tuple[str, str]]:
    """The device functions of a unit, by name."""
    for match in _ENTRY.finditer(ptx):
        yield match[1], match[0]


def _accesses(text: str) -> Iterator[tuple[str, str]]:
    for verb, width in _ACCESS.findall(text):
        yield verb, width.lstrip(".")


def _loops(text: str) -> bool:
    """Whether there is a jump back."""
    seen = set()
    for label, target in _JUMP.findall(text):
        if target and target in seen:
            return True
        seen.add(label)
    return False
