"""How a kernel for a GPU is made. Nothing of the machine that makes it gets here, so its text is the same everywhere.

A thread does a matrix. All that is written of it is one tile in registers where these suffice: then each element is
loaded and stored once, which is what counts, as everything small waits for memory. What suffices is in
``registers.WORDS``, read off the compiler.

Where matrices lie by themselves, neighbouring threads would read numbers far apart. So a block brings its matrices to
shared memory together, in which they lie side by side as in block-interleaved storage.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..ir.canonical import Body
from ..ir.program import Program
from ..ir.terms import Kind, Layout, Side
from .lane import RegisterTile, panel_steps, real_panel
from .registers import BLOCKS, WORDS
from .schedule import Schedule

THREADS = 128
"""Threads of a block: a multiple of every default block size, small enough for 255 registers a thread."""
STAGES = ((128, 25 << 10), (64, 25 << 10), *((matrices, 48 << 10) for matrices in (32, 16, 8, 4, 2, 1)))
"""Matrices of a block that are brought to shared memory, and the bytes that these may take there. A block can have
48 KB, a multiprocessor has 100 to 227: of several blocks some wait for memory while others compute."""
COPY_THREADS, COPY_NUMBERS, COPY_BYTES = 256, 32, 10 << 10
"""Of copies to interleaved storage and back: threads of a block, most numbers of a matrix and most bytes at a time. So
all threads that a multiprocessor can have are there."""
WARP = 32
SECTOR = 8
"""The most numbers in 32 bytes, which is what memory moves at least."""
REGISTERS = 64 << 10
"""Those of 32 bits that a multiprocessor has."""
PART = {"bi": 96, "il": 64}
"""By addressing the words of a tile where it is a part of a matrix, and loops go over tiles; and of what a sequence of
which nothing is known keeps from body to body."""


@dataclass(frozen=True)
class GpuSchedule(Schedule):
    """``threads`` is the size of a block, of which ``lanes`` are there for one matrix. ``staged``: all threads bring
    matrices by themselves to shared memory, where one lane of each does what is to be done. ``forgets``: bodies load
    anew what those before had in registers. At least ``blocks`` are on a multiprocessor together; 0 says nothing.
    In the form ``copy`` a block brings ``kc`` numbers of each matrix to shared memory, and on, at a time.

    Compilers take all the registers that this leaves to a thread, to load ahead; told of nothing they rather spill a
    few than have fewer blocks. So it is as many blocks as leave enough."""

    threads: int = field(default=THREADS, kw_only=True)
    lanes: int = field(default=1, kw_only=True)
    staged: bool = field(default=False, kw_only=True)
    forgets: bool = field(default=False, kw_only=True)
    blocks: int = field(default=0, kw_only=True)

    @property
    def matrices(self) -> int:
        """Those of a block."""
        return self.threads // self.lanes

    @property
    def gathers(self) -> bool:
        return self.staged

    @property
    def spread(self) -> int:
        """Odd: numbers of one matrix, and the same numbers of others, are in banks of their own."""
        return self.matrices | 1 if self.staged or self.form == "copy" else 1

    def __str__(self) -> str:
        if self.form == "copy":
            return f"{self.threads} threads copy {self.kc} numbers of {self.matrices} matrices at a time"
        tiles = " ".join(f"{tile.rows} x {tile.cols}" for tile in self.tiles)
        where = ", staged in shared memory" if self.staged else ""
        return f"{self.lanes} of {self.threads} threads a matrix{where}, tiles {tiles}"


def choose(program: Program, **overrides: object) -> GpuSchedule:
    """The schedule of ``program``. There are no others to choose from: ``overrides`` are refused with a ValueError."""
    if overrides:
        name, value = next(iter(overrides.items()))
        raise ValueError(
            f"{name} = {value!r} is not available for {program.spec.symbol()}: CUDA kernels have one schedule"
        )
    if program.row.copies and len({where.interleaved for where in program.spec.layouts}) == 2:
        return _copy(program)
    if len(program.bodies) > 1 and sequence_words(program) <= most_words(program, program.row.name):
        return whole(program)
    return _schedule(program, [_tile(program, body) for body in program.bodies], forgets=len(program.bodies) > 1)


def whole(program: Program) -> GpuSchedule:
    """The schedule that keeps whole matrices in registers, whether these suffice or not."""
    return _schedule(program, [tile_shape(body) for body in program.bodies], forgets=False)


def _schedule(program: Program, shapes: list[tuple[int, int]], *, forgets: bool) -> GpuSchedule:
    tiles = tuple(_register_tile(program, body, *shape) for body, shape in zip(program.bodies, shapes, strict=True))
    first, staged = tiles[0], staged_matrices(program)
    blocks = 0 if staged else _blocks(program, shapes)
    threads = max(WARP, staged) if staged else THREADS
    lanes = threads // staged if staged else 1
    plain = "lane", 1, first.rows, first.cols, 1, first.kc, 0, program.p.default_nb, 1
    return GpuSchedule(
        *plain, tiles=tiles, threads=threads, lanes=lanes, staged=staged > 0, forgets=forgets, blocks=blocks
    )


def _copy(program: Program) -> GpuSchedule:
    """A copy between matrices by themselves and interleaved ones: whole sectors of each matrix at a time."""
    rows, cols = program.spec.stored(program.row.matrices[0])
    total = rows * cols * program.p.parts
    parts = -(-total // COPY_NUMBERS)
    numbers = -(-total // (parts * SECTOR)) * SECTOR if parts > 1 else max(1, total)
    fit = COPY_BYTES // (numbers * program.p.storage.bytes) // WARP * WARP
    matrices = 1 << min(fit, COPY_THREADS).bit_length() - 1
    tiles = tuple(_register_tile(program, body, 1, 1) for body in program.bodies)
    plain = "copy", 1, 1, 1, 1, numbers, 0, program.p.default_nb, 1
    return GpuSchedule(*plain, tiles=tiles, threads=COPY_THREADS, lanes=COPY_THREADS // matrices)


def _blocks(program: Program, shapes: list[tuple[int, int]]) -> int:
    """As many blocks on a multiprocessor together as leave enough registers to each thread. See _beyond."""
    bodies, where = program.bodies, addressing(program)
    words = [tile_words(program, *pair) for pair in zip(bodies, shapes, strict=True)]
    if shapes == [tile_shape(body) for body in bodies]:
        name, most = (bodies[0].row.name, words[0]) if len(bodies) == 1 else (program.row.name, sequence_words(program))
        most += 2 * _beyond(program, shapes[0])  # there is less room for it
        if limits := WORDS[where].get(name, {}).get(program.p.letter):
            several = (blocks for blocks, fits in zip(BLOCKS[1:], limits[1:], strict=True) if most <= fits)
            return max(several, default=fewest(program))
    return 3 if where == "bi" and max(words) <= PART[where] else fewest(program)


def fewest(program: Program) -> int:
    """What is said of blocks where registers suffice for one: nothing of a triangular factor, of which compilers load
    too much ahead then."""
    return 0 if [body.row.canonical_form for body in program.bodies] == ["triangular"] else 1


def most_registers(blocks: int) -> int:
    """Those of a thread where so many blocks are on a multiprocessor together; 0: nothing is said."""
    return min(255, REGISTERS // (THREADS * max(1, blocks)) // 8 * 8)


def staged_matrices(program: Program) -> int:
    """How many matrices a block brings to shared memory: none where all are interleaved, or one is too large."""
    if program.family == "interleaved":
        return 0
    each = 0
    for x in program.row.matrices:
        where, (rows, cols) = program.spec.where(x), program.spec.stored(x)
        if (where is None or not where.interleaved) and x.name not in program.landings:
            each += rows * cols * program.p.bytes_of(x.kind)
    return next((matrices for matrices, most in STAGES if each * (matrices | 1) <= most), 0)


def _register_tile(program: Program, body: Body, rows: int, cols: int) -> RegisterTile:
    k, m = body.size.get("k", 1), body.size.get("m", 1)
    kc = min(k, panel_steps(program, m, 1)) if program.p.complex else real_panel(k)
    return RegisterTile(rows, cols, 1, kc, m, apart=False)


def _tile(program: Program, body: Body) -> tuple[int, int]:
    """The whole of what a body writes, or the largest even part of it that is small enough."""
    rows, cols = tile_shape(body)
    most = most_words(program, body.row.name)
    for parts in range(1, max(rows, cols) + 1):
        tile = -(-rows // parts), -(-cols // parts)
        if parts == 1 and tile_words(program, body, tile) + _beyond(program, tile) <= most:
            break
        if parts > 1 and tile_words(program, body, tile) <= PART[addressing(program)]:
            break
    return tile


def tile_shape(body: Body) -> tuple[int, int]:
    """Rows and columns of what a body keeps in registers, in its canonical case."""
    if not body.row.tile_shape:
        return 1, 1
    rows, cols = (max(1, body.size[name]) for name in body.row.tile_shape)
    return (cols, rows) if body.flag.get("side") is Side.R else (rows, cols)


def tile_words(program: Program, body: Body, tile: tuple[int, int]) -> int:
    """The registers of 32 bits that a tile takes, with a column beside it: of a triangle its half, if it is whole."""
    rows, cols = tile
    triangle = body.row.tile_shape == "nn" and tile == tile_shape(body)
    elements = rows * (rows + 1) // 2 if triangle else rows * cols
    return (elements + rows) * _words(program)


def _beyond(program: Program, tile: tuple[int, int]) -> int:
    """What is known is known of square tiles: of longer ones compilers load more ahead, so they count as more."""
    return max(0, max(tile) - 2 * min(tile)) * _words(program)


def sequence_words(program: Program) -> int:
    """The registers that all operands of a sequence take."""
    spec, matrices = program.spec, [x for x in program.row.matrices if x.kind is not Kind.INDEX]
    return sum(x.elements(spec.extents) for x in matrices) * _words(program)


def most_words(program: Program, name: str) -> int:
    """The most registers that a whole matrix may take in the body, or all may take in the sequence, of this name."""
    found = addressing(program)
    limits = WORDS[found].get(name, {}).get(program.p.letter)
    return limits[0] if limits else PART[found]


def addressing(program: Program) -> str:
    """How elements are addressed: in blocks by constants, else each by an address of its own, in registers too."""
    return "il" if Layout.IL in program.spec.layouts else "bi"


def _words(program: Program) -> int:
    return program.p.parts * program.p.compute.bytes // 4
