"""How a kernel for a GPU is made. Nothing of the machine that makes it gets here, so its text is the same everywhere.

A thread does a matrix. All that is written of it is one tile in registers where these suffice: then each element is
loaded and stored once, which is what counts, as everything small waits for memory. What suffices is in
``registers.WORDS``, read off the compiler.

Where matrices lie by themselves, neighbouring threads would read numbers far apart. So a block brings its matrices to
shared memory together, in which they lie side by side as in block-interleaved storage. Where a block cannot have as
many matrices as a warp has threads, a team of threads does each, see ``team``, and matrices lie one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from operator import add

from ..ir.canonical import Body
from ..ir.program import Program
from ..ir.terms import Precision
from .gpu_blocked import blocked
from .gpu_schedule import THREADS, GpuSchedule
from .lane import STRAIGHT, RegisterTile, panel_steps, real_panel, sides
from .registers import BLOCKS
from .shared import DECLARED, FAVOURED, MULTIPROCESSOR, ROOMS, SECTOR, array_bytes, rooms, team_array, team_bytes
from .staged import comes_back, in_lines, in_room, indexing_matrices, revisited, several_blocks, staged_matrices
from .team import WARP, handed_bytes, share
from .words import (
    PART,
    Shape,
    addressing,
    beyond,
    copied,
    element_words,
    held_shape,
    holds,
    in_registers,
    intermediates,
    keeps_intermediates,
    limits,
    most_words,
    passed_on,
    sequence_words,
    tile_shape,
    tile_words,
    whole_words,
)

TEAMS = ((8, 8), (16, 16), (32, 32), (64, 64), (128, 128), (1 << 30, 256))
"""Rows or columns of what is written, at most, for each that a lane may have, and the lanes of a team that does it."""
BUSY = 192
"""Threads that keep a multiprocessor busy while each waits for what it has loaded."""
COPY_THREADS, COPY_NUMBERS, COPY_BYTES = 256, 32, 10 << 10
"""Of copies to interleaved storage and back: threads of a block, most numbers of a matrix and most bytes at a time. So
all threads that a multiprocessor can have are there."""
COPY_SECTOR = 8
"""The most numbers in a sector."""
LONG = 2
"""Words that products take more than is known of square ones, if they have more steps than rows and columns."""
REGISTERS = 64 << 10
"""Those of 32 bits that a multiprocessor has."""
TEAM_PART = 24
"""Words of the tile of a lane of a team that does a part of a matrix, but for slices along both sizes, which are tiles;
an element counts as two words at least, as loops over a few of them are unrolled."""


def choose(program: Program, arch: str = "", /, **overrides: object) -> GpuSchedule:
    """The schedule of ``program`` on GPUs of an architecture, such as "sm_90"; without one, that on all. There are no
    others to choose from: ``overrides`` are refused with a ValueError.

    It is that for the least shared memory in which matrices have room: so what all GPUs can do has one text.
    """
    if overrides:
        name, value = next(iter(overrides.items()))
        raise ValueError(
            f"{name} = {value!r} is not available for {program.spec.symbol()}: CUDA kernels have one schedule"
        )
    return _choose(program, rooms(arch))


def schedules(program: Program) -> Iterator[GpuSchedule]:
    """Those of all GPUs, that for any first; most are the same."""
    return (_choose(program, ROOMS[: i + 1]) for i in range(len(ROOMS)))


def _choose(program: Program, some: tuple[int, ...]) -> GpuSchedule:
    if program.spec.general:
        return GpuSchedule(**blocked(program))
    if _interleaves(program):
        return _copy(program)
    by_teams, tiles = program.in_form("team"), [_alone(program, body) for body in program.bodies]
    shapes = (team_shape(by_teams, room) for room in some)
    lanes, matrices = next((shape for shape in shapes if shape[1]), (WARP, 0))
    if matrices and _shared(program, by_teams, lanes, tiles):
        return team(program, lanes, lanes * matrices)
    if len(program.bodies) > 1 and in_registers(program):
        return whole(program)
    return _schedule(program, tiles, forgets=len(program.bodies) > 1)


def large(program: Program, arch: str) -> bool:
    """Whether matrices by themselves are too large for what blocks hold on GPUs of an architecture, so that they are
    done in parts."""
    if not program.separate or _interleaves(program):
        return False
    by_teams = program.in_form("team")
    return not staged_matrices(program) and not any(team_shape(by_teams, room)[1] for room in rooms(arch))


def stop(p: Precision, *, pivoted: bool = False) -> int:
    """The order of the parts of a large problem that are small, a power of two: a block holds one beside as many
    right-hand sides. Where rows are exchanged a block goes through all rows of so many columns."""
    if pivoted:
        return 16
    return 64 if p.itemsize <= 8 else 32


def whole(program: Program) -> GpuSchedule:
    """The schedule that keeps whole matrices in registers, whether these suffice or not."""
    return _schedule(program, [tile_shape(body) for body in program.bodies], forgets=False)


def holding(program: Program) -> GpuSchedule:
    """The schedule that keeps factors in registers, whether these suffice or not."""
    return _schedule(program, [held_shape(body) for body in program.bodies], forgets=False)


def team(program: Program, lanes: int, threads: int = THREADS) -> GpuSchedule:
    """The schedule by which ``lanes`` share a matrix: part of a warp, or all of a block."""
    program = program.in_form("team")
    shares = tuple(share(program, body, lanes) for body in program.bodies)
    part = TEAM_PART // max(1, 2 // element_words(program))
    tiles = tuple(
        _register_tile(program, body, *_tile(program, body, one.slices, part, part))
        for body, one in zip(program.bodies, shares, strict=True)
    )
    threads = threads if lanes <= WARP else lanes
    needed = _block_bytes(program, lanes, threads // lanes)
    return GpuSchedule(
        *_plain(program, tiles),
        tiles=tiles,
        threads=threads,
        lanes=lanes,
        staged=True,
        shares=shares,
        work=team_array(program, lanes),
        blocks=1,  # told of none, or of more, compilers spill a few registers
        dynamic=team_bytes(program, lanes, threads // lanes) if needed > DECLARED else 0,
        room=0 if needed <= ROOMS[0] else next((room for room in ROOMS if needed <= room), needed) >> 10,
    )


def team_shape(program: Program, room: int) -> tuple[int, int]:
    """The lanes of a team and the matrices of a block, which has ``room`` bytes of shared memory; none where one is too
    large for it. Interleaved matrices are moved by sectors, so a block has those of one, or of a part of it."""
    sector = 1 if program.separate else SECTOR // program.p.storage.bytes
    side = max(max(program.spec.stored(x)) for x in program.row.outputs or program.row.parameters)
    lines = min((body.row.lines for body in program.bodies if body.row.lines), default=1)
    lanes = next(lanes for most, lanes in TEAMS if side <= most * lines)
    while lanes < side and MULTIPROCESSOR // team_bytes(program, lanes, 1) * lanes < BUSY:
        lanes *= 2
    lanes = lanes if program.separate else min(lanes, WARP)
    matrices = max(sector, THREADS // lanes)
    while matrices > sector and lanes * matrices > WARP and team_bytes(program, lanes, matrices) > FAVOURED:
        matrices //= 2
    while sector > 1 and _block_bytes(program, lanes, matrices) > room:
        matrices, sector = matrices // 2, sector // 2
    while lanes * matrices < WARP:
        lanes *= 2
    return lanes, matrices if _block_bytes(program, lanes, matrices) <= room else 0


def _block_bytes(program: Program, lanes: int, matrices: int) -> int:
    """All shared memory of a block."""
    return team_bytes(program, lanes, matrices) + handed_bytes(program, lanes, matrices)


def _shared(program: Program, by_teams: Program, lanes: int, tiles: list[Shape]) -> bool:
    """Whether a team is better than threads that each do a matrix. These are where they have all of it in registers. In
    shared memory a block should have two warps of them, or one where lanes could not share all; or where they would do
    panels, much of which each does anew, if there are several such blocks."""
    shares = [share(by_teams, body, lanes) for body in by_teams.bodies]
    if _crowded(program):
        return True
    if comes_back(program):
        return not in_room(program)
    if all(one.alone for one in shares):
        return False
    if any(_in_memory(program, body) for body in program.bodies):
        return True
    if program.family == "interleaved":
        known = passed_on(program) and keeps_intermediates(program)
        return not (known and all(_once(program, *x) for x in zip(program.bodies, tiles, strict=True)))
    panels = any(one.together and not one.slices for one in shares) and several_blocks(program)
    return staged_matrices(program) < (WARP if panels or any(one.alone for one in shares) else 2 * WARP)


def _once(program: Program, body: Body, tile: Shape) -> bool:
    """Whether a thread moves each element once: in registers, or because there is nothing to do it again for."""
    if body.row.tile_shape:
        return tile.held or tile == tile_shape(body)
    return not _in_memory(program, body)


def _crowded(program: Program) -> bool:
    """Whether a body has more in lines than registers have room for beside what a sequence keeps, where each element
    has an address of its own."""
    if addressing(program) == "bi" or len(program.bodies) == 1:
        return False
    bodies = [body for body in program.bodies if in_lines(program, body)]
    elements = (prod(sides(body, x.name)) for body in bodies for x in body.row.outputs)
    return max(elements, default=0) * element_words(program) > PART["il"]


def _in_memory(program: Program, body: Body) -> bool:
    """Whether a thread would have arrays that loops go through, or more than its registers hold, in local memory, which
    is as far away as the matrix."""
    if not body.row.arrays or body.row.tile_shape:
        return False
    rows, cols = sides(body, body.row.outputs[0].name)
    words = tile_words(program, body, tile_shape(body)) if body.row.fetched else 0
    return rows * cols * program.p.parts > STRAIGHT or words > most_words(program, body)


def _plain(program: Program, tiles: tuple[RegisterTile, ...]) -> tuple[str, int, int, int, int, int, int, int, int]:
    """What all schedules tell."""
    first = tiles[0]
    return "lane", 1, first.rows, first.cols, 1, first.kc, 0, program.p.default_nb, 1


def _schedule(program: Program, shapes: list[Shape], *, forgets: bool) -> GpuSchedule:
    staged, indexing = staged_matrices(program), 0
    pairs, constant = zip(program.bodies, shapes, strict=True), not staged and intermediates(program)
    tiles = tuple(_register_tile(program, body, *shape, constant=constant) for body, shape in pairs)
    if array_bytes(program):
        indexing = staged or indexing_matrices(program)
    # told of no blocks, compilers spill a few of what these keep
    kept = indexing > 0 or any(x.row.fetched or x.row.determinant_of or in_lines(program, x) for x in program.bodies)
    kept |= bool(copied(program)) and revisited(program)
    blocks = int(kept) if staged or indexing else _blocks(program, shapes)
    return GpuSchedule(
        *_plain(program, tiles),
        tiles=tiles,
        threads=staged or indexing or THREADS,
        staged=staged > 0,
        interleaved=staged > 0 and revisited(program),
        work=array_bytes(program) if indexing else 0,
        forgets=forgets,
        blocks=blocks,
    )


def _interleaves(program: Program) -> bool:
    """Whether it is a copy between matrices by themselves and interleaved ones."""
    return program.row.copies and len({where.interleaved for where in program.spec.layouts}) == 2


def _copy(program: Program) -> GpuSchedule:
    """Such a copy: whole sectors of each matrix at a time."""
    rows, cols = program.spec.stored(program.row.matrices[0])
    total = rows * cols * program.p.parts
    parts = -(-total // COPY_NUMBERS)
    numbers = -(-total // (parts * COPY_SECTOR)) * COPY_SECTOR if parts > 1 else max(1, total)
    fit = COPY_BYTES // (numbers * program.p.storage.bytes) // WARP * WARP
    matrices = 1 << min(fit, COPY_THREADS).bit_length() - 1
    tiles = tuple(_register_tile(program, body, 1, 1) for body in program.bodies)
    plain = "copy", 1, 1, 1, 1, numbers, 0, program.p.default_nb, 1
    return GpuSchedule(*plain, tiles=tiles, threads=COPY_THREADS, lanes=COPY_THREADS // matrices)


def _blocks(program: Program, shapes: list[Shape]) -> int:
    """As many blocks on a multiprocessor together as leave enough registers to each thread."""
    bodies, where, held = program.bodies, addressing(program), shapes[0].held and len(shapes) == 1
    words = [tile_words(program, *pair) for pair in zip(bodies, shapes, strict=True)]
    if held or shapes == [tile_shape(body) for body in bodies]:
        body, most = (bodies[0], words[0]) if len(bodies) == 1 else (None, sequence_words(program))
        most += 2 * beyond(program, shapes[0]) + LONG * _long(program)  # there is less room for it
        if known := limits(program, body, held=held):
            several = (blocks for blocks, fits in zip(BLOCKS[1:], known[1:], strict=True) if most <= fits)
            return max(several, default=fewest(program))
    rooms = [min(PART[where], most_words(program, body, 3)) for body in bodies]
    roomy = where == "bi" and all(one <= most for one, most in zip(words, rooms, strict=True))
    roomy &= max(map(add, words, _ahead(program, shapes))) <= most_registers(3)
    roomy &= not intermediates(program) or in_registers(program)  # beside the tile of each there are those
    return 3 if roomy and not any(in_lines(program, body) for body in bodies) else fewest(program)


def _long(program: Program) -> bool:
    """Whether products have more steps than the square ones of which limits are known."""
    size = program.spec.size
    return bool(size.get("k", 0) > max((x for name, x in size.items() if name != "k"), default=0))


def _ahead(program: Program, shapes: list[Shape]) -> Iterator[int]:
    """The registers that triangular factors take, which compilers load ahead where no loop is left."""
    for body, shape in zip(program.bodies, shapes, strict=True):
        loaded = body.row.holds and shape == tile_shape(body)
        yield tile_words(program, body, held_shape(body)) if loaded else 0


def fewest(program: Program) -> int:
    """What is said of blocks where registers suffice for one: nothing of a triangular factor, of which compilers load
    too much ahead then."""
    return 0 if [body.row.canonical_form for body in program.bodies] == ["triangular"] else 1


def most_registers(blocks: int) -> int:
    """Those of a thread where so many blocks are on a multiprocessor together; 0: nothing is said."""
    return min(255, REGISTERS // (THREADS * max(1, blocks)) // 8 * 8)


def _register_tile(
    program: Program, body: Body, rows: int, cols: int, held: bool = False, *, constant: bool = False
) -> RegisterTile:
    """``constant``: no loop is left, as an array of a thread is in registers where constants alone say of what."""
    k, m = body.size.get("k", 1), body.size.get("m", 1)
    kc = min(k, panel_steps(program, m, 1)) if program.p.complex else real_panel(k)
    return RegisterTile(rows, cols, k if constant else 1, kc, m, apart=False, held=held)


def _alone(program: Program, body: Body) -> Shape:
    """What a thread has in registers of a body: all that it writes, else its factor, but of a sequence, whose bodies
    would each load it, else the largest part."""
    found = _tile(program, body, {}, whole_words(program, body), PART[addressing(program)])
    held = found != tile_shape(body) and len(program.bodies) == 1 and holds(program, body)
    return held_shape(body) if held else found


def _tile(program: Program, body: Body, slices: Mapping[str, int], most: int, part: int) -> Shape:
    """All of what a body writes if it takes so many words at ``most``, else the largest even ``part`` of it; or of a
    slice, which is a tile itself where it is of rows and columns."""
    rows, cols, _ = tile_shape(body)
    rows, cols = slices.get("m", rows), slices.get("n", cols)
    tile = Shape(rows, cols)
    if len(slices) > 1:
        return tile
    for parts in range(1, max(rows, cols) + 1):
        tile = Shape(-(-rows // parts), -(-cols // parts))
        if parts == 1 and tile_words(program, body, tile) + beyond(program, tile) <= most:
            break
        if parts > 1 and tile_words(program, body, tile) <= part:
            break
    return tile
