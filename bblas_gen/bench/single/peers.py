"""The peers on single operands: libraries that have the Fortran interface of BLAS and LAPACK, Eigen, and NumPy.

A library is loaded as it is, by its file; nothing is linked. Eigen is compiled behind the same interface, from
``templates/bench/eigen/OP.cpp``, or ``OP.FLAGS.cpp`` where its flags are not the first of their kinds.
"""

from __future__ import annotations

import ctypes.util
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from ...codegen.render import has_template, render_file
from ...errors import CompileError
from ...runtime.library import Library, functions_of, load_c
from ...runtime.marshal import ffi
from ..peers import Missing
from .problem import Arrays, Problem

Again = Callable[[int], Any]
"""Does a problem so many times; returns the last result, where it is not in an operand."""
COUNTS = range(3, 14)
"""Arguments that functions of the Fortran interface have here."""
WORK = 64
"""Rows of the matrix that a function has to work in: as many as its blocks have."""


@dataclass(frozen=True)
class Peer:
    """``function`` gives the address of what does a problem, by the Fortran interface; ``get`` tells how to install it.

    Where there is no such function, ``make`` gives what does it some times."""

    title: str
    get: str
    function: Callable[[Problem], int] | None = None
    make: Callable[[Problem, Arrays], Again] | None = None

    def prepare(self, problem: Problem, arrays: Arrays) -> Again:
        """Raises Missing where the peer is not here, or does not do ``problem``."""
        try:
            if self.make:
                return self.make(problem, arrays)
            assert self.function
            return _fortran(problem, arrays, self.function(problem))
        except Missing as error:
            raise Missing(f"{self.title}: {error}" + (f" ({self.get})" if "not found" in str(error) else "")) from error


def _wheel(package: str, start: str) -> str:
    """The file of a library that a Python package brings."""
    try:
        files = metadata.files(package) or []
    except metadata.PackageNotFoundError as error:
        raise Missing("not found") from error
    found = [str(name.locate()) for name in files if name.name.startswith(start)]
    if not found:
        raise Missing("not found")
    return str(Path(found[0]).resolve())


def _shared(name: str) -> str:
    """The file of a library that the system has, or a folder of LD_LIBRARY_PATH."""
    for folder in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep):
        if folder and (path := Path(folder) / f"lib{name}.so").is_file():
            return str(path)
    if found := ctypes.util.find_library(name):
        return found
    raise Missing("not found")


def _of(file: Callable[[], str], prefix: str = "") -> Callable[[Problem], int]:
    """What gives functions of a library."""

    def function(problem: Problem) -> int:
        symbol = f"{prefix}{problem.precision}{problem.op}_"
        try:
            return _address(file(), symbol)
        except OSError as error:
            raise Missing("not found") from error
        except AttributeError as error:
            raise Missing(f"does not do {problem.op}") from error

    return function


@cache
def _address(path: str, symbol: str) -> int:
    handle = functions_of(Path(path), f"void {symbol}(void);")
    _kept.append(handle)
    return int(ffi().cast("uintptr_t", getattr(handle, symbol)))


_kept: list[Any] = []
"""Libraries that stay loaded: their threads do not survive being unloaded."""


def _eigen(problem: Problem) -> int:
    flags = "" if problem.plain else f".{problem.letters.lower()}"
    template = f"bench/eigen/{problem.op}{flags}.cpp"
    if not has_template(template):
        raise Missing(f"does not do {problem.name.rpartition(' ')[0]}")
    return _compiled_eigen(template, problem.p.storage.name, problem.p.complex)


@cache
def _compiled_eigen(template: str, real: str, complex: bool) -> int:
    text = render_file(template, real=real, complex=complex)
    language = ("-x", "c++", "-std=gnu++17", "-I/usr/include/eigen3")
    libraries = ("-x", "none", "-lstdc++", "-Wl,-z,nodelete")
    try:
        library = load_c("bb_eigen", text, "void bb_eigen(void);", language=language, libraries=libraries)
    except CompileError as error:
        raise Missing("not found") from error
    _kept.append(library)
    return int(ffi().cast("uintptr_t", library.function))


def _numpy(problem: Problem, arrays: Arrays) -> Again:
    if problem.row.numpy is None:
        raise Missing(f"does not do {problem.op}")
    return partial(repeat, problem.row.numpy(arrays, problem))


def repeat(run: Callable[[], Any], times: int) -> Any:
    for _ in range(times):
        result = run()
    return result


@cache
def again_library() -> Library:
    """What calls functions of the Fortran interface."""
    text = render_file("bench/again.c", parameters=(), counts=COUNTS)
    names = ("double", "float")
    declarations = "".join(f"double bb_again_{x}(int64_t, uintptr_t, int, void **);" for x in names)
    return load_c("bb_again_double", text, declarations, openmp=False)


def _fortran(problem: Problem, arrays: Arrays, function: int) -> Again:
    library = again_library()
    values = [_argument(word, problem, arrays) for word in problem.row.blas.split()]
    pointers = library.ffi.new("void *[]", [library.ffi.cast("void *", x.ctypes.data) for x in values])
    call = library.handle.bb_again_float if problem.precision in "sc" else library.handle.bb_again_double

    def again(times: int, _keep: Any = values) -> Any:
        result = call(times, function, len(values), pointers)
        return result if problem.output.name not in problem.row.blas.split() else None

    return again


def _argument(word: str, problem: Problem, arrays: Arrays) -> Any:
    """An array that begins with what a word stands for."""
    dtype = problem.p.dtype
    numbers = {"one": 1, "zero": 0, **problem.scalars}
    if word in arrays:
        return arrays[word]
    if word in numbers:
        return np.array([numbers[word]], dtype)
    if word in problem.flags:
        return np.frombuffer(problem.flags[word].encode(), np.uint8)
    if word in problem.size:
        return np.array([problem.size[word]], np.int32)
    if word == "work":
        return np.empty(_work(problem), problem.p.dtype)
    if word[1:] in arrays:  # lA: leading dimension; rA, cA: rows and columns
        return np.array([arrays[word[1:]].shape[word[0] == "c"]], np.int32)
    return np.array([{"inc": 1, "info": 0, "lwork": _work(problem)}[word]], np.int32)


def _work(problem: Problem) -> int:
    """Elements of the memory that a function may work in."""
    return WORK * max(problem.sizes)


PEERS = {
    peer.title.lower(): peer
    for peer in (
        Peer("MKL", "pip install mkl", _of(lambda: _wheel("mkl", "libmkl_rt.so"))),
        Peer("BLIS", "apt-get install libblis4-openmp", _of(lambda: _shared("blis"))),
        Peer("AOCL", "from AMD, its folder in LD_LIBRARY_PATH", _of(lambda: _shared("blis-mt"))),
        Peer("Eigen", "apt-get install libeigen3-dev g++", _eigen),
        Peer("OpenBLAS", "pip install scipy", _of(lambda: _wheel("scipy", "libscipy_openblas"), "scipy_")),
        Peer("NumPy", "pip install numpy", make=_numpy),
    )
}
"""In the order of their turns: threads of OpenBLAS look for work for longest, and one thread comes next."""


def libraries() -> list[str]:
    """The libraries of BLAS that are loaded: versions, and which kernels they chose for this machine."""
    from threadpoolctl import threadpool_info

    names = ("internal_api", "version", "architecture", "threading_layer")
    found = [
        " ".join(str(x[name]) for name in names if x.get(name)) for x in threadpool_info() if x["user_api"] == "blas"
    ]
    return sorted(set(found))
