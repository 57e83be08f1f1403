"""How large products go through the caches: blocks of both factors are packed, tiles of C stay in registers.

A block of op(A) stays in the level-2 cache while slivers of op(B), each in the level-1 cache, pass by; a block of op(B)
stays in the level-3 cache. Goto, van de Geijn, ACM Trans. Math. Softw. 34 (2008), doi:10.1145/1356052.1356053; Low et
al., ACM Trans. Math. Softw. 43 (2016), doi:10.1145/2925987.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..ir.program import Program
from ..ir.spec import KernelSpec
from ..ir.targets import Isa
from ..ir.terms import Strides
from .direct import any_forms, direct_problem
from .lane import KC, RegisterTile
from .schedule import Large, Schedule

MOST = 4096
"""Rows and columns that are packed at a time, at most: to pack the other factor again takes a hundredth of the time."""
TILES = {(1, 32): (3, 8), (1, 16): (3, 4), (2, 32): (2, 4), (2, 16): (1, 4)}
"""By parts of an element and registers: vectors of rows, and columns, of a tile, with a column of op(A) and an element
of op(B) beside it."""

PACKED = {8: 1 << 12, 4: 1 << 15}
"""Products of elements, by bytes of a real, from which packing pays where vectors along columns are not possible: one
matrix alone does not fill the lanes of a vector, and of many the packed ones are about as fast."""
LARGE, BLOCKED, BLOCKED_SIDE, BLOCKED_C, BLOCKED_K = 64**3, 200**3, 96, 256**2, 64
TOGETHER = 576**3
"""Products of elements from which a kernel for any size does as well as one for the size, and from which packing pays,
if m and n are so long; elements of C from which it pays where k is shorter. Products of elements up to which threads
that share a product do not pack: what one has packed comes slowly to another."""
FORMED = 509
"""The order of a triangular, symmetric or factored matrix from which a kernel for the size does worse that has vectors
along one matrix: columns of doubles are some 4 KB apart, and all of them share a few lines of a level-1 cache."""


PACKED_SLICES = 4
"""Tiles of columns that a thread does at least where it packs op(A)."""
DISTANT, TALL, PARTS = 1 << 24, 1 << 22, 8
"""Bytes of op(A) from which it comes from memory: a slice of its rows has so many then, or is one of so many parts. In
lower ones few tiles are prefetched, and pages of all columns are looked up anew for each."""


@dataclass(frozen=True)
class BlockedSchedule(Schedule):
    """``mp`` rows of op(A) and ``nc`` columns of op(B) are packed at a time, with ``kc`` steps of k: whole slivers,
    which are as high or wide as a tile. ``mc`` of these rows, or less, stay in a level-2 cache meanwhile."""

    mc: int = field(default=0, kw_only=True)
    mp: int = field(default=0, kw_only=True)
    nc: int = field(default=0, kw_only=True)

    @property
    def mr(self) -> int:
        """Rows of a tile."""
        return self.rows * self.width

    @property
    def nr(self) -> int:
        """Columns of a tile."""
        return self.cols


def possible(program: Program) -> bool:
    """Whether it is a product of any size, of matrices by themselves."""
    found = program.separate and "blocked" in program.row.algorithms
    return found and program.spec.unknown == program.spec.row.sizes


def large(spec: KernelSpec) -> bool:
    """Whether a kernel for any size does these sizes: they are too large to have one of their own. Depends on shapes
    alone."""
    apart = not any(layout.interleaved for layout in spec.layouts)
    if "blocked" not in spec.row.algorithms or not apart or spec.general:
        return False
    if spec.row.canonical_form and plain(spec):  # kernels for the size read columns as they lie, this one never does
        return bool(spec.extents["ka"] >= FORMED and min(spec.size.values()) >= BLOCKED_SIDE)
    least = 2 * LARGE * spec.p.parts**2
    return spec.flops > least if plain(spec) else spec.flops >= least  # at 64 tiles for the size are whole


def plain(spec: KernelSpec) -> bool:
    """Whether there are vectors along columns as they lie."""
    return spec.strides is not Strides.RS and not spec.p.complex


def packs(program: Program) -> bool:
    """Whether it packs large matrices whatever their shape, so that nothing is gained by dividing them."""
    return possible(program) and not plain(program.spec)


def beside(program: Program, isa: Isa) -> Large | None:
    """How a kernel for any size does large products; None where there are none."""
    if not possible(program):
        return None
    m, n, k = (program.direct.size[name] for name in "mnk")
    schedule = choose(program, isa, {})
    if "direct" not in any_forms(program):
        return Large(f"({several(m, n, k)} >= {PACKED[program.p.compute.bytes]})", schedule)
    enough = f"({k} < {BLOCKED_K} ? {several(m, n)} >= {BLOCKED_C} : {several(m, n, k)} >= {BLOCKED})"
    together = f"{k} >= {BLOCKED_K} && {several(m, n, k)} < {TOGETHER}" if program.spec.strides.leading else ""
    return Large(f"({m} >= {BLOCKED_SIDE} && {n} >= {BLOCKED_SIDE} && {enough})", schedule, together)


@dataclass(frozen=True)
class Slices:
    """How threads share a product in direct form, as C text: where ``large``, by slices of C of so many ``rows`` where
    it is ``high``, else of so many ``columns``, or less."""

    large: str
    high: str
    rows: str
    columns: int


def sliced(program: Program, schedule: Schedule) -> Slices | None:
    """The slices of a product in direct form, of whole tiles; None where it has none, as a side of it is a stride.
    Slices of columns would each pack op(A)."""
    if not possible(program) or schedule.form != "direct" or not program.spec.strides.leading:
        return None
    m, n = (program.direct.size[name] for name in "mn")
    high = f"{PACKED_SLICES} * {m} > {n}" if direct_problem(program).packed else f"{m} > {n}"
    columns = schedule.cols * (PACKED_SLICES if direct_problem(program).packed else 1)
    return Slices(f"{several(*program.spec.sizes)} >= {LARGE}", high, _rows(program, schedule), columns)


def _rows(program: Program, schedule: Schedule) -> str:
    """C text of the rows of a slice: those of a tile, or of some."""
    m, k = (program.direct.size[name] for name in "mk")
    tile, itemsize = schedule.rows * schedule.width, program.p.itemsize
    most = f"bb_whole_step({m} / {PARTS}, {TALL // itemsize} / {k})"
    return f"({several(m, k)} < {DISTANT // itemsize} ? {tile} : ({most} / {tile} + 1) * {tile})"


def several(*sizes: object) -> str:
    """The C text of their product, which may be beyond 64 bits."""
    return " * ".join(f"(double){size}" for size in sizes)


def choose(program: Program, isa: Isa, overrides: dict[str, object]) -> BlockedSchedule:
    """The schedule of a product whose sizes only run time knows."""
    p = program.p
    width = max(1, isa.simd_bytes // p.compute.bytes)
    rows, cols = TILES[p.parts, isa.registers]
    plain = BlockedSchedule("blocked", width, rows, cols, 1, KC, 0, 1, 1)
    found = replace(plain, **overrides)  # type: ignore[arg-type]
    wanted = zip(_fitting(found, isa, p.itemsize), (found.mr, found.mr, found.nr), strict=True)
    mc, mp, nc = (max(1, most // size) * size for most, size in wanted)
    tile = RegisterTile(found.rows, found.cols, 1, found.kc)
    found = replace(found, mc=found.mc or mc, mp=found.mp or mp, nc=found.nc or nc, tiles=(tile,))
    _check(program, found, width)
    return found


def _fitting(found: BlockedSchedule, isa: Isa, itemsize: int) -> tuple[int, int, int]:
    """The rows of op(A) that stay in a level-2 cache, and the rows and columns that are packed, by the model of Low et
    al.: one way of each cache is left to what passes by, as C does, and in the second those of a sliver of op(B)."""
    second, third = isa.caches
    step, way = found.kc * itemsize, second.bytes // second.ways
    rows = (second.ways - 1 - -(-found.nr * step // way)) * way // step
    packed = min(MOST, third.bytes // third.ways * (third.ways - 1) // (2 * step))
    return rows, packed, packed


def _check(program: Program, found: BlockedSchedule, widest: int) -> None:
    """Raise ValueError where there is no such schedule."""
    allowed = {
        "width": found.width <= widest and found.width & (found.width - 1) == 0,
        "mc": found.mc % found.mr == 0,
        "mp": found.mp % found.mr == 0,
        "nc": found.nc % found.nr == 0,
        "prefetch": found.prefetch == 0,
        "nontemporal_bytes": found.nontemporal_bytes == 0,
    }
    numbers = found.numbers()
    wrong = next(
        (name for name, value in numbers.items() if type(value) is not int or not allowed.get(name, value > 0)), None
    )
    if wrong:
        raise ValueError(f"{wrong} = {numbers[wrong]!r} is not available for {program.spec.symbol()}: {found}")
