"""The roofline's two lines, measured: fused multiply-adds per second, bytes per second."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ..build import Library, load_c
from ..call import address
from ..interleaved import aligned
from ..render import render_file
from ..terms import PRECISIONS, Precision
from ..toolchain import find_cc

SUMS = 12
PEAK_STEPS = 20_000


@cache
def _library(real: str) -> Library:
    bytes_of = {row.real: row.real_bytes for row in PRECISIONS.values()}
    simd = find_cc().simd_bytes
    size = bytes_of[real]
    text = render_file("bench/limits.c", real=real, simd_bytes=simd, real_bytes=size, width=simd // size, sums=SUMS)
    declarations = (
        "double bb_peak(int64_t steps);"
        "void bb_stream(void *a, void *b, void *c, int64_t count, int threads);"
        "void bb_flush(void *p, int64_t bytes);"
    )
    return load_c("bb_peak", text, declarations)


@dataclass(frozen=True)
class Peak:
    """One core that does nothing but independent vector FMAs, for about 0.1 ms."""

    precision: Precision

    @property
    def flops(self) -> int:
        return 2 * SUMS * PEAK_STEPS * find_cc().simd_bytes // self.precision.real_bytes

    def __call__(self) -> None:
        _library(self.precision.real).function(PEAK_STEPS)


def flush(arrays: list[Any]) -> None:
    """Put the arrays out of all caches."""
    library = _library("double")
    for array in arrays:
        library.handle.bb_flush(address(array), array.nbytes)


@dataclass(frozen=True)
class Stream:
    """c := a + b over three arrays of a problem's own sizes: the bandwidth it could have at most."""

    a: Any
    b: Any
    c: Any
    threads: int

    @classmethod
    def like(cls, nbytes: int, threads: int) -> Stream:
        """Three arrays of ``nbytes`` together."""
        count = max(8, nbytes // 24)
        a, b, c = (aligned((count,), np.dtype(float)) for _ in range(3))
        a[:], b[:], c[:] = 1, 1, 0
        return cls(a, b, c, threads)

    @property
    def arrays(self) -> list[Any]:
        return [self.a, self.b, self.c]

    @property
    def nbytes(self) -> int:
        return int(sum(x.nbytes for x in self.arrays))

    def __call__(self) -> None:
        library = _library("double")
        library.handle.bb_stream(address(self.a), address(self.b), address(self.c), self.a.size, self.threads)
