"""How long vectors, and a matrix beside one, go by: each element is read from memory once, by threads that share them.

What is added up is added in blocks of a fixed length, by a fixed number of sums, and sums of blocks pairwise: none of
that depends on the machine, the width of its vectors or the threads. Singh, Bader, Concurr. Comput. (2021), BLAS by
compiler vectors and OpenMP.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

from ..ir.program import Program
from ..ir.spec import KernelSpec
from ..ir.targets import Isa
from .blocked import several
from .lane import LINE, STACK, RegisterTile
from .schedule import Schedule

BLOCK = 32 << 10
"""Bytes of a vector in a block: sums of blocks end there, so this is a part of the numerical contract."""
SUMS, VECTOR = 8, 4
"""Parts of a level-2 cache, of which sums of some rows, or a part of a vector, take one while a matrix passes by."""
FAR = 3
"""Halves of a core's part of the last-level cache, from which a matrix comes from memory."""
HELD = 4
"""Vectors of rows, at most, that columns pass by at a time: six, for which there are registers, gain nothing."""
NARROW = 32
"""Bytes of a vector, at most, of what is written, or where two vectors are read: of longer ones more lie in two cache
lines, and hardware sees fewer accesses by which to know what comes."""
LONG = {1: 32, 2: 400}
"""Elements of a vector, and of a matrix beside vectors, from which a kernel for any size does better than one for the
size, in batches too; by the number of sizes."""


@dataclass(frozen=True)
class StreamedSchedule(Schedule):
    """``block``: elements of a vector that are added up before others, or that a thread takes as a unit; ``chunk``:
    those that stay in a level-2 cache, or whose sums do, while a matrix passes by: it comes in pieces of columns as
    long, and hardware sees long ones come; ``held``: vectors of rows that are in registers, or whose sums are; ``far``:
    elements of a matrix from which it comes from memory, and goes by in other pieces; ``wide``: reals of the
    vectors for two short operands; 0: as many as for long ones."""

    block: int = field(default=0, kw_only=True)
    chunk: int = field(default=0, kw_only=True)
    held: int = field(default=0, kw_only=True)
    far: int = field(default=0, kw_only=True)
    wide: int = field(default=0, kw_only=True)


def possible(program: Program) -> bool:
    """Whether it is for any size, on matrices by themselves."""
    found = program.separate and "streamed" in program.row.algorithms
    return found and program.spec.unknown == program.spec.row.sizes


def large(spec: KernelSpec) -> bool:
    """Whether a kernel for any size does operands of these sizes, others are small enough to have one of their own.
    Depends on shapes alone."""
    apart = not any(layout.interleaved for layout in spec.layouts)
    sizes = [size for size in spec.sizes if isinstance(size, int)]
    fits = "streamed" in spec.row.algorithms and apart and not spec.general
    return fits and prod(sizes) >= LONG[len(sizes)]


def condition(spec: KernelSpec, extents: Mapping[str, Any]) -> str:
    """The same as C text of sizes, which are ``extents``."""
    return f"{several(*(extents[name] for name in spec.row.sizes))} >= {LONG[len(spec.sizes)]}"


def choose(program: Program, isa: Isa, overrides: dict[str, object]) -> StreamedSchedule:
    """The schedule for operands whose sizes only run time knows."""
    p = program.p
    most = min(isa.simd_bytes, NARROW) if _narrow(program) else isa.simd_bytes
    widest = max(p.parts, most // p.compute.bytes)
    matrix = len(program.spec.sizes) > 1
    plain = StreamedSchedule(
        *("streamed", widest, 1, 1, 1, 1, 0, 1, 1),
        block=BLOCK // p.itemsize,
        chunk=_chunk(program, isa.caches[0].bytes),
        held=_held(program, isa),
        far=FAR * isa.caches[1].bytes // 2 // p.itemsize if matrix else 0,
        wide=_wide(program, isa),
    )
    found = replace(plain, **overrides, tiles=(RegisterTile(1, 1, 1, 1),))  # type: ignore[arg-type]
    _check(program, found, widest, plain.wide)
    return found


def _wide(program: Program, isa: Isa) -> int:
    """The reals of a cache line, where registers are as long and two real vectors, which go by in shorter ones, are
    added up: of what is in a level-1 cache it is less to do."""
    fits = isa.simd_bytes == LINE > NARROW and program.row.reduces and _narrow(program) and program.p.parts == 1
    return LINE // program.p.compute.bytes if fits else 0


def _narrow(program: Program) -> bool:
    """Whether long vectors of registers do worse: one vector that is read, or a matrix, goes by faster in them."""
    row = program.row
    return not row.summed or (row.reduces and len(row.parameters) > 2)


def _chunk(program: Program, second: int) -> int:
    """The elements of a vector of which a level-2 cache of so many bytes keeps sums, on the stack, or themselves."""
    p = program.p
    lines = LINE // p.compute.bytes
    sums = min(second // SUMS, STACK) // (p.itemsize * p.parts)
    return max(1, (sums if program.row.summed else second // VECTOR // p.itemsize) // lines) * lines


def _held(program: Program, isa: Isa) -> int:
    """The vectors that stay in half of the registers, or, of rows, whose sums are in all of them, an even number: those
    of a cache line are added pairwise, so that of each level one waits; not more than HELD of those."""
    p = program.p
    if not program.row.summed:
        return max(1, isa.registers // 2 // p.parts) if len(program.spec.sizes) > 1 else 0
    levels = (LINE // p.itemsize).bit_length()
    return max(1, min(HELD, (isa.registers - 2) // (levels * p.parts) // 2 * 2))


def _check(program: Program, found: StreamedSchedule, widest: int, wide: int) -> None:
    """Raise ValueError where there is no such schedule."""
    lines = LINE // program.p.compute.bytes
    allowed = {
        "width": program.p.parts <= found.width <= widest and found.width & (found.width - 1) == 0,
        "chunk": found.chunk % lines == 0,
        "held": found.held >= (program.row.summed and not program.row.reduces),
        "far": found.far >= 0,
        "wide": found.wide in (0, wide),
        "prefetch": found.prefetch == 0,
        "nontemporal_bytes": found.nontemporal_bytes == 0,
    }
    numbers = found.numbers()
    wrong = next(
        (
            name
            for name, value in numbers.items()
            if type(value) is not int or not allowed.get(name, True) or (value < 1 and name not in allowed)
        ),
        None,
    )
    if wrong:
        raise ValueError(f"{wrong} = {numbers[wrong]!r} is not available for {program.spec.symbol()}: {found}")
