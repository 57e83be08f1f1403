"""What is in shared memory where threads of a GPU do a matrix each: matrices that a block brings there together, and
arrays that bodies index."""

from __future__ import annotations

from ..ir.canonical import Body
from ..ir.program import Program
from .lane import indexed, works_in
from .shared import FAVOURED, array_bytes, diagonal_alone

STAGES = ((128, FAVOURED), (64, FAVOURED), (32, 48 << 10))
"""Matrices of a block, and the bytes that these may take in shared memory. A block can have 48 KB, a multiprocessor has
100 to 227: of several blocks some wait for memory while others compute."""


def staged_matrices(program: Program) -> int:
    """How many matrices a block brings to shared memory: none where all are interleaved and no body goes through them
    again and again, or one is too large, or each number that counts, of a diagonal or alone, is in a sector of its own,
    whoever reads it."""
    return _fitting(_staged_bytes(program) + array_bytes(program)) if _staged(program) else 0


def several_blocks(program: Program) -> bool:
    """Whether a multiprocessor has several blocks of a warp, so that some wait for memory while others compute."""
    return (_staged_bytes(program) + array_bytes(program)) * (STAGES[-1][0] | 1) <= FAVOURED


def indexing_matrices(program: Program) -> int:
    """How many matrices a block does whose arrays alone are in shared memory; 0 where these are too large."""
    return _fitting(array_bytes(program))


def comes_back(program: Program) -> bool:
    """Whether bodies come back to their operands, or index arrays."""
    return revisited(program) or array_bytes(program) > 0


def in_room(program: Program) -> int:
    """How many matrices a block does where all that bodies come back to is in shared memory; 0 where there is no room
    for it."""
    return staged_matrices(program) if _staged(program) else indexing_matrices(program)


def revisited(program: Program) -> bool:
    """Whether interleaved matrices are brought to shared memory as others are, as bodies come back to them; but not
    where few elements are in registers."""
    parts = program.p.parts
    some = (body for body in program.bodies if body.row.revisits and not in_lines(program, body))
    return any(indexed(body, parts) or not body.row.indexes for body in some)


def in_lines(program: Program, body: Body) -> bool:
    """Whether an algorithm for a small order has whole matrices in registers, beside the tile. Told of no blocks, or of
    more than one, compilers spill a few."""
    return bool(body.row.ways) and not works_in(body, program.p.parts)


def _staged(program: Program) -> bool:
    alone = ({"D"} == program.parts(x.name) or program.spec.stored(x) == (1, 1) for x in program.row.matrices)
    return not ((program.family == "interleaved" and not revisited(program)) or all(alone))


def _staged_bytes(program: Program) -> int:
    each = 0
    for x in program.row.matrices:
        where, (rows, cols) = program.spec.where(x), program.spec.stored(x)
        if (where is None or not where.interleaved or revisited(program)) and x.name not in program.landings:
            each += rows * (1 if diagonal_alone(program, x) else cols) * program.p.bytes_of(x.kind)
    return each


def _fitting(each: int) -> int:
    """The most matrices of so many bytes each."""
    return next((matrices for matrices, most in STAGES if each * (matrices | 1) <= most), 0)
