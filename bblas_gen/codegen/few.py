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
TALL = 2
"""Blocks one upon the other that go by at once beside one right-hand side."""
HERE = 1024
"""Reals of a few right-hand sides that a function has for itself; more are on the heap."""


@dataclass(frozen=True)
class Few:
    """Numbers about a few right-hand sides: how many ``reals`` they may have, those of a cache ``line``, and of an
    array ``here``; of how many a thread takes as a ``grain``, and reads the triangle for them. Where it has ``far``
    elements or more, blocks ``ahead`` are prefetched, the cache ``lines`` of each of their columns or rows. ``tall``
    blocks go by at once beside one of them, where columns are contiguous."""

    reals: int
    line: int
    here: int
    grain: int
    far: int
    ahead: int
    lines: Sequence[int]
    tall: int

    @staticmethod
    def columns(width: int, back: bool) -> list[tuple[int, list[int]]]:
        """The columns of a whole triangular block beside its diagonal, from the one that fewest rows have: its number,
        and what a vector of rows becomes, by lanes: its own, or, by ``width`` more, that of another one."""
        found = range(1, width) if back else range(width - 2, -1, -1)
        return [(q, [p + width * ((p < q) if back else (p > q)) for p in range(width)]) for q in found]


def few_of(program: Program, schedule: RecursiveSchedule) -> Few:
    """Those of a kernel."""
    size, reals = program.p.itemsize, schedule.width * program.p.parts
    lines = range(0, reals, LINE // program.p.compute.bytes)
    grain = max(schedule.width, schedule.few // 4)
    return Few(BESIDE // size, LINE // size, HERE, grain, FAR // size, AHEAD, lines, TALL)
