"""How a kernel will be made: pure functions from a spec and the machine's vectors to a Schedule.

The cost model counts issue slots of a core with two vector FMA units and two load ports, four cycles of FMA latency.
It never sees the batch count, so one matrix gets the same arithmetic whatever its company.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ..ir.partition import moved
from ..ir.program import Program
from ..ir.sizes import evaluate
from ..ir.targets import SCRATCH, Isa
from ..ir.terms import Layout, Strides
from . import blocked, flat_schedule, gpu, hybrid, prefetch, recursive, streamed
from .direct import DirectProblem, any_forms, any_tile, choose_tile, direct_problem
from .lane import (
    GENERAL,
    KC,
    RegisterTile,
    affordable,
    has_halves,
    in_rows,
    lane_width,
    panel_steps,
    real_panel,
    register_tile,
    scratch_bytes,
    stored_past,
    strip,
    vectors_abreast,
)
from .schedule import Schedule
from .solve import SOLVERS, across, columns, lane_cycles, solvable, solves
from .solve import any_tile as any_across
from .work import break_even

PANEL = 64 * 1024
"""Bytes of a packed panel in a direct body of complex arithmetic; a part of SCRATCH."""
MOST_IN_TILE = 32
"""Rows or columns of a tile at most: as many as there are registers."""
LARGE: dict[str, Any] = {"blocked": blocked, "recursive": recursive, "streamed": streamed}
"""The forms that are for any size alone, and the modules that know them."""


def choose(program: Program, isa: Isa, **overrides: object) -> Schedule:
    """The schedule of ``program`` on a machine with vectors of ``isa.simd_bytes``; ``overrides`` replace fields of it.

    Raises ValueError where the overrides ask for what it cannot have.
    """
    if not program.target.simd:
        return gpu.choose(program, "", **overrides)
    if program.spec.general:
        return _general(program, isa, overrides)
    form = overrides.get("form")
    if (needed := scratch_bytes(program, 1)) > SCRATCH:
        raise ValueError(f"{program.spec.symbol()} has intermediates of {needed} bytes: expected {SCRATCH} at most")
    found = list(alternatives(program, isa, overrides.get("width")))
    if "form" in overrides:
        found = [plan for plan in found if plan[1].form == form]
    if not found:
        raise ValueError(f"form = {form!r} is not available for {program.spec.symbol()}")
    best = min(found, key=lambda plan: plan[0])[1]
    if overrides.get("prefetch") == 0:  # there are no non-temporal stores without
        best = replace(best, nontemporal_bytes=0)
    best = replace(best, **overrides)  # type: ignore[arg-type]
    _check(program, best, isa)
    return replace(best, tiles=_tiles(program, best, isa))


def _general(program: Program, isa: Isa, overrides: dict[str, object]) -> Schedule:
    """The schedule for any size: that of a middling matrix, as wide as that of a small one, without prefetches."""
    own = LARGE.get(str(overrides.get("form")))
    if own and own.possible(program):
        chosen: Schedule = own.choose(program, isa, overrides)
        return chosen
    model, width = Program.of(program.spec.at(GENERAL)), lane_width(Program.of(program.spec.at(1)), isa)
    forms = {plan.form: cycles for cycles, plan in alternatives(model, isa) if plan.form in any_forms(program)}
    form = overrides.get("form", min(forms, key=forms.__getitem__))
    if form not in forms:
        raise ValueError(f"form = {form!r} is not available for {program.spec.symbol()}")
    panel = KC if not program.p.complex or blocked.possible(program) else panel_steps(model, GENERAL, width)
    known: dict[str, object] = {
        "form": form,
        "unroll": 1,
        "kc": panel,
        "prefetch": 0,
        "nontemporal_bytes": 0,
        "abreast": 1,
    }
    wide = {"lane": {"width": width}, "direct": any_tile(program, isa), "across": any_across(program, isa)}[form]
    found = replace(choose(model, isa, **(known | overrides)), **(wide | overrides))  # type: ignore[arg-type]
    tiles = (replace(tile, strip=body.size.get("m", 1)) for tile, body in zip(found.tiles, program.bodies, strict=True))
    return replace(found, tiles=tuple(tiles), large=None if overrides else blocked.beside(program, isa))


def variations(program: Program, isa: Isa) -> list[Schedule]:
    """Schedules worth measuring for ``program``, the model's first: every form and width, then other tiles, more and
    less prefetching."""
    plans = [plan for _, plan in sorted(alternatives(program, isa), key=lambda found: found[0])]
    found = dict.fromkeys(plans)
    for plan in plans:
        shifts = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (2, -2), (-2, 2)) if plan.form != "flat" else ((0, 0),)
        for rows, cols in [(plan.rows + r, plan.cols + c) for r, c in shifts]:
            for ahead in (plan.prefetch, 0, 2 * plan.prefetch):
                other = replace(
                    plan, rows=rows, cols=cols, prefetch=ahead, nontemporal_bytes=plan.nontemporal_bytes if ahead else 0
                )
                with suppress(ValueError):
                    _check(program, other, isa)
                    if rows * (cols + 1) * program.p.parts < isa.registers:
                        found[other] = None
    return list(found)


def _check(program: Program, plan: Schedule, isa: Isa) -> None:
    """Raise ValueError where ``plan`` cannot be."""
    own = UNAVAILABLE.get(plan.form, _unavailable_solver)
    problem = _unavailable(program, plan, isa) or own(program.in_form(plan.form), plan)
    if problem is not None:
        raise ValueError(f"{problem} = {getattr(plan, problem)!r} is not available for {program.spec.symbol()}: {plan}")


def _unavailable(program: Program, plan: Schedule, isa: Isa) -> str | None:
    """The field of ``plan`` that no form can have."""
    least, width = {"prefetch": 0, "nontemporal_bytes": 0, "kc": 0}, plan.width
    for name, value in plan.numbers().items():
        if type(value) is not int or value < least.get(name, 1):
            return name
    if width & (width - 1) or width * program.p.compute.bytes > isa.simd_bytes:
        return "width"
    strided = all(layout is Layout.ST for layout in program.spec.layouts) and program.spec.strides is Strides.PACKED
    if plan.matrices_per_vector > 1 and not (plan.form == "flat" and strided):
        return "matrices_per_vector"
    if max(plan.rows, plan.cols) > MOST_IN_TILE:
        return "rows" if plan.rows > MOST_IN_TILE else "cols"
    return None


def _unavailable_lane(program: Program, plan: Schedule) -> str | None:
    width = plan.width
    if (width > 1 and not affordable(program, width)) or (program.spec.nb and program.spec.nb % width):
        return "width"
    if plan.abreast > 1 and vectors_abreast(program, width) == 1:
        return "abreast"
    if plan.prefetch and not prefetch.in_vectors(program, width):
        return "prefetch"
    return "nontemporal_bytes" if plan.nontemporal_bytes and not plan.prefetch else None


def _unavailable_direct(program: Program, plan: Schedule) -> str | None:
    found, width = direct_problem(program), plan.width
    if not _panel_fits(program, found, plan):
        return "kc"
    if plan.prefetch and not (program.by_step or program.contiguous):
        return "prefetch"
    fits = program.p.parts <= width <= found.reals and found.allows(width, plan.rows, plan.cols)
    return None if fits else "rows"


def _unavailable_flat(program: Program, plan: Schedule) -> str | None:
    if plan.matrices_per_vector > max(1, flat_schedule.MAX_FLAT // flat_schedule.vector_products(program)):
        return "matrices_per_vector"
    flat_schedule.bodies(program, plan)
    return None


def _unavailable_hybrid(program: Program, plan: Schedule) -> str | None:
    return None if hybrid.possible(program, plan.width, plan.rows, plan.cols) else "rows"


def _unavailable_solver(program: Program, plan: Schedule) -> str | None:
    return None if solvable(program, plan.form, plan.width, plan.rows, plan.cols) else "rows"


UNAVAILABLE: dict[str, Callable[[Program, Schedule], str | None]] = {
    "lane": _unavailable_lane,
    "direct": _unavailable_direct,
    "flat": _unavailable_flat,
    "hybrid": _unavailable_hybrid,
}
"""What finds the field that a schedule of a form cannot have; of all other forms it is what solvers ask."""


def alternatives(program: Program, isa: Isa, width: object = None) -> Iterator[tuple[float, Schedule]]:
    """The best schedule of each form, with its cycles per matrix; flat ones of ``width`` where that is given."""
    if program.spec.general or not program.target.simd:
        yield 0.0, choose(program, isa)
        return
    lane = _lane(program, isa)
    solver = program.in_form(SOLVERS[0])
    if solves(solver):
        yield lane_cycles(solver, lane.width, scratch_bytes(program, lane.width)), lane
        ahead, grain = prefetch.matrices_ahead(program) if program.contiguous else 0, program.p.default_nb
        for cycles, form, tile, unroll in (*across(solver, isa), *columns(solver, isa)):
            yield cycles, Schedule(form, *tile, unroll, 1, ahead, grain, break_even(program))
        return
    if hybrid.factors(program):
        yield hybrid.lane_cycles(program, lane.width, scratch_bytes(program, lane.width)), lane
        for cycles, (w, rows, cols), unroll in hybrid.tiles(program, isa):
            yield (
                cycles,
                replace(lane, form="hybrid", width=w, rows=rows, cols=cols, unroll=unroll, nontemporal_bytes=0),
            )
        return
    one = program.in_form("direct")
    if not _direct_allowed(one) or isa.simd_bytes < program.p.itemsize:
        yield 0.0, _lane(program, isa, alone=True)
        return
    yield _lane_cycles(program, lane), lane
    found = direct_problem(one)
    cycles, direct = _direct(program, found, isa)
    if _panel_fits(program, found, direct):
        yield cycles, direct
    if "flat" in program.row.algorithms:
        yield from flat_schedule.alternatives(program, isa, width)


def _direct_allowed(program: Program) -> bool:
    """Whether matrices lie by themselves; with strides in both directions only GEMM takes them one by one."""
    possible = program.separate and "direct" in program.target.forms and "direct" in program.row.algorithms
    return possible and (program.spec.strides is not Strides.RS or not program.bodies[0].row.canonical_form)


def _panel_fits(program: Program, found: DirectProblem, plan: Schedule) -> bool:
    """Whether a direct kernel's packed panel fits into the scratch, that of all steps of k but for GEMM."""
    panel = plan.kc * plan.rows * plan.width * program.p.compute.bytes
    if program.by_step:
        return panel <= SCRATCH
    return plan.kc == max(1, found.k) and (panel <= SCRATCH or not found.packed)


def _tiles(program: Program, plan: Schedule, isa: Isa) -> tuple[RegisterTile, ...]:
    """The tiles of the bodies of a lane kernel: that of the schedule, or, where there are several, the model's."""
    program = program.in_form(plan.form)
    if plan.form == "hybrid":
        return (RegisterTile(hybrid.LANE_TILE, hybrid.LANE_TILE, 1, plan.kc),)
    if len(program.bodies) == 1:
        rows = strip(program, program.bodies[0], plan.rows, plan.kc, plan.width)
        apart = isa.apart and (plan.form != "lane" or in_rows(program.bodies[0], program.p.parts, isa))
        return (RegisterTile(plan.rows, plan.cols, plan.unroll, plan.kc, rows, apart),)
    return tuple(register_tile(program, body, isa, plan.width) for body in program.bodies)


def _lane(program: Program, isa: Isa, *, alone: bool = False) -> Schedule:
    width = lane_width(program, isa, alone=alone)
    abreast = vectors_abreast(program, width)
    ahead = prefetch.vectors_ahead(program, width)
    nontemporal = prefetch.NONTEMPORAL if ahead and program.by_step and width * program.p.compute.bytes == 64 else 0
    if ahead and abreast == 1 and stored_past(program, width):
        nontemporal = prefetch.FILLED
    tile = register_tile(program, program.bodies[0], isa, isa.simd_bytes // program.p.compute.bytes)
    return Schedule(
        "lane",
        width,
        tile.rows,
        tile.cols,
        tile.unroll,
        tile.kc,
        prefetch=ahead * abreast,
        grain=_grain(program, width * abreast),
        min_batch_per_thread=break_even(program),
        nontemporal_bytes=nontemporal,
        abreast=abreast,
    )


def _direct(program: Program, found: DirectProblem, isa: Isa) -> tuple[float, Schedule]:
    """The direct schedule with its cycles per matrix."""
    p = program.p
    cycles, width, rows, cols = choose_tile(found, isa, p.compute.bytes)
    k = found.k
    kc = k
    if program.by_step:  # only GEMM comes back to C
        kc = min(k, PANEL // (rows * width * p.compute.bytes)) if p.complex else real_panel(k)
    unroll = max(1, min(k, isa.unrolled[1] // (rows * cols * p.parts), 4 if p.complex else k))  # as in lane bodies
    ahead = prefetch.matrices_ahead(program) if (kc == max(1, k) if program.by_step else program.contiguous) else 0
    plan = Schedule("direct", width, rows, cols, unroll, max(1, kc), ahead, p.default_nb, break_even(program))
    strided = program.spec.strides is Strides.RS
    return cycles + (2.0 * (program.spec.size["m"] * (k + found.n)) * p.parts if strided else 0), plan


def _lane_cycles(program: Program, lane: Schedule) -> float:
    """Cycles per matrix of a lane kernel: arithmetic, and moving everything through scratch."""
    size, p = program.spec.extents, program.p
    moving = 0.0
    landed = set(program.landings.values())
    for x in (x for x in program.row.matrices if x.name not in landed):
        reals = evaluate(x.rows, size) * evaluate(x.cols, size) * p.parts_of(x.kind)
        pieces = moved(reals, lane.width, halves=has_halves(lane.width, p.compute.bytes))
        moving += reals if program.spec.strides is Strides.RS else pieces * 0.4 + reals * 2 / lane.width
    return (program.spec.flops / 4 / lane.width + moving) * (
        1.2 if program.bodies[-1].row.canonical_form else 1
    )  # triangles have more loops


def _grain(program: Program, width: int) -> int:
    """Threads split a batch at block boundaries, the same for every kernel that touches the same data."""
    return program.spec.nb if program.spec.nb else max(width, program.p.default_nb)
