"""How a kernel will be made: pure functions from a spec and the machine's vectors to a Schedule.

The cost model counts issue slots of a core with two vector FMA units and two load ports, four cycles of FMA latency.
It never sees the batch count, so one matrix gets the same arithmetic whatever its company.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from .layout import chunks
from .spec import KernelSpec
from .terms import Layout, Strides

SCRATCH = 192 * 1024
"""Bytes of stack that one thread may use for scratch."""
PANEL = 64 * 1024
"""Bytes of a packed panel in a direct body; a part of SCRATCH."""
AHEAD = range(1024, 256 * 1024)
"""Bytes of one matrix' operands worth prefetching while its predecessor is computed. Less, and the hardware's own
prefetchers keep up; more, and the next matrix would drive this one out of L2."""
LATENCY = 4.0
"""Cycles until the result of a fused multiply-add can be added to."""
TASK_NS = 6000
"""Work worth handing to one more thread, in nanoseconds: a fork and join costs about half of it."""


@dataclass(frozen=True)
class Schedule:
    """``form``: ``lane`` (one matrix per SIMD lane) or ``direct`` (vectors along the columns of one matrix).

    ``width``: reals per vector. ``rows`` x ``cols``: the tile of C held in registers, rows in elements (lane) or
    vectors (direct). ``unroll``: steps of k per loop iteration. ``kc``: steps of k between visits to C.
    ``prefetch``: matrices to prefetch ahead, 0 or 1.
    ``grain``: matrices that a thread takes as a unit. ``break_even``: least matrices per thread.
    """

    form: str
    width: int
    rows: int
    cols: int
    unroll: int
    kc: int
    prefetch: int
    grain: int
    break_even: int


def choose(spec: KernelSpec, simd_bytes: int, **overrides: object) -> Schedule:
    """The schedule of ``spec`` on a machine with vectors of ``simd_bytes``; ``overrides`` replace fields of it."""
    if overrides.get("form") == "direct" and not _direct_allowed(spec):
        raise ValueError(f"form = 'direct' is not available for {spec.symbol()}")
    lane = _lane(spec, simd_bytes)
    if overrides.get("form") == "direct":
        best = _direct(spec, simd_bytes)
    elif "form" not in overrides and _direct_allowed(spec):
        direct = _direct(spec, simd_bytes)
        best = direct if _direct_wins(spec, direct, lane) else lane
    else:
        best = lane
    return replace(best, **overrides)  # type: ignore[arg-type]


def scratch_bytes(spec: KernelSpec, width: int) -> int:
    """Bytes a lane kernel needs to hold its ``pp``/``st`` operands for one vector of matrices; a vector of one lane
    works on them in place."""
    size = spec.size
    return sum(
        size[x.rows] * size[x.cols] * spec.p.itemsize * width
        for x, layout in zip(spec.row.operands, spec.layouts, strict=True)
        if not layout.interleaved
    )


def registers(simd_bytes: int) -> int:
    """Architectural vector registers: 32 with AVX-512, else 16 (NEON has 32 and is not hurt by 16-register tiles)."""
    return 32 if simd_bytes == 64 else 16


def _direct_allowed(spec: KernelSpec) -> bool:
    return spec.row.direct and spec.target == "cpu" and not any(layout.interleaved for layout in spec.layouts)


def _lane(spec: KernelSpec, simd_bytes: int) -> Schedule:
    width = lane_width(spec, simd_bytes)
    rows, cols = _lane_tile(spec, registers(simd_bytes))
    k = spec.size.get("k", 1)
    # Compilers move the loads of several steps to the front, which complex products and a CUDA thread, whose addresses
    # take registers too, pay for with spills. The one has work enough in a step, the other has other threads.
    unroll = max(1, min(k, 64 // (rows * cols))) if spec.target == "cpu" and not spec.p.complex else 1
    return Schedule("lane", width, rows, cols, unroll, k, 0, _grain(spec, width), _break_even(spec))


def lane_width(spec: KernelSpec, simd_bytes: int) -> int:
    """Lanes per vector: the machine's, halved until they divide the block size and the scratch is affordable.

    At one lane there is no scratch, so every size can be done.
    """
    if spec.target != "cpu":
        return 1
    width = simd_bytes // spec.p.real_bytes
    while width > 1 and ((spec.nb and spec.nb % width) or scratch_bytes(spec, width) > SCRATCH):
        width //= 2
    return width


def _lane_tile(spec: KernelSpec, limit: int) -> tuple[int, int]:
    """The tile of C with the least cycles per step of k over the whole matrix; every further shape of tile counts
    against it, for it is code to compile and to fetch."""
    if not spec.row.direct:
        return 1, 1
    m, n = max(1, spec.size["m"]), max(1, spec.size["n"])
    x = spec.p.parts

    def cost(rows: int, cols: int) -> float:
        loads = (rows + cols) * x / 2
        return max(rows * cols * x * x / 2, loads, LATENCY * x) + loads / 16

    tiles = [
        (sum((cost(r, c) + 0.5) * times for r, c, times in grid) * (1 + 0.05 * len(grid)), -rows * cols, rows, cols)
        for rows in range(1, min(m, 8) + 1)
        for cols in range(1, min(n, 8) + 1)
        if (rows * cols + rows + 1) * x <= limit
        for grid in [list(_grid(m, n, rows, cols))]
    ]
    return min(tiles)[2:]


def _grid(m: int, n: int, rows: int, cols: int) -> Iterator[tuple[int, int, int]]:
    """The tiles that cover m x n: (rows, columns, how many)."""
    for r, down in ((rows, m // rows), (m % rows, 1)):
        for c, across in ((cols, n // cols), (n % cols, 1)):
            if r and c and down and across:
                yield r, c, down * across


def _direct(spec: KernelSpec, simd_bytes: int) -> Schedule:
    p, m, n = spec.p, spec.size["m"], spec.size["n"]
    reals = max(1, m) * p.parts
    widest = simd_bytes // p.real_bytes
    widths = [w for w in (16, 8, 4, 2, 1) if p.parts <= w <= min(widest, reals)]
    plans = [
        (_direct_cost(vectors, n, rows, cols, p.parts), -rows * cols, width, rows, cols)
        for width in widths
        for vectors in [-(-reals // width)]
        for rows in range(1, min(vectors, 6) + 1)
        for cols in range(1, min(max(1, n), 12) + 1)
        if rows * cols * p.parts + rows + 1 <= registers(simd_bytes) * 13 // 16 and _storable(reals, width, rows)
    ]
    _, _, width, rows, cols = min(plans)
    k = spec.size["k"]
    kc = k if k * rows * width * p.real_bytes <= PANEL else PANEL // (rows * width * p.real_bytes)
    unroll = max(1, min(k, 96 // (rows * cols * p.parts)))
    ahead = int(kc == max(1, k) and spec.bytes in AHEAD)
    return Schedule("direct", width, rows, cols, unroll, max(1, kc), ahead, p.default_nb, _break_even(spec))


def _storable(reals: int, width: int, rows: int) -> bool:
    """Whether the last vector of a column, if it overlaps its predecessor, shares a tile with it.

    Both must be loaded from C before either is stored, or the rows they share would be updated twice.
    """
    vectors = -(-reals // width)
    return reals % width == 0 or (vectors - 1) % rows != 0


def _direct_cost(vectors: int, n: int, rows: int, cols: int, parts: int) -> float:
    """Cycles per step of k over the whole matrix, and a share for starting each tile."""

    def cost(r: int, c: int) -> float:
        loads, products = (c * parts + r) / 2, r * c * parts / 2
        return max(products, loads, LATENCY) + 0.25 + (loads + products) / 16

    return sum(cost(r, c) * times for r, c, times in _grid(vectors, max(1, n), rows, cols))


def _direct_wins(spec: KernelSpec, direct: Schedule, lane: Schedule) -> bool:
    """Compare cycles per matrix: direct arithmetic against lane arithmetic plus moving everything through scratch."""
    size, p = spec.size, spec.p
    vectors = -(-max(1, size["m"]) * p.parts // direct.width)
    k = max(1, size["k"])
    direct_cycles = _direct_cost(vectors, size["n"], direct.rows, direct.cols, p.parts) * k
    if spec.strides is Strides.RS:
        direct_cycles += 2.0 * (size["m"] * (k + size["n"])) * p.parts
    arithmetic = spec.flops / 4 / lane.width
    moved = 0.0
    for x in spec.row.operands:
        reals = size[x.rows] * size[x.cols] * p.parts
        pieces = sum(c.repeats for c in chunks(reals, lane.width)) * lane.width
        moved += reals if spec.strides is Strides.RS else pieces * 0.4 + reals * 2 / lane.width
    return direct_cycles <= arithmetic + moved


def _grain(spec: KernelSpec, width: int) -> int:
    """Threads split a batch at block boundaries, the same for every kernel that touches the same data."""
    return spec.nb if Layout.BI in spec.layouts else max(width, spec.p.default_nb)


def _break_even(spec: KernelSpec) -> int:
    """Matrices that make TASK_NS of work, at 16 bytes or 32 flops per nanosecond, whichever takes longer."""
    nanoseconds = max(spec.flops / 32, spec.bytes / 16, 1.0)
    return max(1, round(TASK_NS / nanoseconds))
