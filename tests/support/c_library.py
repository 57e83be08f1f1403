"""A library built ahead of time, and calls of its functions for groups with all that surrounds matrices in memory."""

from __future__ import annotations

import ctypes
import fcntl
import importlib.metadata
import itertools
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from bblas_gen.ir.operation import Operand
from bblas_gen.ir.spec import operation, precision
from bblas_gen.ir.terms import BY_DTYPE, Layout
from bblas_gen.library.build import build
from bblas_gen.library.contents import LEVELS, Family, Level
from bblas_gen.library.plan import APIS, Plan
from bblas_gen.runtime import library
from bblas_gen.schedule import large
from bblas_gen.toolchain import compilers

from .extended import stored
from .kernels import UNOPTIMIZED, optimized
from .table import ORACLES

NAME = "small"
BOTH, POINTERS = "pp st", "pp"
CONTENTS = {
    ("gemm", "d"): BOTH,
    ("gemm", "s"): POINTERS,
    ("hemm", "z"): POINTERS,
    ("herk", "c"): POINTERS,
    ("syrk", "z"): BOTH,
    ("trsm", "d"): POINTERS,
    ("gemv", "d"): BOTH,
    ("axpy", "z"): BOTH,
}
"""The operations of the library that tests share, and the layouts of its functions: every flag, few kernels."""
COMPACT = (("gemm", "d"), ("gemm", "c"), ("trsm", "d"), ("potrf", "s"), ("potrf", "d"), ("potrf", "z"))
COMPACT += (("getrfnp", "d"), ("getrinp", "z"))
"""Those that take interleaved matrices in it."""
LAYOUTS = {pair: f"{CONTENTS.get(pair, '')}{' bi' if pair in COMPACT else ''}" for pair in (*CONTENTS, *COMPACT)}
NUMBERS = {"N": 111, "T": 112, "C": 113, "U": 121, "L": 122}
OF_FLAG = {"diag": {"N": 131, "U": 132}, "side": {"L": 141, "R": 142}}
ORDERS = {"C": 101, "F": 102}
GUARD = 5
PROGRAMS = Path(__file__).resolve().parents[1] / "programs"
LANGUAGES = ("c", "c++")


def plan(contents: Mapping[tuple[str, str], str] = LAYOUTS) -> Plan:
    """What is not optimized, for the oldest processor, compiles in a tenth of the time."""
    cc = compilers.find_cc()
    level = LEVELS[0] if platform.machine() == "x86_64" else Level("native", cc.simd_bytes)
    families = tuple(
        Family(operation(op), precision(letter), tuple(map(Layout, where.split())), ())
        for (op, letter), where in contents.items()
    )
    return Plan(NAME, f"{NAME}_", families, (), (level,), compilers.has_openmp(cc), APIS)


def built(contents: Mapping[tuple[str, str], str] = LAYOUTS) -> Path:
    """The folder of the library, which the first test process that wants it builds. What divides large matrices is in
    another one, of ``support.library``."""
    place = Path(os.environ["BBLAS_GEN_CACHE_DIR"]) / "c-library"
    place.mkdir(parents=True, exist_ok=True)
    streamed = {name: one for name, one in large.FORMS.items() if name == "streamed"}
    with (place / "lock").open("w") as lock, optimized(UNOPTIMIZED), patch.dict(large.FORMS, streamed, clear=True):
        fcntl.flock(lock, fcntl.LOCK_EX)
        digest = library.generator("library")
        build(plan(contents), place, digest=digest, jobs=os.cpu_count() or 1, done=lambda *_: None)
    return place


def run_program(
    source: str,
    library: Path,
    folder: Path,
    language: str = "c",
    *,
    links: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """A run of a program of tests/programs that is built as users build it, without warnings. ``links``: what it is
    linked with instead of our library."""
    cc, command = compilers.find_cc(), folder / "program"
    kind = ["-xc++", "-std=c++17"] if language == "c++" else ["-xc", "-std=c11"]
    flags = [*kind, "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror", f"-I{library}/include"]
    last = links or [f"-L{library}/lib", f"-l{NAME}", f"-Wl,-rpath,{library}/lib"]
    runtime = ["-lstdc++"] if language == "c++" else []
    subprocess.run([cc.path, *flags, PROGRAMS / source, "-xnone", *last, *runtime, "-lm", "-o", command], check=True)
    return subprocess.run([command], check=True, capture_output=True, text=True, env=environment)


def onemkl() -> tuple[list[str], dict[str, str]]:
    """What links a program with oneMKL, and the environment that it runs in; the test is left where it is not there."""
    try:
        files = importlib.metadata.files("mkl") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    found = [Path(str(path.locate())).resolve() for path in files if path.name.startswith("libmkl_rt.so")]
    if not found:
        pytest.skip("oneMKL is not installed")
    environment = os.environ | {"MKL_THREADING_LAYER": "SEQUENTIAL", "MKL_INTERFACE_LAYER": "LP64"}
    return [str(found[0]), f"-Wl,-rpath,{found[0].parent}"], environment


def opened(folder: Path) -> ctypes.CDLL:
    return ctypes.CDLL(str(folder / "lib" / f"lib{NAME}.so"))


def number(flag: str, letter: str) -> int:
    """What the CBLAS has for a letter."""
    return OF_FLAG.get(flag, NUMBERS)[letter]


@dataclass
class Group:
    """Matrices with flags, sizes and scalars in common, in memory with a padded leading dimension and guard values.

    ``changed`` replaces arguments of the call: numbers by their names. ``idle`` says that nothing is to be computed.
    ``increment`` is that of vectors.
    """

    op: str
    dtype: str
    order: str
    flags: Mapping[str, str]
    sizes: Mapping[str, int]
    scalars: Mapping[str, complex]
    operands: Mapping[str, Any]
    changed: Mapping[str, int] = field(default_factory=dict)
    idle: bool = False
    padding: int = 2
    increment: int = 1

    def __post_init__(self) -> None:
        self.memory = {name: self._memory(name) for name in self.operands}
        for name, x in self.operands.items():
            self.view(name)[...] = x
        self.before = {name: x.copy() for name, x in self.memory.items()}

    @property
    def count(self) -> int:
        return len(next(iter(self.operands.values())))

    def _vector(self, name: str) -> bool:
        return operation(self.op).operand(name).has_increment

    def ld(self, x: Any) -> int:
        return max(1, x.shape[2 if self.order == "C" else 1]) + self.padding

    def _memory(self, name: str) -> Any:
        x = self.operands[name]
        lines = x.shape[1 if self.order == "C" else 2]
        length = x.shape[1] * abs(self.increment) if self._vector(name) else self.ld(x) * lines
        return np.full((len(x), GUARD + length + GUARD), 77, x.dtype)

    def view(self, name: str, memory: Any = None) -> Any:
        """The matrices in the memory of an operand; a vector that runs backwards begins at its last element."""
        x = self.operands[name]
        inner = (self.memory if memory is None else memory)[name][:, GUARD:-GUARD]
        if self._vector(name):
            apart = inner[:, :: abs(self.increment)]
            return (apart if self.increment > 0 else apart[:, ::-1])[:, :, None]
        rows, cols = x.shape[1:] if self.order == "C" else x.shape[:0:-1]
        lines = inner.reshape(len(x), rows, self.ld(x))[:, :, :cols]
        return lines if self.order == "C" else lines.transpose(0, 2, 1)

    def pointers(self, name: str) -> list[int]:
        memory = self.memory[name]
        start = memory.ctypes.data + GUARD * memory.itemsize
        return [start + i * memory.strides[0] for i in range(len(memory))]

    @property
    def arguments(self) -> dict[str, Any]:
        """Numbers and scalars by name."""
        found: dict[str, Any] = {flag: number(flag, letter) for flag, letter in self.flags.items()}
        found |= dict(self.sizes)
        if by := operation(self.op).sized_by:
            found |= dict(zip(self.sizes, self.operands[by].shape[1:], strict=True))
        found |= {f"ld{name.lower()}": self.ld(x) for name, x in self.operands.items()}
        found |= {f"inc{name.lower()}": self.increment for name in self.operands}
        return found | dict(self.scalars) | dict(self.changed)

    def check(self) -> None:
        """Outputs hold what they should, everything else what it held."""
        row, oracle = operation(self.op), ORACLES[self.op]
        if not self.idle and self.count:
            x, y = ({name: self.view(name, m).copy() for name in self.operands} for m in (self.before, self.memory))
            error = oracle.error(x, y, dict(self.flags), self.scalars)
            assert error <= oracle.bound, (self.op, self.dtype, self.order, self.flags, self.sizes, error)
        for x in row.parameters:
            expected, found = self.before[x.name].copy(), self.memory[x.name].copy()
            if x in row.outputs and not self.idle:
                for memory in (expected, found):
                    self.view(x.name, {x.name: memory})[:, self._written(x)] = 0
            assert expected.tobytes() == found.tobytes(), (self.op, self.dtype, self.order, self.flags, x.name)

    def _written(self, x: Operand) -> Any:
        shape = self.operands[x.name].shape[1:]
        parts = ORACLES[self.op].written(dict(self.flags)).get(x.name)
        return stored(shape, parts[0]) if parts else np.ones(shape, bool)


def group(
    rng: np.random.Generator, op: str, dtype: str, order: str, count: int, sizes: Sequence[int], **more: Any
) -> Group:
    """A group with letters and scalars drawn by chance."""
    row, p = operation(op), BY_DTYPE[dtype]
    family = Family(row, p, (Layout.PP,), ())
    flags = {
        name: str(rng.choice([str(x) for x in some])) for name, some in zip(row.flags, family.letters, strict=True)
    }
    named = dict(zip(row.sizes, sizes, strict=False))
    values = {"alpha": float(rng.choice([0.75, -1.25])), "beta": float(rng.choice([-0.5, 0.25]))}
    scalars = {
        name: values[name] + (0.25j if p.complex and name not in row.real_scalars else 0) for name in row.scalars
    }
    operands = ORACLES[op].make(rng, count, named, flags, dtype)
    return Group(op, dtype, order, flags, named, scalars, operands, **more)


def ints(numbers: Sequence[int], kind: Any = ctypes.c_int) -> Any:
    return (kind * max(1, len(numbers)))(*numbers)


def reals(groups: Sequence[Group], name: str) -> Any:
    """The array of a scalar: pairs where it is complex."""
    p = BY_DTYPE[groups[0].dtype]
    pair = p.complex and name not in operation(groups[0].op).real_scalars
    values = np.array([g.arguments[name] for g in groups], p.dtype)
    return values if pair else np.ascontiguousarray(values.real)


def arrays(groups: Sequence[Group], names: Sequence[str], kind: Any = ctypes.c_int) -> list[Any]:
    """The arrays of a call: an element for each group, and pointers of all matrices."""
    row, found = operation(groups[0].op), []
    for name in names:
        if name in [x.name for x in row.parameters]:
            pointers = list(itertools.chain.from_iterable(g.pointers(name) for g in groups))
            found.append(ints(pointers, ctypes.c_void_p))
        elif name in row.scalars:
            found.append(reals(groups, name))
        else:
            numbers = [g.arguments[name] for g in groups]
            found.append(ints(numbers, ctypes.c_int if name in row.flags else kind))
    return found


def passed(argument: Any) -> Any:
    """A ctypes argument, with which the memory of an array lives."""
    if not isinstance(argument, np.ndarray):
        return argument
    found = ctypes.c_void_p(argument.ctypes.data)
    found.array = argument  # type: ignore[attr-defined]
    return found
