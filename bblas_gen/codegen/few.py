"""Numbers of the C of a triangle beside a few right-hand sides, which is read once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..ir.program import Program
from ..schedule.lane import LINE
from ..schedule.recursive import BESIDE, RecursiveSchedule

FAR, AHEAD = 3 << 23, 32
"""Bytes of a square from which its triangle, beside a few right-hand sides, comes from beyond a middling share of a
level-3 cache, and is prefetched; by how many blocks."""
HERE = 1024
"""Reals of a few right-hand sides that a function has for itself; more are on the heap."""


@dataclass(frozen=True)
class Few:
    """Numbers about a few right-hand sides: how many ``reals`` they may have, those of a cache ``line``, and of an
    array ``here``. Threads share the rows beside a ``panel`` of blocks, ``grain`` blocks at least, where there are
    ``shared`` products, with four more for each element of the triangle, which takes ``pace`` nanoseconds. Of up to
    ``alone`` right-hand sides they do not: one thread reads the triangle as fast as the memory has it. Where it has
    ``far`` elements or more, blocks ``ahead`` are prefetched, the cache ``lines`` of each of their columns or rows."""

    reals: int
    line: int
    here: int
    shared: int
    panel: int
    grain: int
    pace: float
    alone: int
    far: int
    ahead: int
    lines: Sequence[int]


def few_of(program: Program, schedule: RecursiveSchedule) -> Few:
    """Those of a kernel."""
    size, slab = program.p.itemsize, schedule.slab
    panel, grain = (max(1, rows // schedule.width) for rows in (slab, slab // 4))
    reals = schedule.width * program.p.parts
    lines = range(0, reals, LINE // program.p.compute.bytes)
    shared, alone = (16 * slab) ** 2, schedule.few // 4
    return Few(BESIDE // size, LINE // size, HERE, shared, panel, grain, size / 32, alone, FAR // size, AHEAD, lines)
