"""How the emulator's runtime and kernels are compiled, once for each text."""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from bblas_gen.toolchain import compilers

SOURCES = Path(__file__).resolve().parent / "cuda_emulator"
WATCHED = ("fibers", "meet", "block", "copies")
RUNTIME_FLAGS = ("-std=gnu11", "-O2", "-g1", "-fPIC", "-fvisibility=hidden")
KERNEL_FLAGS = (
    *("-xc++", "-std=c++17", "-O1", "-g1", "-fPIC", "-fvisibility=hidden", "-fno-exceptions", "-fno-rtti"),
    *("-ffp-contract=off", "-Wall", "-Wno-unknown-pragmas", "-Wno-unused"),
)
GCC_FLAGS = ("-Wno-sequence-point",)


class EmulatorError(Exception):
    """What went wrong in the emulator."""


def _run(argv: Sequence[str | Path], text: str | None = None) -> None:
    done = subprocess.run(argv, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise EmulatorError(f"{' '.join(map(str, argv))}\n{done.stderr}")


def _digest(*parts: object) -> str:
    cc = compilers.find_cc()
    sources = [path.read_text() for path in sorted(SOURCES.iterdir())]
    return hashlib.sha256(repr((cc.identity, parts, sources)).encode()).hexdigest()[:24]


def folder() -> Path:
    place = Path(os.environ["BBLAS_GEN_CACHE_DIR"]) / "emulator"
    place.mkdir(parents=True, exist_ok=True)
    return place


def _once(path: Path, make) -> Path:
    """A file that the first process that wants it makes."""
    if not path.exists():
        with path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                draft = path.with_suffix(".draft")
                make(draft)
                draft.rename(path)
    return path


def runtime(sanitize: str) -> Path:
    """The object that all kernels are linked with."""
    cc = compilers.find_cc().path

    def make(draft: Path) -> None:
        names = [*WATCHED, "unwatched"]
        objects = [draft.with_name(f"{draft.stem}-{name}.o") for name in names]
        for name, to in zip(names, objects, strict=True):
            _run([cc, *RUNTIME_FLAGS, "-c", SOURCES / f"{name}.c", "-o", to])
        _run([cc, "-r", "-nostdlib", *objects, "-o", draft])

    return _once(folder() / f"runtime-{_digest(sanitize)}.o", make)


def built(text: str, flags: Sequence[str], sanitize: str) -> Path:
    """The library of kernels in C++."""
    cc = compilers.find_cc()
    family = GCC_FLAGS if cc.family == "gcc" else ()

    def make(draft: Path) -> None:
        kernels = draft.with_suffix(".o")
        header = ["-include", SOURCES / "cuda.h"]
        _run([cc.path, *KERNEL_FLAGS, *family, *flags, *header, "-c", "-", "-o", kernels], text)
        _run([cc.path, "-shared", kernels, runtime(sanitize), "-lm", "-o", draft])
        kernels.unlink()

    return _once(folder() / f"kernels-{_digest(text, tuple(flags), sanitize)}.so", make)
