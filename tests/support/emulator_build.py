"""How the emulator's runtime and kernels are compiled, once for each text. The stand-in for nvcc, a process for each
call, imports it, so what takes longer than a compile to import it does not."""

from __future__ import annotations

import atexit
import fcntl
import hashlib
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

SOURCES = Path(__file__).resolve().parent / "cuda_emulator"
RUNTIME = ("fibers", "meet", "block", "copies")
WATCHERS = {
    "": ("unwatched",),
    "checks": ("hooks", "watch", "races", "trace", "caches"),
    "address": ("unwatched", "program"),
    "thread": ("unwatched", "program"),
}
"""What the runtime of kernels is made of beyond that, by how they are compiled."""
SANITIZERS = {
    "address": ("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
    "thread": ("-fsanitize=thread",),
}
"""Those that need libraries of their own, and so programs of their own."""
RUNTIME_FLAGS = ("-std=gnu11", "-O2", "-g1", "-fPIC", "-fvisibility=hidden")
KERNEL_FLAGS = (
    *("-xc++", "-std=c++17", "-O1", "-g1", "-fPIC", "-fvisibility=hidden", "-fno-exceptions", "-fno-rtti"),
    *("-ffp-contract=off", "-Wall", "-Wno-unknown-pragmas", "-Wno-unused"),
)
WITHOUT = {"gcc": (), "clang": ("-fno-sanitize=function,vptr",)}
"""What would need a library of C++."""
FAMILY_FLAGS = {"gcc": ("-Wno-sequence-point",), "clang": ()}
CHECKS = ("-fsanitize=thread,alignment,bounds", "-DEMU_CHECKS")
CHECKS_OF = {
    "gcc": ("-fno-tree-sra", "-fno-tree-ch", "-fno-thread-jumps", "-fno-reorder-blocks", "-fno-tree-dominator-opts"),
    "clang": ("-mllvm", "-tsan-instrument-read-before-write=1"),
}
"""What leaves vectors whole, loads and stores in the order of the text, and each of them in one place."""


class EmulatorError(Exception):
    """What went wrong in the emulator."""


def _run(argv: Sequence[str | Path]) -> None:
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode:
        raise EmulatorError(f"{' '.join(map(str, argv))}\n{done.stderr}")


@cache
def _sources() -> str:
    return "".join(path.read_text() for path in [Path(__file__), *sorted(SOURCES.rglob("*.[ch]"))])


class Compiler(NamedTuple):
    """What is to be known of a compiler of C."""

    path: str
    family: str
    identity: str

    @classmethod
    def here(cls) -> Compiler:
        from bblas_gen.toolchain import compilers  # here: see above

        found = compilers.find_cc()
        return cls(found.path, found.family, found.identity)


def _digest(cc: Compiler, *parts: object) -> str:
    return hashlib.sha256(repr((cc.identity, parts, _sources())).encode()).hexdigest()[:24]


def folder() -> Path:
    """In the cache of the tests; of a program of its own one for as long as it runs."""
    place = Path(os.environ.get("BBLAS_GEN_CACHE_DIR") or _own_folder()) / "emulator"
    place.mkdir(parents=True, exist_ok=True)
    return place


@cache
def _own_folder() -> str:
    found = tempfile.TemporaryDirectory(prefix="bblas_gen-emulator-")
    atexit.register(found.cleanup)
    return found.name


def _once(path: Path, make: Callable[[Path], None]) -> Path:
    """A file that the first process that wants it makes."""
    if not path.exists():
        with path.with_name(f"{path.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                draft = path.with_name(f"{path.name}.draft")
                make(draft)
                draft.rename(path)
    return path


def runtime(sanitize: str, cc: Compiler | None = None) -> Path:
    """The object that all kernels are linked with."""
    cc = cc or Compiler.here()

    def make(draft: Path) -> None:
        sources = [SOURCES / f"{name}.c" for name in (*RUNTIME, *WATCHERS[sanitize])]
        kind = f"-DEMU_{sanitize.upper()}_SANITIZER"
        _run([cc.path, *RUNTIME_FLAGS, kind, "-r", "-nostdlib", *sources, "-o", draft])

    return _once(folder() / f"runtime-{_digest(cc, sanitize, RUNTIME_FLAGS)}.o", make)


def built(text: str, flags: Sequence[str], sanitize: str, cc: Compiler | None = None) -> Path:
    """The library of kernels in C++; with a sanitizer the program. ``cc`` is the compiler, by default that which
    kernels are compiled with."""
    cc = cc or Compiler.here()
    more = [*FAMILY_FLAGS[cc.family], *SANITIZERS.get(sanitize, ()), *WITHOUT[cc.family]]
    if sanitize == "checks":
        more += [*CHECKS, *CHECKS_OF[cc.family]]
    kind, suffix = (["-shared"], ".so") if sanitize not in SANITIZERS else (SANITIZERS[sanitize], "")

    def make(draft: Path) -> None:
        source, kernels = draft.with_suffix(".cu"), draft.with_suffix(".o")
        source.write_text(text)
        header = ["-include", SOURCES / "cuda.h"]
        _run([cc.path, *KERNEL_FLAGS, *more, *flags, *header, "-c", source, "-o", kernels])
        _run([cc.path, *kind, kernels, runtime(sanitize, cc), "-lm", "-o", draft])
        kernels.unlink()

    return _once(folder() / f"kernels-{_digest(cc, text, flags, sanitize, RUNTIME_FLAGS)}{suffix}", make)


def works(sanitize: str) -> bool:
    """Whether programs with a sanitizer can be built and run here."""
    cc = Compiler.here()

    def make(draft: Path) -> None:
        command = [cc.path, "-xc", *SANITIZERS[sanitize], "-o", draft.with_suffix(".out"), "-"]
        done = subprocess.run(
            command, input="int main(void) { return 0; }", capture_output=True, text=True, check=False
        )
        ran = not done.returncode and not subprocess.run([draft.with_suffix(".out")], check=False).returncode
        draft.write_text("yes" if ran else "")

    return bool(_once(folder() / f"works-{_digest(cc, 'works', sanitize)}", make).read_text())


def driver() -> Path:
    """The library that stands in for that of the driver."""
    cc = Compiler.here()

    def make(draft: Path) -> None:
        sources = sorted((SOURCES / "driver").glob("*.c"))
        name = "-Wl,-soname,libcuda.so.1"
        _run([cc.path, *RUNTIME_FLAGS, "-shared", name, *sources, "-ldl", "-o", draft])

    place = folder() / f"driver-{_digest(cc, 'driver')}"
    place.mkdir(exist_ok=True)
    return _once(place / "libcuda.so.1", make)


def cublas() -> Path:
    """The library that stands in for cuBLAS, on a machine with the stand-in for the driver."""
    cc = Compiler.here()

    def make(draft: Path) -> None:
        _run([cc.path, *RUNTIME_FLAGS, "-shared", SOURCES / "cublas" / "cublas.c", "-ldl", "-o", draft])

    return _once(folder() / f"cublas-{_digest(cc, 'cublas', (SOURCES / 'cublas' / 'cublas.c').read_text())}.so", make)


def lines(library: Path, message: str) -> str:
    """A message in which addresses of the library's code are lines of the text."""
    return re.sub(r"\[\+(0x[0-9a-f]+)\]", lambda found: f"in line {_line(library, found[1])}", message)


def _line(library: Path, address: str) -> str:
    """The innermost line that is in the text itself, not in a header."""
    argv = ["addr2line", "-i", "-e", str(library), address]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    found = re.search(r"\.cu:(\d+)", done.stdout)
    return found[1] if found else f"at {address}"
