"""The arrays that a thread works in: on its stack as long as they are small, else in one block from the heap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..ir.canonical import Body
from ..ir.operation import picked
from ..ir.program import Program
from ..ir.sizes import evaluate
from ..ir.terms import Kind, Strides
from ..schedule import hybrid
from ..schedule.choose import Schedule
from ..schedule.direct import direct_problem
from ..schedule.lane import LINE, PANEL_COLUMNS, STACK, in_straight_lines
from ..schedule.solve import solve_problems
from .operands import OperandText, landings

CTYPES = {Kind.SCALAR: "bb_elem", Kind.REAL: "bb_real", Kind.INDEX: "int32_t"}
"""An element is one of each matrix of a vector."""


@dataclass(frozen=True)
class Array:
    """``count`` numbers of a C type from byte ``at`` of the block."""

    ctype: str
    count: int
    at: int


@dataclass(frozen=True)
class Scratch:
    """All arrays of a kernel, by the body (-1 for the frame) and name: those of bodies share their place. ``bytes`` is
    what a thread needs. Without a ``heap`` it is on the stack."""

    arrays: Mapping[tuple[int, str], Array]
    bytes: int
    heap: bool

    def of(self, body: int) -> tuple[str, ...]:
        """The names of the arrays of a body."""
        return tuple(name for owner, name in self.arrays if owner == body)

    def array(self, body: int, name: str, attribute: str = "") -> str:
        """The C declaration of an array."""
        found = self.arrays[body, name]
        if not self.heap:
            return f"{found.ctype} {name}[{found.count}]{attribute and ' ' + attribute};"
        place = f"(work + {found.at})" if found.at else "work"
        return f"{found.ctype} *const {name} = ({found.ctype} *){place};"

    @property
    def text(self) -> str:
        """What a user is told."""
        where = "heap" if self.heap else "stack"
        return f" Scratch: {self.bytes} bytes of {where}." if self.bytes else ""


def scratch_of(program: Program, schedule: Schedule, operands: Iterable[OperandText]) -> Scratch:
    """Where the arrays of a kernel are."""
    real = program.p.compute.bytes
    size = {"int32_t": 4, "bb_real": real, "bb_elem": real * program.p.parts * schedule.width}
    found, base = _placed(-1, _of_frame(program, schedule, operands), 0, size)
    end = base
    copied = set(landings(program, schedule).items())
    for number, body in enumerate(body for body in program.bodies if tuple(body.operands) not in copied):
        of_form = OF_FORM.get(schedule.form, _of_direct)
        wanted = of_form(program, schedule, body)
        more, last = _placed(number, wanted, base, size)
        found, end = found | more, max(end, last)
    return Scratch(found, end, heap=program.target.simd and end > STACK)


Wanted = Iterator[tuple[str, str, int]]
"""Names, C types and numbers of what is wanted."""


def _of_frame(program: Program, schedule: Schedule, operands: Iterable[OperandText]) -> Wanted:
    """Operands of a vector of matrices, and copies of what is preserved."""
    for x in operands:
        if x.has_lanes:
            yield f"s{x.name}", x.ctype, x.scratch
    for x in operands:
        if x.name in program.preserved and schedule.width > 1:
            yield f"k{x.name}", x.ctype, x.scratch


def _of_lane(program: Program, schedule: Schedule, body: Body) -> Wanted:
    if in_straight_lines(body, program.p.parts):
        return
    for x in picked(body.row.arrays, {name: str(value) for name, value in body.flag.items()}):
        count = evaluate(x.count, {**body.size, "panel": PANEL_COLUMNS, "parts": program.p.parts})
        yield x.name, CTYPES[x.kind], count if x.kind is Kind.SCALAR else count * schedule.width


def _of_direct(program: Program, schedule: Schedule, body: Body) -> Wanted:
    strided = program.spec.strides is Strides.RS
    if schedule.form == "direct" and (strided or direct_problem(program).packed):
        yield "P", "bb_real", max(1, schedule.rows * schedule.width * schedule.kc)


def _of_across(program: Program, schedule: Schedule, body: Body) -> Wanted:
    """At most: right-hand sides that are contiguous and do not overlap need no panel."""
    m, width = solve_problems(program)[program.bodies.index(body)].m, schedule.width
    yield "P", "bb_real", schedule.rows * width * m
    yield "inverse", "bb_real", -(-m // width) * width


def _of_hybrid(program: Program, schedule: Schedule, body: Body) -> Wanted:
    """A block on the diagonal in lanes, the inverses of all pivots, what stands beside the next one, and a panel of
    what is left of a block."""
    n, width = body.size["n"], schedule.width
    size = schedule.rows * width
    yield "T", "bb_real", size**2 * width
    yield "inverse", "bb_real", n * width
    yield "Y", "bb_real", width
    if not hybrid.in_columns(program, body):
        yield "P", "bb_real", size * n


def _placed(body: int, wanted: Wanted, at: int, size: Mapping[str, int]) -> tuple[dict[tuple[int, str], Array], int]:
    """The arrays one after another, and where the last ends; ``size`` is that of each type."""
    found = {}
    for name, ctype, count in wanted:
        found[body, name] = Array(ctype, count, at)
        at += -(-count * size[ctype] // LINE) * LINE
    return found, at


OF_FORM = {"lane": _of_lane, "across": _of_across, "hybrid": _of_hybrid}
