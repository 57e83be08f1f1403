"""The arrays that a thread works in: on its stack as long as they are small, else in one block from the heap."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce

from ..ir.canonical import Body
from ..ir.program import Program
from ..ir.sizes import Size, divides, evaluate, product
from ..ir.terms import Diag, Kind, Strides
from ..schedule import hybrid
from ..schedule.blocked import BlockedSchedule
from ..schedule.direct import direct_problem
from ..schedule.gpu_schedule import GpuSchedule
from ..schedule.lane import LINE, STACK, array_counts, indexed
from ..schedule.schedule import Schedule
from ..schedule.shared import ALIGNED, array_sizes
from ..schedule.solve import TOGETHER, solve_problems
from ..schedule.streamed import StreamedSchedule
from .operand_text import OperandText
from .operands import landings
from .row_blocks import row_blocks

CTYPES = {Kind.SCALAR: "bb_elem", Kind.REAL: "bb_real", Kind.INDEX: "int32_t"}
"""An element is one of each matrix of a vector."""


@dataclass(frozen=True)
class Array:
    """``count`` numbers of a C type from byte ``at`` of the block."""

    ctype: str
    count: Size
    at: Size


@dataclass(frozen=True)
class Scratch:
    """All arrays of a kernel, by the body (-1 for the frame) and name: those of bodies share their place. ``bytes`` is
    what a thread needs. Without a ``heap`` it is on the stack; on a GPU those of the bodies ``shared`` are in shared
    memory, where neighbouring numbers of an array are ``apart``."""

    arrays: Mapping[tuple[int, str], Array]
    bytes: Size
    heap: bool
    shared: tuple[int, ...] = ()
    apart: int = 1

    def of(self, body: int) -> tuple[str, ...]:
        """The names of the arrays of a body."""
        return tuple(name for owner, name in self.arrays if owner == body)

    def array(self, body: int, name: str, attribute: str = "") -> str:
        """The C declaration of an array."""
        found = self.arrays[body, name]
        if body in self.shared and self.apart > 1:
            at = f"({found.ctype} *)(work + {product(found.at, self.apart)}) + threadIdx.x"
            return f"{self.pointer(body, found.ctype)}const {name} = {{{at}}};"
        if not self.of_block(body):
            return f"{found.ctype} {name}[{found.count}]{attribute and ' ' + attribute};"
        place = f"(work + {found.at})" if found.at else "work"
        return f"{found.ctype} *const {name} = ({found.ctype} *){place};"

    def of_block(self, body: int) -> bool:
        """Whether the arrays of a body are in a block of memory that it is given."""
        return self.of(body) != () and (self.heap or body in self.shared)

    def pointer(self, body: int, ctype: str) -> str:
        """The C type of what points to numbers of an array, ready for a name."""
        strided = body in self.shared and self.apart > 1
        return f"bb_array<{ctype.removeprefix('const ')}> " if strided else f"{ctype} *"

    def __contains__(self, size: str) -> bool:
        """Whether its bytes depend on a size that only run time knows."""
        return isinstance(self.bytes, str) and re.search(rf"\b{size}\b", self.bytes) is not None

    @property
    def size(self) -> str:
        """Its bytes as C text."""
        return f"(size_t)({self.bytes})" if isinstance(self.bytes, str) else str(self.bytes)

    @property
    def text(self) -> str:
        """What a user is told."""
        where = "heap" if self.heap else "stack"
        return f" Scratch: {self.bytes} bytes of {where}." if self.bytes else ""


def scratch_of(program: Program, schedule: Schedule, operands: Iterable[OperandText]) -> Scratch:
    """Where the arrays of a kernel are."""
    if isinstance(schedule, GpuSchedule):
        return _of_threads(program, schedule)
    real = program.p.compute.bytes
    size = {"int32_t": 4, "bb_real": real, "bb_elem": real * program.p.parts * schedule.width}
    found, base = _placed(-1, _of_frame(program, schedule, operands), 0, size, LINE)
    ends: dict[Size, None] = {}
    for number, body in enumerate(_bodies(program, schedule)):
        of_form = OF_FORM.get(schedule.form, _of_direct)
        wanted = of_form(program, schedule, body)
        more, last = _placed(number, wanted, base, size, LINE)
        found, ends = found | more, ends | dict.fromkeys([last] * bool(more))
    end = reduce(_larger, ends, base) if len(ends) != 1 else next(iter(ends))
    large = isinstance(end, str) or end > STACK
    return Scratch(found, end, heap=program.target.simd and large)


def _of_threads(program: Program, schedule: GpuSchedule) -> Scratch:
    """Those of a GPU: in shared memory what bodies index, as far as that has room."""
    found: dict[tuple[int, str], Array] = {}
    size = {ctype: program.p.bytes_of(kind) for kind, ctype in CTYPES.items()}
    shared, at, apart = [], 0, not schedule.team and array_sizes(program) > 1
    for number, body in enumerate(_bodies(program, schedule)):
        more, end = _placed(number, _of_lane(program, schedule, body), at, size, ALIGNED)
        found |= more
        if schedule.work and indexed(body, program.p.parts):
            assert isinstance(end, int)
            assert end <= schedule.work
            shared.append(number)
            at = end if apart else 0
    return Scratch(found, 0, heap=False, shared=tuple(shared), apart=1 if schedule.team else schedule.matrices)


def _bodies(program: Program, schedule: Schedule) -> Iterator[Body]:
    """Those that are called: copies of what lies in lanes are made on the way there."""
    copied = set(landings(program, schedule).items())
    return (body for body in program.bodies if tuple(body.operands) not in copied)


def _larger(one: Size, other: Size) -> Size:
    found: Size = evaluate("max(one, other)", {"one": one, "other": other})
    return found


Wanted = Iterator[tuple[str, str, Size]]
"""Names, C types and numbers of what is wanted."""


def _of_frame(program: Program, schedule: Schedule, operands: Iterable[OperandText]) -> Wanted:
    """Operands of a vector of matrices, and copies of what is preserved."""
    for x in operands:
        if x.has_lanes:
            yield f"s{x.name}", x.ctype, product(x.scratch, schedule.abreast)
    for x in operands:
        if x.name in program.preserved and schedule.width > 1:
            yield f"k{x.name}", x.ctype, x.scratch


def _of_lane(program: Program, schedule: Schedule, body: Body) -> Wanted:
    blocks = row_blocks(program, schedule, body)
    columns = blocks.panel if blocks else 0
    team = isinstance(schedule, GpuSchedule) and schedule.team
    for name, kind, count in array_counts(body, program.p.parts, schedule.abreast, columns, team=team):
        yield name, CTYPES[kind], count if kind is Kind.SCALAR else product(count, schedule.width)


def _of_direct(program: Program, schedule: Schedule, body: Body) -> Wanted:
    strided = program.spec.strides is Strides.RS
    if schedule.form == "direct" and (strided or direct_problem(program).packed):
        yield "P", "bb_real", max(1, schedule.rows * schedule.width * schedule.kc)


def _of_across(program: Program, schedule: Schedule, body: Body) -> Wanted:
    """At most: right-hand sides that are contiguous and do not overlap need no panel."""
    m, width = solve_problems(program)[program.bodies.index(body)].m, schedule.width
    if program.spec.general:
        rows = evaluate("max(ka, together)", {"ka": body.size["ka"], "together": TOGETHER})
        if body.flag["diag"] is not Diag.U:
            yield "inverse", "bb_real", evaluate("rows + width", {"rows": rows, "width": width})
        return
    yield "P", "bb_real", schedule.rows * width * m
    yield "inverse", "bb_real", -(-m // width) * width


def _of_hybrid(program: Program, schedule: Schedule, body: Body) -> Wanted:
    """A block on the diagonal in lanes, the inverses of all pivots, what stands beside the next one, and a panel of
    what is left of a block. With right-hand sides all blocks on the diagonal, and reciprocals of it; rows of right-hand
    sides by matrices, a copy of those whose columns are not together in lanes, and a block that goes there."""
    n, width = body.size["n"], schedule.width
    size = schedule.rows * width
    nrhs, columns = body.size.get("nrhs", 0), hybrid.in_columns(program, body)
    yield "T", "bb_real", size * (n if nrhs else size) * width
    yield "inverse", "bb_real", n * width
    yield "Y", "bb_real", width
    if not columns:
        yield "P", "bb_real", size * n
    if nrhs:
        yield "reciprocals", "bb_elem", n
        yield "Z", "bb_real", size * nrhs * width
        if program.spec.strides.row_major and nrhs > 1:
            yield "X", "bb_real", nrhs * n * width
        if columns:
            yield "W", "bb_real", size**2 * width


def _of_blocked(program: Program, schedule: Schedule, body: Body) -> Wanted:
    """Whole slivers of a block of each factor."""
    if not isinstance(schedule, BlockedSchedule):  # a GPU has them in shared memory
        return
    for name, side, tile, most in (("rows", "m", schedule.mr, schedule.mp), ("columns", "n", schedule.nr, schedule.nc)):
        slivers = f"min(({side} + {tile - 1}) // {tile} * {tile}, {most})"
        reals = f"{slivers} * min(k, {schedule.kc}) * {program.p.parts}"
        yield name, "bb_real", evaluate(reals, program.direct.size)


def _of_streamed(program: Program, schedule: Schedule, body: Body) -> Wanted:
    """Sums of the rows of a chunk, of complex ones two."""
    assert isinstance(schedule, StreamedSchedule)
    if not body.row.reduces and body.row.summed:
        yield from (
            (name, "bb_real", schedule.chunk * program.p.parts) for name in ("found", "other")[: program.p.parts]
        )


def _placed(
    body: int, wanted: Wanted, at: Size, size: Mapping[str, int], line: int
) -> tuple[dict[tuple[int, str], Array], Size]:
    """The arrays one after another, each from a multiple of ``line`` bytes on, and where the last ends; ``size`` is
    that of each type."""
    found = {}
    for name, ctype, count in wanted:
        found[body, name] = Array(ctype, count, at)
        whole = product(count, size[ctype])
        lines = "bytes" if divides(line, whole) else f"(bytes + {line - 1}) // {line} * {line}"
        at = evaluate(f"at + {lines}", {"at": at, "bytes": whole})
    return found, at


OF_FORM = {
    "lane": _of_lane,
    "across": _of_across,
    "hybrid": _of_hybrid,
    "blocked": _of_blocked,
    "streamed": _of_streamed,
}
