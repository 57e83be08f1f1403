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
from dataclasses import dataclass, field

from ..ir.canonical import Body
from ..ir.program import Program
from ..ir.terms import Precision
from .gpu_blocked import blocked
from .lane import STRAIGHT, RegisterTile, panel_steps, real_panel, sides
from .registers import BLOCKS
from .schedule import Schedule
from .shared import DECLARED, FAVOURED, MULTIPROCESSOR, ROOMS, SECTOR, array_bytes, rooms, team_array, team_bytes
from .staged import comes_back, in_lines, in_room, indexing_matrices, revisited, several_blocks, staged_matrices
from .team import Share, handed_bytes, share
from .words import (
    PART,
    Shape,
    addressing,
    beyond,
    element_words,
    held_shape,
    holds,
    limits,
    most_words,
    passed_on,
    sequence_words,
    tile_shape,
    tile_words,
)

THREADS = 128
"""Threads of a block: a multiple of every default block size, small enough for 255 registers a thread."""
TEAMS = ((8, 8), (16, 16), (32, 32), (64, 64), (128, 128), (1 << 30, 256))
"""Rows or columns of what is written, at most, for each that a lane may have, and the lanes of a team that does it."""
BUSY = 192
"""Threads that keep a multiprocessor busy while each waits for what it has loaded."""
COPY_THREADS, COPY_NUMBERS, COPY_BYTES = 256, 32, 10 << 10
"""Of copies to interleaved storage and back: threads of a block, most numbers of a matrix and most bytes at a time. So
all threads that a multiprocessor can have are there."""
COPY_SECTOR = 8
"""The most numbers in a sector."""
WARP = 32
REGISTERS = 64 << 10
"""Those of 32 bits that a multiprocessor has."""
TEAM_PART = 24
"""The same where a lane of a team does a part of a matrix, but for slices along both sizes, which are tiles; an element
counts as two words at least, as loops over a few of them are unrolled."""


@dataclass(frozen=True)
class GpuSchedule(Schedule):
    """``threads`` is the size of a block, of which ``lanes`` are there for one matrix. ``staged``: all threads bring
    matrices by themselves to shared memory, or ``interleaved`` ones too. ``shares`` tells what the lanes of a team do
    of each body. ``forgets``: bodies load anew what those before had in registers. At least ``blocks`` are on a
    multiprocessor together; 0 says nothing. So many bytes of shared memory are ``dynamic``: whoever launches it asks
    for them. ``work``: those of the arrays of each matrix that bodies index. ``room``: the KB that a block must be able
    to have, where not all GPUs have as many; else 0.
    In the form ``copy`` a block brings ``kc`` numbers of each matrix to shared memory, and on, at a time.
    In the form ``blocked`` it does a ``tile`` (sizes of the output, each with rows or columns), of which a thread has
    ``rows`` x ``cols``, with ``unroll`` steps of k in shared memory at a time; tiles are done down ``strip`` columns of
    them.

    Compilers take all the registers that this leaves to a thread, to load ahead; told of nothing they rather spill a
    few than have fewer blocks. So it is as many blocks as leave enough."""

    threads: int = field(default=THREADS, kw_only=True)
    lanes: int = field(default=1, kw_only=True)
    staged: bool = field(default=False, kw_only=True)
    interleaved: bool = field(default=False, kw_only=True)
    forgets: bool = field(default=False, kw_only=True)
    blocks: int = field(default=0, kw_only=True)
    shares: tuple[Share, ...] = field(default=(), kw_only=True)
    dynamic: int = field(default=0, kw_only=True)
    strip: int = field(default=0, kw_only=True)
    tile: tuple[tuple[str, int], ...] = field(default=(), kw_only=True)
    room: int = field(default=0, kw_only=True)
    work: int = field(default=0, kw_only=True)

    @property
    def team(self) -> bool:
        """Whether several lanes share a matrix."""
        return self.lanes > 1 and self.form == "lane"

    @property
    def body_form(self) -> str:
        return "team" if self.team else self.form

    @property
    def matrices(self) -> int:
        """Those of a block."""
        return self.threads // self.lanes

    @property
    def mr(self) -> int:
        """Rows of a block's tile."""
        return self.tile[0][1]

    @property
    def nr(self) -> int:
        """Its columns."""
        return self.tile[1][1]

    @property
    def side(self) -> int:
        """Threads along a side of it."""
        return self.mr // self.rows

    @property
    def widest(self) -> int:
        """Its longer side."""
        return max(self.mr, self.nr)

    def plane(self, size: int) -> int:
        """Numbers of so many rows or columns in shared memory, real or imaginary parts."""
        return self.pitch(size) * self.unroll

    def pitch(self, size: int) -> int:
        """Numbers from one step of k to the next in shared memory: neighbours along either side meet no bank twice."""
        return size + WARP // self.unroll

    @property
    def warps(self) -> int:
        """The whole ones of a team."""
        return self.lanes // WARP

    @property
    def gathers(self) -> bool:
        return self.staged

    @property
    def gathers_all(self) -> bool:
        return self.team or self.interleaved

    @property
    def spread(self) -> int:
        """Odd: numbers of one matrix, and the same numbers of others, are in banks of their own."""
        return self.matrices | 1 if (self.staged and not self.team) or self.form == "copy" else 1

    def __str__(self) -> str:
        if self.form == "copy":
            return f"{self.threads} threads copy {self.kc} numbers of {self.matrices} matrices at a time"
        if self.form == "blocked":
            return f"{self.threads} threads do {self.mr} x {self.nr} elements, {self.unroll} steps of k at a time"
        tiles = " ".join(f"{x.rows} x {x.cols}{' beside the factor' if x.held else ''}" for x in self.tiles)
        where = ", staged in shared memory" if self.staged else ""
        return f"{self.lanes} of {self.threads} threads a matrix{where}, tiles {tiles}"


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
    if program.row.copies and len({where.interleaved for where in program.spec.layouts}) == 2:
        return _copy(program)
    by_teams, tiles = program.in_form("team"), [_alone(program, body) for body in program.bodies]
    shapes = (team_shape(by_teams, room) for room in some)
    lanes, matrices = next((shape for shape in shapes if shape[1]), (WARP, 0))
    if matrices and _shared(program, by_teams, lanes, tiles):
        return team(program, lanes, lanes * matrices)
    if len(program.bodies) > 1 and sequence_words(program) <= most_words(program):
        return whole(program)
    return _schedule(program, tiles, forgets=len(program.bodies) > 1)


def large(program: Program, arch: str) -> bool:
    """Whether matrices by themselves are too large for what blocks hold on GPUs of an architecture, so that they are
    done in parts."""
    if not program.separate or (program.row.copies and len({where.interleaved for where in program.spec.layouts}) == 2):
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
    if comes_back(program):
        return not in_room(program)
    if all(one.alone for one in shares):
        return False
    if any(_in_memory(program, body) for body in program.bodies):
        return True
    if program.family == "interleaved":
        return not (passed_on(program) and all(_once(program, *x) for x in zip(program.bodies, tiles, strict=True)))
    panels = any(one.together and not one.slices for one in shares) and several_blocks(program)
    return staged_matrices(program) < (WARP if panels or any(one.alone for one in shares) else 2 * WARP)


def _once(program: Program, body: Body, tile: Shape) -> bool:
    """Whether a thread moves each element once: in registers, or because there is nothing to do it again for."""
    if body.row.tile_shape:
        return tile.held or tile == tile_shape(body)
    return not _in_memory(program, body)


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
    tiles = tuple(_register_tile(program, body, *shape) for body, shape in zip(program.bodies, shapes, strict=True))
    staged, indexing = staged_matrices(program), 0
    if array_bytes(program):
        indexing = staged or indexing_matrices(program)
    kept = indexing > 0 or any(body.row.fetched or in_lines(program, body) for body in program.bodies)
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


def _copy(program: Program) -> GpuSchedule:
    """A copy between matrices by themselves and interleaved ones: whole sectors of each matrix at a time."""
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
        most += 2 * beyond(program, shapes[0])  # there is less room for it
        if known := limits(program, body, held=held):
            several = (blocks for blocks, fits in zip(BLOCKS[1:], known[1:], strict=True) if most <= fits)
            return max(several, default=fewest(program))
    rooms = [min(PART[where], most_words(program, body, 3)) for body in bodies]
    roomy = where == "bi" and all(one <= most for one, most in zip(words, rooms, strict=True))
    return 3 if roomy and not any(in_lines(program, body) for body in bodies) else fewest(program)


def fewest(program: Program) -> int:
    """What is said of blocks where registers suffice for one: nothing of a triangular factor, of which compilers load
    too much ahead then."""
    return 0 if [body.row.canonical_form for body in program.bodies] == ["triangular"] else 1


def most_registers(blocks: int) -> int:
    """Those of a thread where so many blocks are on a multiprocessor together; 0: nothing is said."""
    return min(255, REGISTERS // (THREADS * max(1, blocks)) // 8 * 8)


def _register_tile(program: Program, body: Body, rows: int, cols: int, held: bool = False) -> RegisterTile:
    k, m = body.size.get("k", 1), body.size.get("m", 1)
    kc = min(k, panel_steps(program, m, 1)) if program.p.complex else real_panel(k)
    return RegisterTile(rows, cols, 1, kc, m, apart=False, held=held)


def _alone(program: Program, body: Body) -> Shape:
    """What a thread has in registers of a body: all that it writes, else its factor, but of a sequence, whose bodies
    would each load it, else the largest part."""
    found = _tile(program, body, {}, most_words(program, body), PART[addressing(program)])
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
