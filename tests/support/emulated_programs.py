"""Programs in C with kernels for GPUs, that run where there is no GPU: an nvcc that makes them of emulated kernels."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from bblas_gen.toolchain import compilers

from . import emulator_build
from .emulator_text import KERNEL

HOST = emulator_build.SOURCES / "host"
BEGIN = """
static const emu_kernel emu_own[] = {{{entries} {{nullptr, nullptr, nullptr, 0}}}};
static const void *const emu_addresses[] = {{{addresses}}};
extern "C" void emu_enter(const emu_kernel *kernels, const void *const *own);
__attribute__((constructor)) static void emu_begin()
{{
    emu_enter(emu_own, emu_addresses);
}}
"""


def compiler(folder: Path) -> Path:
    """An nvcc for files of C, C++ and kernels, that links with an emulated runtime."""
    script = folder / "nvcc"
    tests = Path(__file__).resolve().parents[1]
    script.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(tests)!r})\n"
        "from support.emulated_programs import main\nmain(sys.argv[1:])\n"
    )
    script.chmod(0o755)
    return script


def main(arguments: Sequence[str]) -> None:
    """What the compiler does: kernels to an object, or anything to a program."""
    output = arguments[arguments.index("-o") + 1]
    if "-c" in arguments:
        _object(Path(next(x for x in arguments if x.endswith(".cu"))), output)
        return
    files = [x for x in arguments if Path(x).suffix in (".c", ".cpp", ".o", ".a")]
    given = [x for x in arguments if x.startswith(("-I", "-O", "-l"))]
    runtime = [HOST / "runtime_api.c", emulator_build.runtime("")]
    more = ["-lstdc++"] * any(x.endswith(".cpp") for x in files)
    _run(compilers.find_cc().path, f"-I{HOST}", *given, *files, *runtime, "-lm", *more, "-o", output)


def _object(source: Path, output: str) -> None:
    text = source.read_text()
    found = [(x["name"], x["threads"] or 0) for x in KERNEL.finditer(text)]
    entries = " ".join(f"EMU_KERNEL({name}, {threads})" for name, threads in found)
    addresses = ", ".join(f"(const void *){name}" for name, _ in found)
    code = Path(output).with_suffix(".cxx")
    begin = BEGIN.format(entries=entries, addresses=addresses) if found else ""
    code.write_text(f'#include "cuda.h"\n#include "cuda_runtime_api.h"\n{text}{begin}')
    cc = compilers.find_cc()
    more = [*emulator_build.FAMILY_FLAGS[cc.family], *emulator_build.WITHOUT[cc.family], "-DCUDA_EMULATED_HOST"]
    places = [f"-I{emulator_build.SOURCES}", f"-I{HOST}"]
    _run(cc.path, *emulator_build.KERNEL_FLAGS, *more, *places, "-c", code, "-o", output)


def _run(*command: str | Path) -> None:
    done = subprocess.run([*map(str, command)], check=False)
    if done.returncode:
        sys.exit(done.returncode)
