"""How far ahead of the arithmetic operands are prefetched, and when results pass the caches by."""

from __future__ import annotations

from ..ir.program import Program
from ..ir.terms import Layout, Strides

AHEAD = 6 * 1024
"""Bytes of operands to be ahead of the arithmetic with prefetches: the time a memory takes to answer, at the speed of
one core's share of it. The hardware's own prefetchers see each of several short streams too late."""
NONTEMPORAL = 128 << 20
"""Bytes of a batch beyond about half of a large level-3 cache: what is written will not be there when it is read."""
FILLED = 24 << 20
"""Bytes of a batch that fill a level-3 cache: of results of matrices by themselves half is not there then. With
twice as many, results are memory that is new to the process, and the system's zeros are in caches, as stores want."""
LEAST_AHEAD = 300
"""Bytes of operands of a matrix in a block from which the hardware's prefetchers are lost in it."""
LEAST_BY_POINTER = 150
"""Bytes of operands of a matrix that are worth three more pointers to fetch."""
MOST_AHEAD = 32
"""Matrices to be ahead at most."""
TOO_LARGE = 512 * 1024
"""Bytes of operands of which the next would drive these out of the level-2 cache."""


def vectors_ahead(program: Program, width: int) -> int:
    """How many matrices ahead a lane kernel prefetches."""
    unit = program.spec.nb if all(layout.blocked for layout in program.spec.layouts) else width
    if not in_vectors(program, width) or program.spec.bytes * unit >= TOO_LARGE:
        return 0
    if program.by_step:
        return unit if program.spec.bytes >= LEAST_AHEAD else 0
    return unit * -(-AHEAD // max(1, program.spec.bytes * unit))


def in_vectors(program: Program, width: int) -> bool:
    """Whether a lane kernel can prefetch: blocks follow one another, and a row of one is a cache line or two; or all
    operands are matrices whose columns, or rows, have no gaps."""
    if width == 1 or program.row.prefetches == "never":
        return False
    if any(layout.interleaved for layout in program.spec.layouts):
        blocks = (
            all(layout.blocked for layout in program.spec.layouts)
            and 64 <= program.spec.nb * program.p.compute.bytes <= 128
        )
        return blocks and not (program.by_step and any(layout.triangle for layout in program.spec.layouts))
    return not program.by_step and program.spec.strides is not Strides.RS


def matrices_ahead(program: Program) -> int:
    """Matrices to prefetch ahead; none where finding them, by their pointers, costs more than it saves."""
    if program.spec.bytes >= TOO_LARGE or (Layout.PP in program.spec.layouts and program.spec.bytes < LEAST_BY_POINTER):
        return 0
    return min(MOST_AHEAD, -(-AHEAD // max(1, program.spec.bytes)))
