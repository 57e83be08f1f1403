"""What the templates of a kernel see."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from functools import partial as with_first
from typing import Any

from ..ir import partition
from ..ir.program import Program
from ..ir.sizes import Size, evaluate
from ..ir.spec import KernelSpec
from ..ir.terms import Kind, Layout, Strides
from ..ir.views import View
from ..schedule import flat_schedule
from ..schedule.blocked import BlockedSchedule, sliced
from ..schedule.direct import direct_problem
from ..schedule.gpu_schedule import GpuSchedule
from ..schedule.lane import LINE, has_halves
from ..schedule.schedule import LANES, Schedule
from ..schedule.solve import SOLVERS, TOGETHER, solve_problems
from ..schedule.work import TASK_NS, work
from ..version import __version__
from .across import Across
from .ahead import fetched, to_prefetch
from .any_across import AnyAcross
from .blocked import blocked_context
from .columns import ColumnsText
from .coming import strip
from .direct import Direct
from .functions import BodyText, body_texts
from .hybrid import Hybrid
from .kinds import variants
from .moves import moved
from .operand_text import OperandText
from .orders import network, tournament
from .packing import STRAIGHT, ends, halves_of, packings
from .pieces import pieces_of_product, pieces_of_solve
from .pivots import last_panel, turned
from .products import FORMS
from .reals import StoredReal
from .scratch import Scratch
from .signature import Signature
from .staging import staged
from .streamed import streamed_context
from .taylor import characteristic, taylor_coefficients

NEAR = 16 << 10
"""Bytes of matrices that a level-1 cache keeps while one tile after another is done in all of them."""
SEVERAL = 16
"""Matrices at most that bodies for any size go through together, to choose a tile once for all."""
SHARED_NS = 200000
"""Work on a matrix, in nanoseconds, that threads share rather than the batch."""
UNITS = {"streamed": "BB_UNITS"}
"""By form, the C text of the parts of a matrix that threads share, where they do not take whole ones."""


def describe(program: Program, operands: list[OperandText], scratch: Scratch) -> list[str]:
    """What the kernel works on, as lines of a comment."""
    spec = program.spec
    element = {"s": "float", "d": "double", "c": "float complex", "z": "double complex"}[program.p.letter]
    flags = ", ".join(f"{name} = {value}" for name, value in spec.flag.items())
    sizes = ", ".join(f"any {name}" if value == name else f"{name} = {value}" for name, value in spec.size.items())
    order = "row-major" if spec.strides.row_major else "column-major"
    text = "; ".join(filter(None, (element, sizes, flags, f"matrices {order} as stored: ")))
    text += ", ".join(_described(spec, x) for x in operands if x.storage) + "."
    if spec.nb:
        text += f" bi: real number r of matrix b at (b / {spec.nb} * reals + r) * {spec.nb} + b % {spec.nb}"
        text += ", reals with those between columns." if spec.spaced else "."
    if any(where.interleaved for where in spec.layouts) and program.p.complex:
        text += " Interleaved complex elements are two reals, real part first."
    if has_output(program) and program.target.simd:
        text += scratch.text
    return textwrap.wrap(text, 112)


def _described(spec: KernelSpec, x: OperandText) -> str:
    """An operand with its rows and columns; row-major matrices are not the transposes as which kernels see them."""
    rows, cols = spec.stored(spec.row.operand(x.name)) if spec.strides.row_major else (x.stored_rows, x.stored_cols)
    return f"{x.name} {rows} x {cols}{' of int32' * (x.kind is Kind.INDEX)} ({x.storage})"


def has_output(program: Program) -> bool:
    """Whether there is anything to write: a report is of what is read, where nothing else is written."""
    return any(all(program.spec.stored(x)) for x in program.row.outputs or program.row.parameters)


def empty_context(
    program: Program, schedule: Schedule, operands: list[OperandText], scratch: Scratch, entry: Signature
) -> dict[str, Any]:
    """What the frame of a kernel without output sees."""
    return {**names(program, schedule, operands, scratch), **entry.context(), "info": program.row.info}


def _locals(program: Program, operands: list[OperandText]) -> Iterator[dict[str, str]]:
    """What the loop over the batch reads once from the argument block."""
    for name in program.spec.unknown:
        yield {"type": "int64_t", "name": name, "value": f"g->{name}"}
    for name in program.row.scalars:
        yield {"type": "bb_scalar", "name": name, "value": f"g->{name}"}
    for x in (x for x in operands if x.handed):
        names = [f"nb{x.letter}"] if x.storage is Layout.IL else []
        if x.strides.leading:
            names = [f"ld{x.letter}"]
        elif x.strides is Strides.RS:
            names = [f"rs{x.letter}", f"cs{x.letter}"]
        yield from ({"type": "int64_t", "name": name, "value": f"g->{name}"} for name in names)


def kernel_context(
    program: Program, schedule: Schedule, operands: list[OperandText], scratch: Scratch, entry: Signature
) -> dict[str, Any]:
    """What the frame of a kernel sees."""
    kinds = "".join(f"const int {name}_is, " for name in program.row.scalars)
    lane = schedule.form in LANES
    partial = lane and schedule.width > 1 and any(not x.gathered for x in operands)
    to_come = fetched(program, schedule, operands)
    ahead = to_come["ahead"]
    flags = ["far"] * bool(ahead and lane) + ["full", "count"] * partial
    texts = body_texts(program, schedule, operands, scratch, flags, [x.name for x in ahead])
    return {
        **names(program, schedule, operands, scratch),
        **_general(program, schedule),
        **_vectors(program, schedule, operands, texts),
        **entry.context(),
        **_flat(program, schedule, operands),
        **_reports(program, schedule, operands),
        "operands": operands,
        "apart": scratch.heap or (partial and scratch.bytes != 0),
        "output": texts[-1].views[-1],
        "bodies": texts,
        "body": texts[0],
        "kinds": variants(program),
        "kinds_parameters": kinds,
        "flags_arguments": "".join(f"{name}, " for name in flags),
        "lanes": lane,
        "partial": partial,
        **ends(schedule, operands, partial=partial, lane=lane),
        **moved(program, operands),
        "lanes_filled": f"(full ? {schedule.width} : count)" if partial else schedule.width,
        "padded": Layout.IL not in program.spec.layouts,
        **staged(program, schedule, operands),
        "gathers": any(x.moved for x in operands),
        **to_come,
        "together": _together(program, schedule, texts[0]),
        "several": SEVERAL,
        "by_distance": bool(ahead and lane and program.by_step),
        "streams": bool(ahead and lane and program.by_step and schedule.nontemporal_bytes),
        "steps": [(_suffix(count), count) for count in sorted({1, _at_once(schedule)}, reverse=True)],
        "locals": list(_locals(program, operands)),
        "segments": partition.segments,
        "remainder": partition.remainder,
        "least": _least,
        "numbers": _numbers,
        "narrow": with_first(_narrow, program.spec.general and partial),
        "butterflies": partition.butterflies,
        "exchanges": partition.exchanges,
    }


def _together(program: Program, schedule: Schedule, body: BodyText) -> str:
    """C text of the matrices that bodies for any size go through together, if not more than SEVERAL."""
    if not program.spec.general or schedule.form in LANES:
        return ""
    if schedule.form == "across":
        return f"{TOGETHER} / {body.size['m']}"
    return f"{NEAR} / ({evaluate(program.spec.costs[1], program.spec.extents)})"


def _general(program: Program, schedule: Schedule) -> dict[str, Any]:
    """What there is to do for a matrix, in C where only run time knows sizes; their names; when there is nothing."""
    sizes = program.spec.unknown
    sides = [dict.fromkeys(map(str, program.spec.stored(x))) for x in program.row.outputs or program.row.parameters]
    empty = [" || ".join(f"{side} == 0" for side in found if not side.isdigit()) for found in sides]
    nothing = " && ".join(f"({some})" for some in empty) if all(empty) else ""
    flops, moved = (evaluate(cost, program.spec.extents) for cost in program.spec.costs)
    given = ", ".join(f"(double){size}" for size in sizes)
    return {
        "unknown": sizes,
        "nothing": (f"({nothing})" if len(empty) > 1 else empty[0]) if nothing else "",
        "flops": flops,
        "bytes": moved,
        "sliced": sliced(program, schedule),
        "pieces": None,
        "shared": SHARED_NS if isinstance(schedule, BlockedSchedule) else 0,
        "nanoseconds": f"bb_cost({given})" if sizes else f"{work(program, schedule):.3g}",
        "task": TASK_NS,
    }


def _reports(program: Program, schedule: Schedule, operands: list[OperandText]) -> dict[str, Any]:
    """What a kernel needs whose bodies do more than multiply and add, or report on each matrix."""
    needs = program.needs
    return {
        "algebra": "algebra" in needs,
        "roots": "root" in needs,
        "squares": "square" in needs,
        "inverts": "reciprocal" in needs,
        "logarithms": "logarithm" in needs,
        "exponentials": "exponential" in needs,
        "minors": "minor" in needs and not program.p.complex,
        "characteristic": characteristic,
        "taylor_coefficients": taylor_coefficients,
        "rotations": "rotation" in needs,
        "tournament": tournament,
        "network": network,
        "scaled": any(body.row.scalars for body in program.bodies),
        "info": program.row.info,
        "reports": any(body.row.info for body in program.bodies),
        "kept": [x for x in operands if x.name in program.preserved],
        "again": [x for x in operands if schedule.form == "hybrid" and x.has_lanes and x.writes],
        "pivots": "pivot" in needs,
        "last_panel": with_first(last_panel, schedule.width, program.p.parts),
        "stored": StoredReal(program.p.compute),
        "permutes": "permutation" in needs,
    }


def _flat(program: Program, schedule: Schedule, operands: list[OperandText]) -> dict[str, Any]:
    """The bodies of a flat kernel, one for each number of matrices at a time: (name's suffix, width, tiles, what
    to prefetch)."""
    if schedule.form != "flat":
        return {"body_widths": [schedule.width]}
    found = [(count, *body) for count, body in flat_schedule.bodies(program, schedule).items()]
    widths = {size for _, _, tiles in found for tile in tiles for out in tile.outputs for _, size in out.pieces}
    return {
        "flats": [
            (_suffix(count), width, tiles, to_prefetch(program, schedule, operands, count))
            for count, width, tiles in found
        ],
        "body_widths": sorted({width for _, width, _ in found}),
        "widths": sorted(widths | {width for _, width, _ in found}),
        "shuffles": True,
    }


def _at_once(schedule: Schedule) -> int:
    """Matrices that a body takes at a time."""
    return schedule.unroll if schedule.form == "columns" else schedule.matrices_per_vector


def _suffix(matrices: int) -> str:
    return f"_{matrices}" if matrices > 1 else ""


def names(program: Program, schedule: Schedule, operands: list[OperandText], scratch: Scratch) -> dict[str, Any]:
    """What the source says of itself, and what it is made for."""
    return {
        "version": __version__,
        "symbol": program.spec.symbol(),
        "formula": program.row.formula,
        "description": describe(program, operands, scratch),
        "schedule": schedule,
        "schedule_text": str(schedule),
        "forgets": isinstance(schedule, GpuSchedule) and schedule.forgets,
        "target": program.target,
        "scratch": scratch,
        "divided": False,
        "apart_sums": False,
        "scalars": program.row.scalars,
        "complex": program.p.complex,
        "parts": program.p.parts,
        "storage": program.p.storage,
        "compute": program.p.compute,
    }


def _least(one: Size, other: Size, less: int = 0) -> Size:
    """The smaller of two sizes, the other one being ``less``."""
    found: Size = evaluate(f"min(one, other - {less})" if less else "min(one, other)", {"one": one, "other": other})
    return found


def _numbers(count: int, backwards: bool) -> range:
    """0 to ``count`` - 1, or backwards."""
    return range(count)[:: -1 if backwards else 1]


def _narrow(partial: bool, size: int) -> str:
    """C text of the columns of a tile, where only run time knows how many there are: one of a partly filled vector,
    whose code so is short; none where it is known."""
    return f"(full ? {size} : 1)" if partial else ""


def _local(width: int, parts: int, rows: int) -> View:
    """Elements of lanes in a body's own memory, columns of ``rows`` together."""
    return View(1, rows, width * parts, width)


def _vectors(
    program: Program, schedule: Schedule, operands: list[OperandText], bodies: list[BodyText]
) -> dict[str, Any]:
    """The widths of vectors that occur, and how they run down a column: ``column_rows`` of one take a quarter of the
    registers, ``panel_rows`` of a panel's columns half of them."""
    pack_widths = sorted({width for x in operands for width, _, _ in x.moves})
    direct = schedule.form == "direct"
    across = schedule.form == "across" and not all(one.beside for one in solve_problems(program))
    packed = across or (direct and direct_problem(program).packed)
    widest = max(pack_widths, default=schedule.width if packed else 0)
    bits, parts = schedule.width * program.p.compute.bytes * 8, program.p.parts
    quarter = 8 if bits == 512 else 4
    halved = has_halves(schedule.width, program.p.compute.bytes) and widest >= schedule.width // 2
    own: dict[str, Any] = {}
    if direct or schedule.form in SOLVERS:
        own = (_direct if direct else _solvers)(program, schedule, bodies, halved)
    if isinstance(schedule, BlockedSchedule):
        own = blocked_context(program, bodies[0], schedule)
    if schedule.form == "streamed":
        own = streamed_context(bodies[0], schedule, parts, program.p.compute, program.row)
    passes = {one.width for one in own.get("passes", ())}
    return {
        "units": UNITS.get(schedule.form, "").format_map(bodies[0].size),
        "sections": 0,
        "alone": "",
        "width": schedule.width,
        "abreast": schedule.abreast,
        "all_lanes": schedule.all_lanes,
        "widths": sorted({schedule.width, *pack_widths, *passes, *([schedule.width // 2] if halved else [])}),
        "bits": bits,
        "lane_numbers": range(schedule.width),
        "column_rows": max(1, quarter // parts),
        "panel_rows": max(1, quarter // 2 // parts),
        "halved": halved,
        "halves": halves_of(schedule.width, program.p.compute.bytes),
        "streamed": [x for x in operands if x.past],
        "packings": packings(operands, schedule.width, halved=halved),
        "straight": STRAIGHT,
        "shuffles": direct or schedule.form in SOLVERS or any(w > 1 for w in pack_widths) or bool(program.preserved),
        "scatters": bits == 512,
        "local": with_first(_local, schedule.width, parts),
        "turned": with_first(turned, halved and bits == 512 and program.p.compute.bytes == 8 and parts == 1),
        "solver": schedule.form in SOLVERS,
        **own,
        "blocks": {body.name: Hybrid(body, schedule, bits // 8) for body in bodies if schedule.form == "hybrid"},
    }


def _solvers(program: Program, schedule: Schedule, bodies: list[BodyText], halved: bool) -> dict[str, Any]:
    """What solvers without lanes do, by body."""
    if schedule.form == "columns":
        return {"solves": {body.name: ColumnsText(body, schedule) for body in bodies}}
    if program.spec.general:
        found = {body.name: AnyAcross(body, schedule, halved) for body in bodies}
        return {"solves": found, "passes": found[bodies[0].name].passes}
    known = {body.name: Across(body, schedule, halved) for body in bodies}
    return {"solves": known, "pieces": pieces_of_solve(program, known[bodies[0].name].groups)}


def _direct(program: Program, schedule: Schedule, bodies: list[BodyText], halved: bool) -> dict[str, Any]:
    """What a direct body does."""
    line = LINE // program.p.compute.bytes if program.spec.general else 0
    found = Direct(bodies[0], schedule, program.p.parts, halved, line)
    passes = FORMS[program.bodies[0].row.canonical_form](found)
    any_product = found.line > 0 and program.bodies[0].row.canonical_form == ""
    return {
        "pieces": pieces_of_product(program, passes),
        "passes": passes,
        "panel": found.panel,
        "strip": strip(found, program.p.itemsize) if any_product else "",
        "strip_given": {str(bodies[0].size["n"]): "across"} if any_product else {},
        "mirrors": found.mirrors if any(rows.mirrors for rows in passes[0].rows) else (),
    }
