"""The C functions of bodies: their parameters, and what the loop over the batch hands over."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..ir.canonical import Body, Case, canonical_direct, canonical_lane
from ..ir.partition import Chunk
from ..ir.program import Program
from ..ir.sizes import Size
from ..ir.terms import Role
from ..ir.views import Index, View
from ..schedule.gpu_schedule import GpuSchedule
from ..schedule.lane import (
    PANEL_COLUMNS,
    RegisterTile,
    brought_along,
    in_straight_lines,
    is_closed,
    most_abreast,
    straight_orders,
    way,
)
from ..schedule.schedule import Schedule
from ..schedule.team import Share
from .operand_text import OperandText
from .operands import landings
from .row_blocks import RowBlocks, row_blocks
from .scratch import Array, Scratch
from .slices import sliced

_NAMED = ("ld", "rs", "cs", "nb")
"""How strides begin that are parameters."""


@dataclass(frozen=True)
class Source:
    """Where a body finds the old values of an operand that it fetches: the C ``name``, and how they lie there.

    Of matrices by themselves it may be given rows to bring to lanes, each lane its own: ``rows`` is how many reals are
    from one to the next, as C text, ``name`` points to the pointers of the lanes' matrices, and ``chunks`` are the
    vectors of a panel's row, by its columns. ``parameters`` are declarations and arguments beyond the operand's.
    ``ahead``: the parameter that tells how far the matrices to prefetch are, in reals, 0 for none.
    """

    name: str
    view: View
    rows: str
    chunks: Mapping[int, tuple[Chunk, ...]]
    parameters: Mapping[str, tuple[str, str]]
    ahead: str


@dataclass(frozen=True)
class BodyText(Case):
    """The C function of a body and the call of it. As a case it is what the template sees.

    ``strides`` are those that only run time knows, ``names`` its parameters behind the flags, ``parameters`` declares
    all; ``kinds`` passes the kinds of its own scalars on, ``prefix`` hands over those of the kernel's and ``call`` the
    rest. ``offset`` is added to what it reports. After a body that ``keeps``, what matrices that failed lose to the
    ``guarded`` ones behind it is kept.
    The lanes of a team do it as ``share`` tells. ``sources`` tells where it fetches its operands from, ``unread`` which
    results nobody wants. It is ``straight`` where it has no loops, ``closed`` where of factors only their determinant
    is left, and brings so many columns ``along``, else it goes
    by ``panel`` columns, by ``blocks`` of some, or the ``way`` that its row has for its order; of ``orders`` are square
    matrices that it does without where only run time knows sizes. It is the one of that ``number``, and does so many
    vectors of matrices ``abreast``, whose operands are ``apart`` by so many numbers.
    """

    op: str
    name: str
    hermitian: bool
    tile: RegisterTile
    strides: tuple[str, ...]
    names: tuple[str, ...]
    parameters: str
    kinds: str
    prefix: str
    call: str
    offset: Size
    guarded: bool
    keeps: bool
    sources: Mapping[str, Source]
    unread: tuple[str, ...]
    straight: bool
    closed: bool
    way: str
    along: int
    orders: Sequence[int]
    panel: int
    blocks: RowBlocks | None
    number: int
    abreast: int
    apart: Mapping[str, Size]
    scratch: Scratch
    share: Share

    def array(self, name: str, attribute: str = "") -> str:
        """The C declaration of an array that it works in."""
        return self.scratch.array(self.number, name, attribute)

    def pointer(self, ctype: str) -> str:
        """The C type of what points to numbers of such an array, ready for a name."""
        return self.scratch.pointer(self.number, ctype)

    def reals(self, name: str) -> str:
        """The C text of an array of reals as one of vectors."""
        return name if self.pointer("") != " *" else f"(bb_vec *){name}"

    def slot(self, i: Index, vector: Index) -> str:
        """The C text of where number ``i`` of a vector of matrices is in arrays of all that are abreast."""
        return View(self.abreast, 1).at(i, vector if self.abreast > 1 else 0)

    @property
    def arguments(self) -> str:
        return self.replaced()

    def replaced(self, **values: str) -> str:
        """The argument list that passes every parameter on, but for those given."""
        return ", ".join(values.get(name, name) for name in self.names)


def body_texts(
    program: Program,
    schedule: Schedule,
    operands: list[OperandText],
    scratch: Scratch,
    flags: list[str],
    ahead: list[str],
) -> list[BodyText]:
    """The bodies of a kernel in their order; each is told the ``flags`` and what lies ``ahead`` of some operands."""
    shares = (isinstance(schedule, GpuSchedule) and schedule.shares) or [Share()] * len(program.bodies)
    copied = set(landings(program, schedule).items())
    made = [
        one for one in zip(program.bodies, schedule.tiles, shares, strict=True) if tuple(one[0].operands) not in copied
    ]
    found = [body for body, _, _ in made]
    reports = [body.row.info for body in found]
    first = min((i for i, report in enumerate(reports) if report), default=len(found))
    case = partial(canonical_lane, is_complex=program.p.complex)
    if program.target.simd and schedule.form in ("direct", "flat", "blocked"):
        row_major = program.spec.strides.row_major
        case = partial(canonical_direct, is_complex=program.p.complex, row_major=row_major)
    return [
        _body(
            program,
            body,
            {x.name: x for x in operands},
            name=f"bb_{body.row.name}" + (f"_{i}" if len(found) > 1 else ""),
            number=i,
            schedule=schedule,
            scratch=scratch,
            tile=tile,
            share=share,
            case=case,
            flags=[x for x in flags if x != "far" or i + 1 == len(made)],
            ahead=ahead if i + 1 == len(made) else [],
            guarded=i > first and not body.row.total,
            several=schedule.form == "columns" or (schedule.form in ("direct", "across") and program.spec.general),
            keeps=reports[i] and any(later.writes and not later.row.total for later in found[i + 1 :]),
        )
        for i, (body, tile, share) in enumerate(made)
    ]


def _body(
    program: Program,
    body: Body,
    operands: Mapping[str, OperandText],
    *,
    name: str,
    number: int,
    schedule: Schedule,
    scratch: Scratch,
    tile: RegisterTile,
    share: Share,
    case: Callable[..., Case],
    flags: list[str],
    ahead: list[str],
    guarded: bool,
    keeps: bool,
    several: bool,
) -> BodyText:
    found, starts = sliced(body.row, case(body, {x.name: x.view for x in operands.values()}), share)
    views = dict(zip((x.name for x in body.row.matrices), found.views, strict=True))
    sources = _sources(body, views, operands)
    sizes = _sizes(program, body, found, [scratch.arrays[number, name] for name in scratch.of(number)])
    known: dict[str, Any] = {"several": several, "shared": share.together, "schedule": schedule}
    declared = _declared(program, body, views, operands, ahead, sizes=sizes, **known)
    declared |= {own: (text, value + starts.get(own, "")) for own, (text, value) in declared.items()}
    declared |= {own: both for source in sources.values() for own, both in source.parameters.items()}
    declared |= {"work": ("char *work", "work")} if scratch.of_block(number) else {}
    return BodyText(
        op=body.row.template or body.row.name,
        name=name,
        **vars(found),
        hermitian=body.row.hermitian and program.p.complex,
        tile=tile,
        strides=(*sizes, *dict.fromkeys(name for view in found.views for name in _strides(view))),
        names=tuple(declared),
        parameters=", ".join([*_constants(body, flags), *(text for text, _ in declared.values())]),
        kinds="".join(f"{x}_is, " for x in body.row.scalars),
        prefix="".join(f"{x}, " for x in [*map(_class_text, body.scalars), *(x for x in flags if x == "far")]),
        call=", ".join(value for _, value in declared.values()),
        offset=body.offset,
        guarded=guarded,
        keeps=keeps,
        sources=sources,
        unread=body.unread,
        number=number,
        **_algorithm(program, body, schedule, by_rows=any(source.rows for source in sources.values())),
        apart={own: operands[name].scratch for own, name in zip(views, body.operands, strict=True)},
        scratch=scratch,
        share=share,
    )


def _constants(body: Body, flags: list[str]) -> list[str]:
    """Parameters that compilers know: the kinds of scalars, and flags."""
    return [f"const int {x}" for x in [*(f"{x}_is" for x in body.row.scalars), *flags]]


def _abreast(program: Program, body: Body, schedule: Schedule) -> int:
    """The vectors of matrices that a body does together."""
    return min(schedule.abreast, most_abreast(body, program.p.parts))


def _algorithm(program: Program, body: Body, schedule: Schedule, *, by_rows: bool) -> dict[str, Any]:
    """How the body goes through its matrices."""
    parts = program.p.parts
    return {
        "abreast": _abreast(program, body, schedule),
        "straight": in_straight_lines(body, parts),
        "closed": is_closed(program, body),
        "way": way(body, parts),
        "along": brought_along(body, parts),
        "orders": () if by_rows else straight_orders(body, parts),
        "panel": PANEL_COLUMNS,
        "blocks": row_blocks(program, schedule, body) if by_rows else None,
    }


def _declared(
    program: Program,
    body: Body,
    views: Mapping[str, View],
    operands: Mapping[str, OperandText],
    ahead: list[str],
    *,
    sizes: tuple[str, ...],
    schedule: Schedule,
    several: bool,
    shared: bool,
) -> dict[str, tuple[str, str]]:
    """The parameters behind the flags: what declares each in C, and the argument for it. ``sizes`` are those that only
    run time knows. ``several``: of each operand there are some matrices. ``shared``: a team has each together."""
    abreast = _abreast(program, body, schedule)
    alone = abreast < schedule.abreast  # it gets one vector after the other
    stands = dict(zip(views, body.operands, strict=True)) | dict(zip(body.row.scalars, body.scalars, strict=True))
    roles = {x.name: x.role for x in body.row.matrices}
    declared: dict[str, tuple[str, str]] = {}
    stride = "const int64_t" if program.target.simd else "int64_t"  # GPUs forget it: see the store of a tile
    declared |= {size: (f"const int64_t {size}", size) for size in sizes}
    for own in body.row.arguments:
        if own in roles:
            const = "const " if roles[own] is Role.IN else ""
            given = operands[str(stands[own])]
            pointer = f"*const *{own}" if several or given.by_pointers else f"*BB_RESTRICT {own}"
            if shared:
                pointer = f"*{own}"  # compilers may keep what a restricted one points to from one barrier to the next
            declared[own] = (f"{const}{given.ctype} {pointer}", given.argument + f" + vector * {given.scratch}" * alone)
            declared |= {extra: (f"{stride} {extra}", extra) for extra in _strides(views[own])}
        else:
            declared[own] = (f"const bb_scalar {own}", _scalar_text(stands[own]))
    if any(x.by_pointers for x in operands.values()) or (several and program.spec.general):
        declared["count"] = ("const int count", "count")
    declared |= {f"next_{x}": (f"const bb_real *next_{x}", f"next_{x}") for x in ahead}
    if body.row.info:
        declared["info"] = ("bb_ints *info", "info + vector" if alone else "info" if schedule.abreast > 1 else "&info")
    if abreast > 1:
        declared["vectors"] = ("const int vectors", "vectors")
    if shared:
        declared["lane"] = ("const int lane", "lane")
    return declared


def _sources(body: Body, views: Mapping[str, View], operands: Mapping[str, OperandText]) -> dict[str, Source]:
    """Where the body fetches its operands from."""
    elsewhere, found = dict(body.sources), {}
    for own in body.row.fetched:
        given = operands[elsewhere.get(own, dict(zip(views, body.operands, strict=True))[own])]
        if given.by_rows:
            name = f"{own}_rows"
            parameters = {name: (f"const {given.ctype} *const *{name}", given.pointers)}
            parameters |= {ld: (f"const int64_t {ld}", ld) for ld in [f"ld{given.letter}"] * given.strides.leading}
            ahead = f"{own}_ahead" if given.coming == "rows" else ""
            parameters |= {ahead: (f"const int64_t {ahead}", f"far ? {given.distance} : 0")} if ahead else {}
            found[own] = Source(name, given.view, given.row, given.row_chunks, parameters, ahead)
        elif own in elsewhere:
            name = f"{own}_from"
            parameters = {name: (f"const {given.ctype} *BB_RESTRICT {name}", given.argument)}
            parameters |= {extra: (f"const int64_t {extra}", extra) for extra in _strides(given.view)}
            found[own] = Source(name, given.view, "", {}, parameters, "")
        else:
            found[own] = Source(own, views[own], "", {}, {}, "")
    return found


def _sizes(program: Program, body: Body, case: Case, arrays: Iterable[Array]) -> tuple[str, ...]:
    """The sizes that only run time knows and that a body, the views of its operands and its ``arrays`` are told of."""
    told = [*body.size.values(), *(x for view in case.views for x in (view.rs, view.cs)), *(x.at for x in arrays)]
    text = " ".join(str(x) for x in told)
    return tuple(size for size in program.spec.unknown if re.search(rf"\b{size}\b", text))


def _strides(view: View) -> list[str]:
    """The names of a view's strides that only run time knows, but for sizes."""
    return [stride for stride in (view.rs, view.cs, view.im) if isinstance(stride, str) and stride[:2] in _NAMED]


def _class_text(scalar: str | complex) -> str:
    if isinstance(scalar, str):
        return f"{scalar}_is"
    return str(int(scalar.real)) if scalar in (0, 1) else "BB_ANY"


def _scalar_text(scalar: str | complex) -> str:
    """The C text of a scalar: its name, or the number exactly."""
    if isinstance(scalar, str):
        return scalar
    return f"BB_SCALAR({float(scalar.real).hex()}, {float(scalar.imag).hex()})"
