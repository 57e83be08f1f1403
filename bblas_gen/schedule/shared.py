"""Where matrices that teams share lie in shared memory, so that lanes meet no bank conflicts, and how much there is."""

from __future__ import annotations

from ..ir.canonical import Body
from ..ir.operation import Operand
from ..ir.program import Program
from ..ir.terms import Kind
from ..ir.views import View
from ..toolchain.cubin_notes import block_shared
from .lane import array_counts, indexed

BANKS = 128
"""Bytes that all banks hand out together."""
SECTOR = 32
"""Bytes that memory hands out together."""
DECLARED = 48 << 10
"""Bytes that a kernel may declare. More is dynamic: whoever launches it asks for them."""
ROOMS = (99 << 10, 163 << 10, 227 << 10)
"""Bytes that a block can have at most, by classes of GPUs: all of compute capability 8.0 or newer have the first."""
MULTIPROCESSOR = 227 << 10
"""Bytes that the blocks of a multiprocessor of compute capability 9.0 share; older ones have less."""
FAVOURED = 25 << 10
"""Bytes of a block of which a multiprocessor has several: so some wait for memory while others compute."""
ALIGNED = 16
"""Bytes that the address of a block of matrices is a multiple of."""


def rooms(arch: str) -> tuple[int, ...]:
    """The classes of shared memory that GPUs of an architecture have, such as "sm_90", the smallest first; where it is
    not known, that which all have."""
    return (ROOMS[0], *(room for room in ROOMS[1:] if room <= block_shared(arch)))


def in_shared_memory(
    lanes: int, rows: int, cols: int, parts: int, real_bytes: int, interleaved: bool
) -> tuple[View, int]:
    """How a matrix lies there, and the reals from one to the next.

    Columns are an odd number of reals apart: so neighbours in a row are in banks of their own as those in a column are.
    Imaginary parts are behind all real ones, half a turn of the banks further, as both arrive together. Matrices are
    as many banks apart as a team has lanes; where that is all of them, and the matrices of a sector arrive together,
    as many as these leave to each.
    """
    turn = BANKS // real_bytes
    pitch = rows | 1 if cols > 1 else max(1, rows)
    half = max(1, pitch * cols)
    if parts == 2:
        half = _at_least(half, turn // 2, turn)
    if lanes < turn:
        apart = _at_least(half * parts, lanes, turn)
    elif interleaved:
        apart = _at_least(half * parts, BANKS // SECTOR, turn)
    else:
        apart = half * parts
    return View(1, pitch, 1, half if parts == 2 else 1), apart


def _at_least(count: int, remainder: int, turn: int) -> int:
    """The smallest number from ``count`` on with this remainder by ``turn``."""
    return count + (remainder - count) % turn


def block_bytes(count: int, real_bytes: int) -> int:
    """What so many reals take in a block, up to where the next may begin."""
    return aligned(count * real_bytes)


def aligned(size: int) -> int:
    """So many bytes, up to where what is next may begin."""
    return -(-size // ALIGNED) * ALIGNED


def diagonal_alone(program: Program, x: Operand) -> bool:
    """Whether of a matrix by itself bodies read or write the diagonal alone, so no more of it is brought along."""
    where = program.spec.where(x)
    return where is not None and not where.interleaved and program.parts(x.name) == {"D"}


def array_bytes(program: Program, *, team: bool = False) -> int:
    """The bytes of the arrays of a matrix that bodies index."""
    each = [_arrays(program, body, team) for body in program.bodies if indexed(body, program.p.parts)]
    return sum(each) if not team and array_sizes(program) > 1 else max(each, default=0)


def array_sizes(program: Program) -> int:
    """How many sizes numbers of such arrays have. Arrays of all bodies are in one place where teams wait between them,
    or where all have one size: else a number of one thread would be where another thread has its own of the body
    before."""
    some = [body for body in program.bodies if indexed(body, program.p.parts)]
    return len({program.p.bytes_of(kind) for body in some for _, kind, _ in array_counts(body, program.p.parts, 1)})


def _arrays(program: Program, body: Body, team: bool) -> int:
    found = 0
    for _, kind, count in array_counts(body, program.p.parts, 1, team=team):
        assert isinstance(count, int)
        found += aligned(count * program.p.bytes_of(kind))
    return found


def team_array(program: Program, lanes: int) -> int:
    """The same for a matrix of a team, as many banks from the next one as a team has lanes."""
    real, found = program.p.compute.bytes, array_bytes(program, team=True)
    turn = BANKS // real
    return _at_least(found // real, lanes, turn) * real if found and lanes < turn else found


def team_bytes(program: Program, lanes: int, matrices: int) -> int:
    """The bytes that ``matrices`` take, each shared by ``lanes``."""
    found = 0
    for x in program.row.matrices:
        where, parts = program.spec.where(x), program.p.parts_of(x.kind)
        if x.name not in program.landings:
            real, blocked = program.p.bytes_of(x.kind) // parts, where is not None and where.interleaved
            apart = in_shared_memory(lanes, *_columns(program, x), parts, real, blocked)[1]
            found += block_bytes(matrices * apart, real)
    return found + matrices * team_array(program, lanes)


def _columns(program: Program, x: Operand) -> tuple[int, int]:
    """Rows and columns of an operand, columns being contiguous; of a copy those of what it is made of on the way."""
    x = next((program.row.operand(name) for name, copy in program.landings.items() if copy == x.name), x)
    rows, cols = program.spec.stored(x)
    where = program.spec.where(x)
    free = where is not None and (not where.interleaved or program.spec.spaced)
    turned = free and x.kind is not Kind.INDEX and program.spec.strides.row_major
    return (cols, rows) if turned else (rows, cols)
