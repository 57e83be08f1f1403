"""How lane bodies go through their matrices: the tile of elements in registers, by a model of issue slots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt, prod
from typing import Any

from ..ir.canonical import Body
from ..ir.operation import Way, Work, picked
from ..ir.program import Program
from ..ir.sizes import Size, evaluate, product
from ..ir.targets import SCRATCH, Isa
from ..ir.terms import Kind, Layout, Side

LARGE_SCRATCH = 16 * SCRATCH
"""Bytes that vectors of up to 32 bytes are worth where there is much to do with each element and no other form."""
MUCH = 2
"""Floating-point operations for each byte of the operands."""
STACK = 64 * 1024
"""Bytes of scratch that may lie on a thread's stack, of which some have 128 KB; more comes from the heap."""
LINE = 64
"""Bytes that arrays begin at a multiple of."""
KC = 192
"""Most steps of k between visits to C in real arithmetic: so many of a few columns of op(B) stay in a level-1 cache."""
LANE_PANEL = 1 << 20
"""Bytes of op(A) of a vector of matrices that a lane body goes through for every few columns of C: a part of a level-2
cache."""
STRAIGHT = 64
"""Most reals of a matrix that is factored with pivots in straight lines; code grows as the cube of its order."""
ALONG = 16
"""Most reals of right-hand sides that are brought along with it in registers."""
UNROLLED = 16
"""Most reals of a matrix of which a GPU's thread has several in registers, though bodies go through them in loops."""
PANEL_COLUMNS = 4
"""Columns of a panel of larger ones."""
GENERAL = 24
"""What stands for a size that only run time knows where a number is needed: whole tiles of every shape."""
LINES = 8
"""Cache lines of a result that are worth storing past the caches: those at its ends are not."""
LATENCY = 4.0
"""Cycles until the result of a fused multiply-add can be added to."""


@dataclass(frozen=True)
class RegisterTile:
    """How a lane body goes through its matrices: the tile in registers, steps of k per iteration and per panel, and the
    rows of op(A), ``strip``, whose panel stays in a cache. ``held``: the triangular factor is in registers, too."""

    rows: int
    cols: int
    unroll: int
    kc: int
    strip: int = 0
    apart: bool = False
    held: bool = False


def lane_width(program: Program, isa: Isa, *, alone: bool = False) -> int:
    """Lanes per vector: the machine's, halved until they divide the block size and the scratch is affordable.

    At one lane there is no scratch, so every size can be done. ``alone``: there is no other form.
    """
    if not program.target.simd:
        return 1
    width = isa.simd_bytes // program.p.compute.bytes
    while width > 1 and ((program.spec.nb and program.spec.nb % width) or not affordable(program, width, alone=alone)):
        width //= 2
    return width


def affordable(program: Program, width: int, *, alone: bool = True) -> bool:
    """Whether vectors of ``width`` matrices are worth their scratch."""
    needed = scratch_bytes(program, width)
    if needed <= SCRATCH or needed > LARGE_SCRATCH or not alone:
        return needed <= SCRATCH
    return width * program.p.compute.bytes <= 32 and program.spec.flops >= MUCH * program.spec.bytes


def vectors_abreast(program: Program, width: int) -> int:
    """How many vectors of ``width`` matrices bodies do together: several where all matrices come to lanes of
    scratch, and bodies neither keep what others lost nor fetch operands themselves."""
    found = max(most_abreast(body, program.p.parts) for body in program.bodies)
    plain = program.separate and not (program.spec.general or program.preserved)
    plain = plain and width > 1 and not any(body.row.fetched for body in program.bodies)
    return found if plain and affordable(program, width * found) else 1


def scratch_bytes(program: Program, width: int) -> int:
    """Bytes a lane kernel needs for one vector of matrices: their intermediates; and, but where a vector is one lane,
    its ``pp``/``st`` operands and copies of what must be kept."""
    found, lost = 0, program.preserved if width > 1 else ()
    for x in program.row.matrices:
        (rows, cols), where = program.spec.stored(x), program.spec.where(x)
        moved = where is not None and width > 1 and not where.interleaved and x.name not in program.landings
        copies = (where is None) + moved + (x.name in lost)
        found += rows * cols * copies * program.p.bytes_of(x.kind)
    return found * width


def stored_past(program: Program, width: int) -> tuple[str, ...]:
    """The results of matrices by themselves that may be stored past the caches: whole ones, without gaps, that nothing
    reads, as lines of them are written by halves of vectors."""
    real = program.p.storage.bytes
    if not (program.target.simd and program.contiguous and has_halves(width, real)) or program.by_step:
        return ()
    some = (x for x in program.row.outputs if program.spec.where(x) is Layout.ST and x.kind is not Kind.INDEX)
    whole = (x for x in some if not program.reads(x) and not program.triangle(x.name))
    return tuple(x.name for x in whole if prod(program.spec.stored(x)) * program.p.bytes_of(x.kind) >= LINES * LINE)


def prefetched_by_tile(program: Program) -> tuple[str, ...]:
    """Operands by themselves of which a tile, not the frame, prefetches matrices to come: the last body goes through
    tiles of copies of them, and no body before it does."""
    *before, last = program.bodies
    if not (program.target.simd and program.contiguous and last.row.tile_shape and last.row.prefetches == "tile"):
        return ()
    copies = [x for x, copy in program.landings.items() if copy in last.operands]
    alone = len(copies) == 1 and program.spec.where(program.row.operand(copies[0])) is Layout.ST
    return tuple(copies) if alone and not any(body.row.tile_shape for body in before) else ()


def has_halves(width: int, real_bytes: int) -> bool:
    """Whether matrices are moved to and from vectors of ``width`` lanes by halves, which NEON and SSE do not have."""
    return width * real_bytes > 16


def register_tile(program: Program, body: Body, isa: Isa, width: int) -> RegisterTile:
    """The tile of a body in registers of ``width`` lanes."""
    rows, cols = _tile(body, program.p.parts, isa)
    k = body.size.get("k", 1)
    # Compilers move the loads of several steps to the front, which complex products and a CUDA thread, whose addresses
    # take registers too, pay for with spills. The one has work enough in a step, the other has other threads.
    unroll = max(1, min(k, isa.unrolled[0] // (rows * cols))) if program.target.simd and not program.p.complex else 1
    kc = min(k, panel_steps(program, body.size.get("m", 1), width)) if program.p.complex else real_panel(k)
    apart = isa.apart and in_rows(body, program.p.parts, isa)
    return RegisterTile(rows, cols, unroll, kc, strip(program, body, rows, kc, width), apart)


def in_straight_lines(body: Body, parts: int) -> bool:
    """Whether a body that fetches its first operand does all with it in straight lines."""
    if not body.row.fetched:
        return False
    elements = product(*sides(body, body.row.fetched[0]))
    return isinstance(elements, int) and elements * parts <= STRAIGHT


def is_closed(program: Program, body: Body) -> bool:
    """Whether factors of which only determinants are read come from straight lines: these leave less than factors."""
    maker = next(x for x in program.bodies if x.determinant == body.determinant) if body.determinant else None
    return maker is not None and in_straight_lines(maker, program.p.parts)


def indexed(body: Body, parts: int) -> bool:
    """Whether no register holds the arrays of a body, as only loops know the indices; of products of few elements
    compilers unroll these."""
    if not body.row.indexes or not body.row.tile_shape:
        return body.row.indexes
    rows, cols = sides(body, body.row.outputs[0].name)
    return bool(rows * cols * parts > UNROLLED)


def way(body: Body, parts: int) -> str:
    """The algorithm that a body goes by where its row has several."""
    found = _way(body, parts)
    return found.name if found else body.row.else_way


def by_teams(body: Body, parts: int) -> bool:
    """Whether the lanes of a team do what a body goes by together."""
    found = _way(body, parts)
    return body.row.team and (found is None or found.team)


def _way(body: Body, parts: int) -> Way | None:
    """The one of those for small orders."""
    return body.row.way(body.size, parts)


def most_abreast(body: Body, parts: int) -> int:
    """The vectors of matrices that a body can do together."""
    return 1 if _way(body, parts) else body.row.abreast


def works_in(body: Body, parts: int) -> tuple[Work, ...]:
    """The arrays of its row that a body works in."""
    arrays = picked(body.row.arrays, {name: str(value) for name, value in body.flag.items()})
    if in_straight_lines(body, parts):
        return ()
    found = _way(body, parts)
    names = found.arrays if found else body.row.else_arrays or [x.name for x in arrays]
    return tuple(x for x in arrays if x.name in names)


def array_counts(
    body: Body, parts: int, abreast: int, columns: int = 0, *, team: bool = False
) -> Iterator[tuple[str, Kind, Size]]:
    """The names and kinds of these arrays, or of those for blocks of so many ``columns``, and how many numbers of a
    matrix are in each; a ``team`` has an element more for each column."""
    known = {"panel": columns or PANEL_COLUMNS, "parts": parts, "abreast": abreast}
    for x in body.row.block_arrays if columns else works_in(body, parts):
        more = f" + {x.columns}" if team and x.columns else ""
        yield x.name, x.kind, evaluate(x.count + more, {**body.size, **known})


def sides(body: Body, name: str) -> list[Any]:
    """Rows and columns of an operand, by its name in the row."""
    x = body.row.operand(name)
    return [evaluate(side, body.size) for side in (x.rows, x.cols)]


def straight_orders(body: Body, parts: int) -> range:
    """Where only run time knows the sizes of such an operand, the orders of square ones that are done so."""
    if not body.row.fetched:
        return range(0)
    unknown = all(isinstance(side, str) for side in sides(body, body.row.fetched[0]))
    return range(2, isqrt(STRAIGHT // parts) + 1) if unknown else range(0)


def brought_along(body: Body, parts: int) -> int:
    """The columns of a second operand that a body in straight lines fetches, where they are few enough to be brought
    along in registers; else 0."""
    if not in_straight_lines(body, parts) or len(body.row.fetched) == 1:
        return 0
    rows, cols = sides(body, body.row.fetched[1])
    few = isinstance(rows, int) and isinstance(cols, int) and rows * cols * parts <= ALONG
    return cols if few else 0


def real_panel(k: int) -> int:
    """Steps of k between visits to C in real arithmetic: panels of one length. Sums end there, so this is a part of the
    numerical contract and depends on k alone."""
    return -(-k // max(1, -(-k // KC)))


def strip(program: Program, body: Body, rows: int, kc: int, width: int) -> int:
    """Rows of op(A) that are gone through together, in whole tiles of ``rows`` where they are not all."""
    m, row_bytes = max(1, body.size.get("m", 1)), max(1, kc) * program.p.itemsize * width
    return m if m * row_bytes <= LANE_PANEL else max(1, LANE_PANEL // row_bytes // rows) * rows


def panel_steps(program: Program, rows: int, width: int) -> int:
    """The steps of k of a panel of op(A) in complex arithmetic."""
    return max(32, LANE_PANEL // (max(1, rows) * program.p.itemsize * width))


def _tile(body: Body, parts: int, isa: Isa) -> tuple[int, int]:
    """The tile with the least cycles per step of k over the whole matrix, loads counted once more for coming from
    beyond L1; every further shape of tile counts against it, for it is code to compile and to fetch. In complex
    arithmetic 2 x 4 elements keep the multipliers busy, and compilers make a mess of more."""
    if not body.row.tile_shape:
        return 1, 1
    m, n = (max(1, body.size[name]) for name in body.row.tile_shape)
    if body.flag.get("side") is Side.R:
        m, n = n, m
    square = body.row.tile_shape == "nn"

    def cost(rows: int, cols: int) -> float:
        loads = (rows + cols) * parts / 2
        return max(rows * cols * parts * parts / 2, loads, LATENCY * parts) + loads / 4

    tiles = [
        (
            sum((cost(r, c) + 0.5) * times for r, c, times in found) * (1 + 0.02 * len(found)),
            -rows * cols,
            -rows,
            cols,
        )
        for rows in (isa.rows if in_rows(body, parts, isa) else range(1, min(m, 8 // parts**2) + 1))
        for cols in range(1, min(n, 8 // parts) + 1)
        if (rows * cols + rows + 1) * parts <= isa.registers and (rows == cols or not square)
        for found in [list(grid(m, n, rows, cols))]
    ]
    _, _, rows, cols = min(tiles)
    return -rows, cols


def in_rows(body: Body, parts: int, isa: Isa) -> bool:
    """Whether the instruction set says which rows a tile has: where few registers meet many elements."""
    sizes = [body.size[name] for name in body.row.tile_shape]
    return bool(isa.rows) and parts == 1 and min(sizes, default=0) >= 2 * min(isa.rows)


def grid(m: int, n: int, rows: int, cols: int) -> Iterator[tuple[int, int, int]]:
    """The tiles that cover m x n: (rows, columns, how many)."""
    for r, down in ((rows, m // rows), (m % rows, 1)):
        for c, across in ((cols, n // cols), (n % cols, 1)):
            if r and c and down and across:
                yield r, c, down * across
