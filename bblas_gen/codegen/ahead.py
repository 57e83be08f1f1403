"""What kernels prefetch: matrices that come next, by steps of a body or by its tiles."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Any

from ..ir import partition
from ..ir.program import Program
from ..ir.terms import Kind, Layout, Side
from ..schedule.lane import prefetched_by_tile
from ..schedule.schedule import LANES, Schedule
from .operand_text import OperandText

BEYOND = 4096
"""Bytes to be ahead where a kernel is told of one matrix alone: as if what follows it in memory came next. They are the
same for all sizes, so calls of different kernels, one after the other, prefetch each line once."""
FAR = 3 << 19
"""Bytes of a thread's part of a batch that come from beyond a level-2 cache."""


@dataclass(frozen=True)
class Ahead:
    """What one step of a body prefetches of an operand: ``lines`` cache lines, then ``step`` bytes further."""

    name: str
    write: bool
    lines: int
    step: int
    matrix: str


def fetched(program: Program, schedule: Schedule, operands: list[OperandText]) -> dict[str, Any]:
    """What the frame sees of all that is prefetched."""
    ahead = prefetched(program, schedule, operands)
    bursts, coming = in_bursts(program, schedule, operands, ahead), [x for x in operands if x.coming]
    distant = bool(bursts or coming or (ahead and schedule.form in LANES))
    return {"ahead": ahead, "bursts": bursts, "coming": coming, "distant": distant, "far": FAR}


def prefetched(program: Program, schedule: Schedule, operands: list[OperandText]) -> list[Ahead]:
    """What the steps of a body, or its tiles, prefetch."""
    if not program.by_step:
        return by_tile(program, schedule, operands)
    return to_prefetch(program, schedule, operands, max(1, program.spec.nb) if schedule.form in LANES else 1)


def in_bursts(
    program: Program, schedule: Schedule, operands: list[OperandText], ahead: list[Ahead]
) -> list[OperandText]:
    """The operands of which the frame prefetches a matrix, or a whole vector of them, at once: nothing moves them."""
    if not schedule.prefetch or program.by_step or not program.contiguous:
        return []
    skipped = [x.name for x in ahead]
    alone = [x for x in operands if x.storage is not None and not x.coming and x.kind is not Kind.INDEX]
    return [x for x in alone if x.name not in skipped]


def to_prefetch(program: Program, schedule: Schedule, operands: list[OperandText], matrices: int = 1) -> list[Ahead]:
    """What each step of a body that works on ``matrices`` at a time prefetches."""
    steps = _steps(program, schedule) if schedule.prefetch else 0
    if not steps:
        return []
    found = []
    for x in operands:
        share = ceil(matrices * x.reals * program.p.storage.bytes / steps)
        found.append(Ahead(x.name, x.writes, -(-share // 64), share, _next(program, x)))
    return found


def _next(program: Program, x: OperandText) -> str:
    """The C text of a pointer to matrix ``next``; of one found by its pointer, alone, to what lies behind it."""
    if x.storage is not Layout.PP:
        return x.pointer("next")
    alone = " && ".join(["hi - lo == 1", *filter(None, [x.needed])])
    return f"next > p ? {x.pointer('next')} : {x.name} + ({alone} ? {BEYOND // program.p.storage.bytes} : 0)"


def by_tile(program: Program, schedule: Schedule, operands: list[OperandText]) -> list[Ahead]:
    """What each tile of a lane body prefetches: of interleaved matrices, of operands that are wanted whole; else of
    what it has a copy of, of matrices one behind another."""
    last, copied = program.bodies[-1], prefetched_by_tile(program)
    interleaved = all(where.interleaved for where in program.spec.layouts) and len(program.bodies) == 1
    if not (schedule.prefetch and schedule.form == "lane" and (interleaved or copied)):
        return []
    if not last.row.tile_shape or last.row.prefetches == "step":  # steps are enough, but tell apart what is far
        return []
    output = program.row.outputs[-1]
    size = [max(1, side) for side in program.spec.stored(output)]
    if last.flag.get("side") is Side.R:
        size.reverse()
    tile = schedule.tiles[-1]
    down, across = -(-size[0] // tile.rows), -(-size[1] // tile.cols)
    tiles = down * (down + 1) // 2 if last.row.outputs[-1].triangle else down * across
    ahead = []
    for x in operands:
        if x.name in copied if copied else x.kind is not Kind.INDEX and (not x.wanted or x.view.packed):
            lines = ceil(x.reals * (schedule.width if copied else x.nb) * program.p.storage.bytes / 64 / tiles)
            ahead.append(Ahead(x.name, x.writes, lines, lines * 64, x.pointer("next")))
    return ahead


def _steps(program: Program, schedule: Schedule) -> int:
    """Steps of k of all tiles of C; a flat body prefetches all at its beginning."""
    if schedule.form == "flat":
        return 1
    m, n, k = (int(program.spec.size.get(name, 1)) for name in "mnk")
    if schedule.form == "direct":
        down = sum(
            tile.loop.repeats for tile in partition.row_tiles(m * program.p.parts, schedule.width, schedule.rows)
        )
    else:
        down = sum(segment.repeats for segment in partition.segments(m, schedule.rows))
    return down * sum(segment.repeats for segment in partition.segments(n, schedule.cols)) * k
