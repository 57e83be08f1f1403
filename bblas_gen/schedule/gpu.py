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
from ..ir.terms import Side
from .lane import RegisterTile, panel_steps, real_panel
from .registers import WORDS
from .schedule import Schedule

THREADS = 128
"""Threads of a block: a multiple of every default block size, small enough for 255 registers a thread."""
STAGES = ((128, 25 << 10), (64, 25 << 10), *((matrices, 48 << 10) for matrices in (32, 16, 8, 4, 2, 1)))
"""Matrices of a block that are brought to shared memory, and the bytes that these may take there. A block can have
48 KB, a multiprocessor has 100 to 227: of several blocks some wait for memory while others compute."""
WARP = 32
PART = 128
"""Words of a tile where it is a part of a matrix, and loops go over tiles."""


@dataclass(frozen=True)
class GpuSchedule(Schedule):
    """``threads`` is the size of a block, of which ``lanes`` are there for one matrix. ``staged``: all threads bring
    matrices by themselves to shared memory, where one lane of each does what is to be done."""

    threads: int = field(default=THREADS, kw_only=True)
    lanes: int = field(default=1, kw_only=True)
    staged: bool = field(default=False, kw_only=True)

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
        return self.matrices | 1 if self.staged else 1

    def __str__(self) -> str:
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
    tiles = tuple(_tile(program, body) for body in program.bodies)
    first, staged = tiles[0], staged_matrices(program)
    threads = max(WARP, staged) if staged else THREADS
    lanes = threads // staged if staged else 1
    plain = "lane", 1, first.rows, first.cols, 1, first.kc, 0, program.p.default_nb, 1
    return GpuSchedule(*plain, tiles=tiles, threads=threads, lanes=lanes, staged=staged > 0)


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


def _tile(program: Program, body: Body) -> RegisterTile:
    """The whole of what a body writes, or the largest even part of it that is small enough."""
    k, m = body.size.get("k", 1), body.size.get("m", 1)
    kc = min(k, panel_steps(program, m, 1)) if program.p.complex else real_panel(k)
    rows, cols = _shape(body)
    for parts in range(1, max(rows, cols) + 1):
        tile = -(-rows // parts), -(-cols // parts)
        if tile_words(program, body, *tile) <= (whole_words(program, body) if parts == 1 else PART):
            break
    return RegisterTile(*tile, 1, kc, m, apart=False)


def _shape(body: Body) -> tuple[int, int]:
    """Rows and columns of what a body keeps in registers, in its canonical case."""
    if not body.row.tile_shape:
        return 1, 1
    rows, cols = (max(1, body.size[name]) for name in body.row.tile_shape)
    return (cols, rows) if body.flag.get("side") is Side.R else (rows, cols)


def tile_words(program: Program, body: Body, rows: int, cols: int) -> int:
    """The registers of 32 bits that a tile takes, with a column beside it: of a triangle its half, if it is whole."""
    triangle = body.row.tile_shape == "nn" and (rows, cols) == _shape(body)
    elements = rows * (rows + 1) // 2 if triangle else rows * cols
    return (elements + rows) * program.p.parts * program.p.compute.bytes // 4


def whole_words(program: Program, body: Body) -> int:
    """The most registers that a whole matrix may take in ``body``: in a sequence also those of what comes before."""
    rows = [body.row.name] if len(program.bodies) == 1 else [body.row.name, program.row.name]
    return min(WORDS.get(row, {}).get(program.p.letter, PART) for row in rows)
