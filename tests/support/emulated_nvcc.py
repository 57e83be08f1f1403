"""A compiler for the GPU that is not there. It is a program, so what it need not import it does not."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path

from .emulator_build import Compiler, built
from .emulator_text import in_cxx

SCRIPT = """#!/bin/sh
test "$1" = --version && echo "Cuda compilation tools, release 0.0, V0.0.0" && exit
exec {command} "$@"
"""
PROGRAM = "import sys; sys.path.append(sys.argv[1]); from support import emulated_nvcc as own; own.main(sys.argv[2:])"


def compiler(folder: Path) -> Path:
    """An nvcc whose cubins the emulated driver takes. Its Python looks for no packages, which takes as long as the
    compile."""
    script = folder / "nvcc"
    tests = Path(__file__).resolve().parents[1]
    command = [sys.executable, "-I", "-S", "-c", PROGRAM, str(tests), *Compiler.here()]
    script.write_text(SCRIPT.format(command=shlex.join(command)))
    script.chmod(0o755)
    return script


def main(arguments: list[str]) -> None:
    """What the compiler does, with a compiler of C, and the arguments of nvcc."""
    cc, asked = Compiler(*arguments[:3]), arguments[3:]
    text = Path(asked[-1]).read_text()
    names = re.findall(r'^extern "C" __global__[^;{]*?\b(\w+)\([^()]*\)\s*\{', text, re.MULTILINE)
    shutil.copy(built(in_cxx(text, names), [], "", cc), asked[asked.index("-o") + 1])
