"""Compilers of CUDA: nvcc if there is one, else NVRTC, which needs neither a toolkit nor a driver.

Cubins are made, never PTX: what an architecture needs is compiled here, not by whatever driver loads it.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ..errors import NoCompilerError
from .compilers import Compiler, ask, locate, match, which

ARCHITECTURE = re.compile(r"(?:sm_)?(\d{2,3}[af]?)")
HINT = (
    "install the CUDA toolkit (https://developer.nvidia.com/cuda-downloads) or pip install 'bblas_gen[nvrtc]', or set "
    "BBLAS_GEN_NVCC"
)
HOST_HINT = "install gcc, or pip install 'bblas_gen[nvrtc]', which needs none, and leave BBLAS_GEN_NVCC unset"
FLAGS = ("-fmad=true",)
"""Of nvcc and of NVRTC. Nothing is fast but inexact."""
DEFAULT_NVCC = "/usr/local/cuda/bin/nvcc"
WHEELS = ("nvidia/cu13", "nvidia/cu12", "nvidia/cuda_nvcc", "nvidia/cuda_nvrtc")
"""Where wheels put toolkits, beside all packages."""
_LIBRARY = "libnvrtc.so.[0-9]*"
_NVRTC_NAME = re.compile(r"nvidia_cuda_nvrtc(?:_cu\d+)?-([\w.]+)\.dist-info")


def find_cuda_compiler() -> Compiler:
    """What compiles CUDA here: nvcc, see :func:`find_nvcc`, else NVRTC, also where nvcc has no host compiler, unless
    `BBLAS_GEN_NVCC` asks for it. Raises NoCompilerError."""
    nvcc = find_nvcc()
    missing = _missing(nvcc.path) if nvcc else ""
    if nvcc and not missing:
        return nvcc
    if not (nvcc and os.environ.get("BBLAS_GEN_NVCC")) and (found := find_nvrtc()):
        return found
    if nvcc:
        raise NoCompilerError(f"{nvcc.path} does not compile: {missing}", HOST_HINT)
    raise NoCompilerError("no CUDA compiler: nvcc is neither on PATH nor among Python's packages, nor is NVRTC", HINT)


def find_nvcc() -> Compiler | None:
    """The CUDA compiler: `BBLAS_GEN_NVCC`, else nvcc on PATH, in its usual place or a wheel's; None if there is none.

    An explicit `BBLAS_GEN_NVCC` that is not there is a `NoCompilerError`, not None.
    """
    if wanted := os.environ.get("BBLAS_GEN_NVCC"):
        return _probe_nvcc(locate("BBLAS_GEN_NVCC", wanted, HINT))
    places = ("nvcc", DEFAULT_NVCC, *(str(folder / "bin" / "nvcc") for folder in _wheels()))
    path = next(filter(None, map(which, places)), None)
    return _probe_nvcc(path) if path else None


def find_nvrtc() -> Compiler | None:
    """The library that compiles CUDA, from its wheel; its path is that of the library. None if there is none."""
    for folder in _wheels():
        for path in sorted((folder / "lib").glob(_LIBRARY)):
            if version := _wheel_version(folder.parents[1]):
                return Compiler(str(path), "nvrtc", version, target="cuda", arch_flag="")
    return None


def architecture(device: str = "", argument: str = "") -> str:
    """What to compile for, as compilers name it: `BBLAS_GEN_CUDA_ARCH`, such as sm_90 or 90, else that of ``device``.

    Raises ValueError where there is neither, or it is not the name of one; it says which ``argument`` was left out.
    """
    variable = os.environ.get("BBLAS_GEN_CUDA_ARCH")
    wanted = variable or device
    if not wanted:
        given = f"give {argument}, or set" if argument else "set"
        raise ValueError(f"no GPU says what to compile for: {given} BBLAS_GEN_CUDA_ARCH, such as sm_90")
    return named(wanted, "BBLAS_GEN_CUDA_ARCH" if variable else "architecture")


def named(wanted: str, what: str = "architecture") -> str:
    """An architecture, such as sm_90 or 90, as compilers name it; ValueError says what is wrong with ``what``."""
    found = ARCHITECTURE.fullmatch(wanted)
    if not found:
        raise ValueError(f"{what}={wanted!r} is not an architecture of GPUs such as sm_90 or 90")
    return f"sm_{found[1]}"


def cubin_flags(arch: str) -> tuple[str, ...]:
    """The flags, of nvcc and of NVRTC, that make a cubin for ``arch``."""
    return (f"-arch={arch}", *FLAGS)


def reset() -> None:
    """Forget every compiler asked so far. For tests."""
    for function in (_probe_nvcc, _missing):
        function.cache_clear()


def _wheels() -> Iterator[Path]:
    """The folders of toolkits beside packages, in the order in which Python looks for these."""
    for entry in filter(os.path.isabs, sys.path):
        for name in WHEELS:
            if (folder := Path(entry, name)).is_dir():
                yield folder


def _wheel_version(packages: Path) -> str:
    """The version of the NVRTC among ``packages``; a later one is installed in its place."""
    names = (_NVRTC_NAME.fullmatch(path.name) for path in sorted(packages.glob("nvidia_cuda_nvrtc*.dist-info")))
    return ", ".join(name[1] for name in names if name)


@cache
def _probe_nvcc(path: str) -> Compiler:
    answer = ask([path, "--version"])
    release = match(r"^.*\brelease \d.*$", answer.stdout)
    if answer.returncode or not release:
        raise NoCompilerError(f"{path} does not work: {answer.stderr.strip() or answer.stdout.strip()}", HINT)
    return Compiler(path, "nvcc", release, target="cuda", arch_flag="")


@cache
def _missing(path: str) -> str:
    """What the nvcc at `path` says of the host compiler that it lacks; "" where it has one. It takes gcc, so it is
    asked only where there is none: others may be set."""
    if which("gcc"):
        return ""
    answer = ask([path, "-dryrun", "-cubin", "-x", "cu", os.devnull, "-o", os.devnull])
    said = "; ".join(answer.stderr.split("\n")).strip("; ")
    return said if answer.returncode and "host compiler" in said else ""
