"""The roofline's two lines, measured: fused multiply-adds per second, bytes per second."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any

import numpy as np

from ..codegen.render import render_file
from ..ir.terms import PRECISIONS, Precision
from ..runtime.library import Library, load_c
from ..runtime.marshal import address
from ..runtime.storage import aligned
from ..toolchain.compilers import find_cc

SUMS = 12
PEAK_STEPS = 20_000
OVERWRITE, ADD, PAST_CACHES = range(3)


@cache
def _library(real: str) -> Library:
    bytes_of = {row.compute.name: row.compute.bytes for row in PRECISIONS.values()}
    simd = find_cc().simd_bytes
    size = bytes_of[real]
    text = render_file("bench/limits.c", real=real, simd_bytes=simd, real_bytes=size, width=simd // size, sums=SUMS)
    declarations = (
        "double bb_peak(int64_t steps);"
        "void bb_stream(void *a, void *b, void *c, int64_t count, int how, int threads);"
        "void bb_flush(void *p, int64_t bytes);"
    )
    return load_c("bb_peak", text, declarations)


@dataclass(frozen=True)
class Peak:
    """One core that does nothing but independent vector FMAs, for about 0.1 ms."""

    precision: Precision

    arrays: tuple[Any, ...] = ()

    @property
    def work(self) -> int:
        """Floating-point operations."""
        return 2 * SUMS * PEAK_STEPS * find_cc().simd_bytes // self.precision.compute.bytes

    def __call__(self) -> None:
        _library(self.precision.compute.name).function(PEAK_STEPS)


def flush(arrays: list[Any]) -> None:
    """Put the arrays out of all caches."""
    library = _library("double")
    for array in arrays:
        library.handle.bb_flush(address(array), array.nbytes)


@dataclass(frozen=True)
class Stream:
    """A sum of arrays of a problem's own size: the bandwidth it could have at most.

    ``how``: OVERWRITE, c := a + b; ADD, c := a + b + c; PAST_CACHES, c := a + b by stores that leave the caches alone.
    ``work`` counts what is read and written, c twice where it is added to.
    """

    a: Any
    b: Any
    c: Any
    how: int
    threads: int

    @classmethod
    def like(cls, nbytes: int, how: int, threads: int) -> Stream:
        """Three arrays of ``nbytes`` together."""
        count = max(8, nbytes // 24)
        a, b, c = (aligned((count,), np.dtype(float)) for _ in range(3))
        a[:], b[:], c[:] = 1, -1, 0
        return cls(a, b, c, how, threads)

    @property
    def arrays(self) -> list[Any]:
        return [self.a, self.b, self.c]

    @property
    def work(self) -> int:
        """Bytes."""
        return int(sum(x.nbytes for x in self.arrays) + self.c.nbytes * (self.how == ADD))

    @cached_property
    def _run(self) -> Callable[[], None]:
        a, b, c = (address(x) for x in self.arrays)
        return partial(_library("double").handle.bb_stream, a, b, c, self.a.size, self.how, self.threads)

    def __call__(self) -> None:
        self._run()
