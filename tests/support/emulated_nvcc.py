"""A compiler for the GPU that is not there. It is a program, so what it need not import it does not."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path


def compiler(folder: Path) -> Path:
    """An nvcc whose cubins the emulated driver takes."""
    script = folder / "nvcc"
    tests = Path(__file__).resolve().parents[1]
    script.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(tests)!r})\n"
        "from support.emulated_nvcc import main\nmain(sys.argv[1:])\n"
    )
    script.chmod(0o755)
    return script


def main(arguments: list[str]) -> None:
    """What the compiler does."""
    if "--version" in arguments:
        print("Cuda compilation tools, release 0.0, V0.0.0")
        return
    from . import emulator

    text = Path(arguments[-1]).read_text()
    names = re.findall(r'^extern "C" __global__[^;{]*?\b(\w+)\([^()]*\)\s*\{', text, re.MULTILINE)
    shutil.copy(emulator.compile(text, names).path, arguments[arguments.index("-o") + 1])
