"""How fast a matrix goes by beside vectors: the limit of ``ger`` and ``gemv``.

One long vector of as many bytes is no limit of theirs: columns begin and end where cache lines do not, and vectors
beside the matrix are read, or read and written, again for each few columns. So plain loops do the same reads and
writes, in the same places; they differ in the columns that they take together and in the width of vectors. The fastest
is the limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from time import perf_counter
from typing import Any

import numpy as np

from ...codegen.render import render_file
from ...runtime.library import Library, load_c
from ...runtime.marshal import address
from ...runtime.storage import aligned
from ...toolchain.compilers import find_cc
from .problem import Problem

UPDATED, INTO, BESIDE = range(3)
"""A multiple of x is added to each column; all columns are added to y; products of each with x are added up, to y."""
TOGETHER = (1, 2, 4, 8)
"""Columns that go by at a time."""
MOST = 8
"""Vectors of a loop's step, over all columns that go by."""
APART = 64
"""Reals between what threads write."""
TRIES, SECONDS = 3, 1e-3
"""Rounds of the search for the fastest loop, and about how long each takes."""


@cache
def _library(simd_bytes: int) -> Library:
    text = render_file(
        "bench/columns.c", simd_bytes=simd_bytes, width=simd_bytes // 8, several=TOGETHER, most=MOST, apart=APART
    )
    declared = "void bb_columns(int64_t, void *, void *, void *, int64_t, int64_t, int, int, int);"
    return load_c("bb_columns", text, declared)


def how(problem: Problem) -> int:
    """What becomes of the matrix, by the operand that is written and by whether it is transposed."""
    if not problem.output.is_vector:
        return UPDATED
    return BESIDE if any(letter.transposes for letter in problem.spec.flag.values()) else INTO


def ways(problem: Problem, threads: int) -> Iterator[Callable[[int], Any]]:
    """All loops, each of which does the problem's reads and writes so many times; on operands of their own."""
    x = problem.spec.row.operand("A")
    rows, cols = problem.spec.stored(x)
    rows = max(1, rows * problem.p.itemsize // 8)
    a, beside, into = (aligned((n,), np.dtype(float)) for n in (rows * cols, rows, threads * (max(rows, cols) + APART)))
    for some, value in ((a, 1e-3), (beside, 1e-3), (into, 0)):
        some[...] = value
    widest = find_cc().simd_bytes
    for simd_bytes in sorted({min(32, widest), widest}):
        function = _library(simd_bytes).function
        for way in range(len(TOGETHER)):
            yield partial(_run, function, (a, beside, into), (rows, cols, how(problem), way, threads))


def _run(function: Any, operands: tuple[Any, ...], numbers: tuple[int, ...], times: int) -> None:
    function(times, *map(address, operands), *numbers)


def fastest(found: Iterator[Callable[[int], Any]]) -> Callable[[int], Any]:
    """The loop that takes the least time, by turns of all."""
    everyone = list(found)
    once = max(min(_seconds(x, 1) for x in everyone), 1e-7)
    times = max(1, round(SECONDS / once))
    least = [min(_seconds(x, times) for _ in range(TRIES)) for x in everyone]
    return everyone[least.index(min(least))]


def _seconds(run: Callable[[int], Any], times: int) -> float:
    started = perf_counter()
    run(times)
    return perf_counter() - started
