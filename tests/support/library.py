"""One C library for all tests of a session, and calls of its functions with arrays."""

from __future__ import annotations

import fcntl
import os
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from cffi import FFI

from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.spec import KernelSpec, precision
from bblas_gen.ir.terms import FLAGS, Kind, Layout
from bblas_gen.library.build import build
from bblas_gen.library.contents import Family, Level
from bblas_gen.library.family import CBLAS
from bblas_gen.library.plan import Plan, unreached
from bblas_gen.runtime.library import generator
from bblas_gen.schedule import recursive
from bblas_gen.toolchain import compilers

from .kernels import UNOPTIMIZED, optimized
from .table import ORACLES

BATCH = 11
LARGE = recursive.STOP + 1
"""The order from which the library divides matrices, as soon as there is something to divide."""
NAMED = ("bb_dgemm_tn_pp_m2n3k4_ld", "bb_dgemm_tn_st_m2n3k4_ld", "bb_dgemm_tn_bi_m2n3k4", "bb_zgemm_nc_st_m3n3k3_ld")
NAMED += ("bb_strsm_lunn_pp_m3n3_ld", "bb_dposv_l_st_n3nrhs2_rmld", "bb_zgetrf_st_m3n3_ld")
BY_NAME = "bb_dgemm_nn_st_m2n2k2"
"""A kernel that is found by its name alone: no function of a library takes matrices without leading dimensions."""
FAMILIES = {
    "dgemm": ("pp", "st", "bi"),
    "zgemm": ("st",),
    "strsm": ("pp",),
    "cher2k": ("st",),
    "dposv": ("st", "bi"),
    "zgetrf": ("st",),
    "dgetrf": ("pp",),
    "dgetrs": ("pp",),
    "dsymm": ("pp",),
    "dpotrf": ("pp", "bi"),
}
"""The families, with the layouts of their functions: few, as all their flags are compiled."""

GIVEN = {"m": 2, "n": 3, "k": 4, "nrhs": 2}
"""Sizes that have kernels of their own in some families; others run the kernel for all sizes."""
SCALARS = {"alpha": -0.5, "beta": 0.5}
COMBINATIONS = [
    (name, layout, sizes)
    for name in FAMILIES
    for layout in ("pp", "st")
    if layout in FAMILIES[name]
    for sizes in (GIVEN, {"m": 3, "n": 3, "k": 3, "nrhs": 2}, {"m": 5, "n": 9, "k": 1, "nrhs": 1})
]
DIVIDED = [
    (name, layout, {"m": LARGE, "n": LARGE, "k": 3, "nrhs": 2})
    for name in FAMILIES
    for layout in ("pp", "st")
    if layout in FAMILIES[name] and name[1:] != "gemm"
]


def family(name: str) -> Family:
    known = [KernelSpec.parse(symbol) for symbol in NAMED if f"bb_{name}_" in symbol]
    return Family(OPS[name[1:]], precision(name[0]), tuple(map(Layout, FAMILIES[name])), tuple(known))


def plan(levels: tuple[Level, ...] | None = None, *, openmp: bool | None = None, names: Any = FAMILIES) -> Plan:
    cc, families = compilers.find_cc(), tuple(map(family, names))
    threads = compilers.has_openmp(cc) if openmp is None else openmp
    more = unreached(families, [KernelSpec.parse(BY_NAME)])
    return Plan("tested", "tt_", families, more, levels or (Level("native", 16),), threads)


@cache
def folder() -> Path:
    """Where the library is, built by whichever process of the session comes first, without optimization: in half of
    the time."""
    where = Path(os.environ["BBLAS_GEN_CACHE_DIR"]) / "tested-library"
    where.mkdir(parents=True, exist_ok=True)
    with (where / "lock").open("w") as lock, optimized(UNOPTIMIZED), patch.object(recursive, "LARGE", LARGE):
        fcntl.flock(lock, fcntl.LOCK_EX)
        build(plan(), where, digest=generator("library"), jobs=1, done=lambda *_: None)
    return where


def declarations(header: Path) -> str:
    """A header as cffi reads it."""
    lines = header.read_text().splitlines()
    return "\n".join(x for x in lines if not x.startswith("#") and x != "}" and 'extern "C"' not in x) + "\n"


@cache
def loaded() -> tuple[FFI, Any]:
    ffi = FFI()
    ffi.cdef(declarations(folder() / "include" / "tested.h"))
    return ffi, ffi.dlopen(str(folder() / "lib" / "libtested.so"))


def number(name: str, letter: str) -> int:
    """The number of a letter of a flag."""
    return next(value for value, known in CBLAS[FLAGS[name]].items() if known == letter)


@dataclass
class Stored:
    """Matrices in C: ``array`` has the memory of all, NaN where nothing belongs; ``stride`` is between two."""

    shape: tuple[int, int]
    row_major: bool
    array: Any
    ld: int
    stride: int

    @classmethod
    def of(cls, x: Any, row_major: bool, pad: int) -> Stored:
        batch, rows, cols = x.shape
        lines, length = (rows, cols) if row_major else (cols, rows)
        ld = max(1, length) + pad
        array = np.full((batch, lines + 1, ld), np.nan, x.dtype)
        array[:, :lines, :length] = x if row_major else x.transpose(0, 2, 1)
        return cls((rows, cols), row_major, array, ld, (lines + 1) * ld)

    @property
    def matrices(self) -> Any:
        rows, cols = self.shape
        inner = self.array[:, :rows, :cols] if self.row_major else self.array[:, :cols, :rows].transpose(0, 2, 1)
        return inner.copy()

    def outside(self) -> Any:
        """The memory that belongs to no matrix."""
        found = self.array.copy()
        rows, cols = self.shape if self.row_major else self.shape[::-1]
        found[:, :rows, :cols] = 0
        return found


def made(name: str, sizes: dict[str, int], flags: dict[str, str], seed: int = 0, batch: int = BATCH) -> dict[str, Any]:
    """Operands of a family, by the making of its oracle."""
    rng = np.random.default_rng(seed)
    found = ORACLES[name[1:]].make(rng, batch, sizes, flags, precision(name[0]).dtype)
    return {x.name: found[x.name] for x in OPS[name[1:]].parameters}


def dtype_of(name: str) -> str:
    return precision(name[0]).dtype


def indices(name: str) -> list[str]:
    """The operands that are indices."""
    return [x.name for x in OPS[name[1:]].parameters if x.kind is Kind.INDEX]


def reals(name: str) -> Any:
    """The dtype of a family's real numbers."""
    return np.zeros(0, dtype_of(name)).real.dtype


def flags_of(name):
    """All letters of all flags that the BLAS has."""
    known = family(name)
    return [dict(zip(known.row.flags, map(str, letters), strict=True)) for letters in product(*known.letters)]


class Call:
    """A call of a function with arrays that must outlive it."""

    def __init__(self, name, kind):
        self.ffi, lib = loaded()
        self.function, self.row, self.name = getattr(lib, f"tt_{name}_{kind}"), OPS[name[1:]], name
        self.complex, self.kept = name[0] in "cz", []

    def scalar(self, name, value):
        real = np.array([value.real, value.imag], reals(self.name))
        self.kept.append(real)
        plain = not self.complex or name in self.row.real_scalars
        return value.real if plain else self.ffi.cast("void *", real.ctypes.data)

    def pointer(self, array):
        self.kept.append(array)
        return self.ffi.cast("void *", array.ctypes.data)

    def pointers(self, stored):
        found = np.array([matrix.ctypes.data for matrix in stored.array], np.uintp)
        self.kept.append(stored.array)
        return self.pointer(found)

    def run(self, layout, row_major, sizes, flags, operands, other=None, work=()):
        """``operands``: Stored, or plain arrays of indices; ``other`` replaces arguments by their names; ``work``: a
        block and its bytes, in the place of threads."""
        given = {} if layout == "bi" else {"layout": 101 if row_major else 102}
        given |= {name: number(name, letter) for name, letter in flags.items()}
        given |= {name: sizes[name] for name in self.row.sizes}
        for name in self.row.arguments:
            if name in self.row.scalars:
                given[name] = self.scalar(name, complex(SCALARS[name]))
                continue
            x, letter = operands[name], name.lower()
            if isinstance(x, Stored):
                given[name] = self.pointers(x) if layout == "pp" else self.pointer(x.array)
                given[f"ld{letter}"] = x.ld
                given |= {f"stride_{letter}": x.stride} if layout == "st" else {}
            else:
                given[name] = self.pointer(x)
                given |= {f"stride_{letter}": x.shape[1]} if layout != "bi" and x.ndim == 2 else {}
        if self.row.info:
            given["info"] = self.pointer(operands["info"])
        given |= {"batch_count": BATCH} | ({} if work else {"num_threads": 1}) | (other or {})
        return self.function(*given.values(), *work)


def operands_of(name, sizes, flags, row_major, pad=2):
    operands = made(name, sizes, flags).items()
    found = {x: array if x in indices(name) else Stored.of(array, row_major, pad) for x, array in operands}
    return found | {"info": np.full(BATCH, -7, np.int32)}


def values(operands):
    return {name: x.matrices if isinstance(x, Stored) else x for name, x in operands.items()}
