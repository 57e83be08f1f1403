"""How a kernel will be made: pure functions from a spec and the machine's vectors to a Schedule.

The cost model counts issue slots of a core with two vector FMA units and two load ports, four cycles of FMA latency.
It never sees the batch count, so one matrix gets the same arithmetic whatever its company.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from math import gcd
from typing import Any

from ..ir.operation import Operand
from ..ir.partition import moved
from ..ir.program import Program
from ..ir.sizes import evaluate
from ..ir.targets import SCRATCH, Isa
from ..ir.terms import Layout, Strides, Trans
from ..ir.views import View
from . import blocked, flat, gpu, hybrid, recursive, streamed
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
from .solve import across, columns, lane_cycles, solvable, solves
from .solve import any_tile as any_across

PANEL = 64 * 1024
"""Bytes of a packed panel in a direct body of complex arithmetic; a part of SCRATCH."""
AHEAD = 6 * 1024
"""Bytes of operands to be ahead of the arithmetic with prefetches: the time a memory takes to answer, at the speed of
one core's share of it. The hardware's own prefetchers see each of several short streams too late."""
NONTEMPORAL = 128 << 20
"""Bytes of a batch beyond about half of a large level-3 cache: what is written will not be there when it is read."""
FILLED = 24 << 20
"""Bytes of a batch that fill a level-3 cache: of results of matrices by themselves half is not there then. With
twice as many, results are memory that is new to the process, and the system's zeros are in caches, as stores want."""
LEAST_AHEAD = 300
"""Bytes of operands of a matrix in a block from which the hardware's prefetchers are lost in it."""
LEAST_BY_POINTER = 150
"""Bytes of operands of a matrix that are worth three more pointers to fetch."""
MOST_AHEAD = 32
"""Matrices to be ahead at most."""
TOO_LARGE = 512 * 1024
"""Bytes of operands of which the next would drive these out of the level-2 cache."""
MOST_IN_TILE = 32
"""Rows or columns of a tile at most: as many as there are registers."""
MAX_FLAT = 256
"""Multiply-adds of a flat body, which has no loops."""
LARGE: dict[str, Any] = {"blocked": blocked, "recursive": recursive, "streamed": streamed}
"""The forms that are for any size alone, and the modules that know them."""
TASK_NS = 6000
"""Work worth handing to one more thread, in nanoseconds: a fork and join costs about half of it."""


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
    numbers = plan.numbers()
    least = {"prefetch": 0, "nontemporal_bytes": 0, "kc": 0}
    parts, width = program.p.parts, plan.width
    problem = next((n for n, v in numbers.items() if type(v) is not int or v < least.get(n, 1)), None)
    if problem is None and (width & (width - 1) or width * program.p.compute.bytes > isa.simd_bytes):
        problem = "width"
    strided = all(layout is Layout.ST for layout in program.spec.layouts) and program.spec.strides is Strides.PACKED
    if problem is None and plan.matrices_per_vector > 1 and not (plan.form == "flat" and strided):
        problem = "matrices_per_vector"
    if problem is None and max(plan.rows, plan.cols) > MOST_IN_TILE:
        problem = "rows" if plan.rows > MOST_IN_TILE else "cols"
    if problem is None and plan.form == "lane":
        if (width > 1 and not affordable(program, width)) or (program.spec.nb and program.spec.nb % width):
            problem = "width"
        elif plan.abreast > 1 and vectors_abreast(program, width) == 1:
            problem = "abreast"
        elif (plan.prefetch and not _ahead_in_vectors(program, width)) or (
            plan.nontemporal_bytes and not plan.prefetch
        ):
            problem = "prefetch" if plan.prefetch else "nontemporal_bytes"
    elif problem is None and plan.form == "direct":
        found = direct_problem(program)
        if not _panel_fits(program, found, plan):
            problem = "kc"
        elif plan.prefetch and not (program.by_step or program.contiguous):
            problem = "prefetch"
        elif width > found.reals or width < parts or not found.allows(width, plan.rows, plan.cols):
            problem = "rows"
    elif problem is None and plan.form == "flat" and plan.matrices_per_vector > max(1, MAX_FLAT // _products(program)):
        problem = "matrices_per_vector"
    elif problem is None and plan.form == "flat":
        flat_bodies(program, plan)
    elif problem is None and plan.form == "hybrid":
        problem = None if hybrid.possible(program, width, plan.rows, plan.cols) else "rows"
    elif problem is None and not solvable(program, plan.form, width, plan.rows, plan.cols):
        problem = "rows"
    if problem is not None:
        raise ValueError(f"{problem} = {getattr(plan, problem)!r} is not available for {program.spec.symbol()}: {plan}")


def alternatives(program: Program, isa: Isa, width: object = None) -> Iterator[tuple[float, Schedule]]:
    """The best schedule of each form, with its cycles per matrix; flat ones of ``width`` where that is given."""
    if program.spec.general or not program.target.simd:
        yield 0.0, choose(program, isa)
        return
    lane = _lane(program, isa)
    if solves(program):
        yield lane_cycles(program, lane.width, scratch_bytes(program, lane.width)), lane
        ahead, grain = _matrices_ahead(program) if program.contiguous else 0, program.p.default_nb
        for cycles, form, tile, unroll in (*across(program, isa), *columns(program, isa)):
            yield cycles, Schedule(form, *tile, unroll, 1, ahead, grain, _break_even(program))
        return
    if hybrid.factors(program):
        yield hybrid.lane_cycles(program, lane.width, scratch_bytes(program, lane.width)), lane
        for cycles, (w, rows, cols), unroll in hybrid.tiles(program, isa):
            yield cycles, replace(lane, form="hybrid", width=w, rows=rows, cols=cols, unroll=unroll)
        return
    if not _direct_allowed(program) or isa.simd_bytes < program.p.itemsize:
        yield 0.0, _lane(program, isa, alone=True)
        return
    yield _lane_cycles(program, lane), lane
    found = direct_problem(program)
    cycles, direct = _direct(program, found, isa)
    if _panel_fits(program, found, direct):
        yield cycles, direct
    if "flat" in program.row.algorithms:
        yield from _flat(program, isa, width)


def _direct_allowed(program: Program) -> bool:
    """Whether matrices lie by themselves; with strides in both directions only GEMM takes them one by one."""
    possible = program.separate and "direct" in program.target.forms and "direct" in program.row.algorithms
    return possible and (program.spec.strides is not Strides.RS or not program.row.canonical_form)


def _panel_fits(program: Program, found: DirectProblem, plan: Schedule) -> bool:
    """Whether a direct kernel's packed panel fits into the scratch, that of all steps of k but for GEMM."""
    panel = plan.kc * plan.rows * plan.width * program.p.compute.bytes
    if program.by_step:
        return panel <= SCRATCH
    return plan.kc == max(1, found.k) and (panel <= SCRATCH or not found.packed)


def _tiles(program: Program, plan: Schedule, isa: Isa) -> tuple[RegisterTile, ...]:
    """The tiles of the bodies of a lane kernel: that of the schedule, or, where there are several, the model's."""
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
    ahead = _vectors_ahead(program, width)
    nontemporal = NONTEMPORAL if ahead and program.by_step and width * program.p.compute.bytes == 64 else 0
    if ahead and abreast == 1 and stored_past(program, width):
        nontemporal = FILLED
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
        min_batch_per_thread=_break_even(program),
        nontemporal_bytes=nontemporal,
        abreast=abreast,
    )


def _vectors_ahead(program: Program, width: int) -> int:
    """How many matrices ahead a lane kernel prefetches."""
    unit = program.spec.nb if all(layout.blocked for layout in program.spec.layouts) else width
    if not _ahead_in_vectors(program, width) or program.spec.bytes * unit >= TOO_LARGE:
        return 0
    if program.by_step:
        return unit if program.spec.bytes >= LEAST_AHEAD else 0
    return unit * -(-AHEAD // max(1, program.spec.bytes * unit))


def _ahead_in_vectors(program: Program, width: int) -> bool:
    """Whether a lane kernel can prefetch: blocks follow one another, and a row of one is a cache line or two; or all
    operands are matrices whose columns, or rows, have no gaps."""
    if width == 1 or program.row.prefetches == "never":
        return False
    if any(layout.interleaved for layout in program.spec.layouts):
        blocks = (
            all(layout.blocked for layout in program.spec.layouts)
            and 64 <= program.spec.nb * program.p.compute.bytes <= 128
        )
        return blocks and not (program.by_step and any(layout.triangle for layout in program.spec.layouts))
    return not program.by_step and program.spec.strides is not Strides.RS


def _direct(program: Program, found: DirectProblem, isa: Isa) -> tuple[float, Schedule]:
    """The direct schedule with its cycles per matrix."""
    p = program.p
    cycles, width, rows, cols = choose_tile(found, isa, p.compute.bytes)
    k = found.k
    kc = k
    if program.by_step:  # only GEMM comes back to C
        kc = min(k, PANEL // (rows * width * p.compute.bytes)) if p.complex else real_panel(k)
    unroll = max(1, min(k, isa.unrolled[1] // (rows * cols * p.parts), 4 if p.complex else k))  # as in lane bodies
    ahead = _matrices_ahead(program) if (kc == max(1, k) if program.by_step else program.contiguous) else 0
    plan = Schedule("direct", width, rows, cols, unroll, max(1, kc), ahead, p.default_nb, _break_even(program))
    strided = program.spec.strides is Strides.RS
    return cycles + (2.0 * (program.spec.size["m"] * (k + found.n)) * p.parts if strided else 0), plan


def _matrices_ahead(program: Program) -> int:
    """Matrices to prefetch ahead; none where finding them, by their pointers, costs more than it saves."""
    if program.spec.bytes >= TOO_LARGE or (Layout.PP in program.spec.layouts and program.spec.bytes < LEAST_BY_POINTER):
        return 0
    return min(MOST_AHEAD, -(-AHEAD // max(1, program.spec.bytes)))


def _lane_cycles(program: Program, lane: Schedule) -> float:
    """Cycles per matrix of a lane kernel: arithmetic, and moving everything through scratch."""
    size, p = program.spec.extents, program.p
    moving = 0.0
    for x in program.row.matrices:
        reals = evaluate(x.rows, size) * evaluate(x.cols, size) * p.parts_of(x.kind)
        pieces = moved(reals, lane.width, halves=has_halves(lane.width, p.compute.bytes))
        moving += reals if program.spec.strides is Strides.RS else pieces * 0.4 + reals * 2 / lane.width
    return (program.spec.flops / 4 / lane.width + moving) * (
        1.2 if program.row.canonical_form else 1
    )  # triangles have more loops


def _products(program: Program) -> int:
    """Multiply-adds of vectors in a flat body of one matrix."""
    return int(program.spec.size["n"] * program.spec.size["k"] * program.p.parts)


def _flat(program: Program, isa: Isa, width: object) -> Iterator[tuple[float, Schedule]]:
    """Flat schedules with their cycles per matrix: of all widths, with one matrix in a vector, or several."""
    size, p = program.spec.size, program.p
    reals, products = size["m"] * size["n"] * p.parts, _products(program)
    if not 0 < reals * products <= reals * MAX_FLAT or program.spec.strides is not Strides.PACKED:
        return
    widths = [w for w in (2, 4, 8, 16) if max(2, p.parts) <= w <= isa.simd_bytes // p.compute.bytes]
    for w in widths if width is None else [w for w in widths if w == width]:
        several = w // gcd(reals, w)
        whole = all(layout is Layout.ST for layout in program.spec.layouts) and several * products <= MAX_FLAT
        for matrices in {1, several} if whole else {1}:
            k, ahead = size["k"], _matrices_ahead(program)
            vectors = flat.Shape(**size, parts=p.parts, width=w, matrices=matrices).vectors
            cols = -(-vectors // -(-vectors * p.parts // (isa.registers * 9 // 32)))
            plan = Schedule("flat", w, 1, cols, k, k, ahead, p.default_nb, _break_even(program), matrices)
            with suppress(ValueError):
                reals_in_vector, tiles = flat_bodies(program, plan)[matrices]
                work = flat.work(reals_in_vector, tiles)
                if work.masks + p.parts * max(len(tile.outputs) for tile in tiles) <= isa.registers - 8:
                    yield flat.cycles(work, reals_in_vector, p.compute.bytes) / matrices, plan


def flat_bodies(program: Program, schedule: Schedule) -> dict[int, tuple[int, tuple[flat.Tile, ...]]]:
    """The bodies of a flat kernel by the number of matrices they take at a time: their width and tiles.

    Where several matrices are taken there is one more body for the last few. Raises ValueError where there is none.
    """
    shape = {**program.spec.size, "parts": program.p.parts}
    flags = program.spec.flag.values()
    a, b = (_packed(program, x, letter) for x, letter in zip(program.row.matrices[:2], flags, strict=True))
    found = {}
    for matrices in sorted({1, schedule.matrices_per_vector}, reverse=True):
        width = schedule.width
        while matrices not in found:
            try:
                tile = schedule.cols if matrices == 1 else 1
                found[matrices] = width, flat.tiles(flat.Shape(**shape, width=width, matrices=matrices), a, b, tile)
            except flat.Impossible as error:
                width //= 2
                if matrices == schedule.matrices_per_vector or width < max(2, program.p.parts):
                    wanted = f"width = {schedule.width}, matrices_per_vector = {schedule.matrices_per_vector}"
                    symbol = program.spec.symbol()
                    raise ValueError(f"form = 'flat' with {wanted} is not available for {symbol}") from error
    return found


def _packed(program: Program, x: Operand, letter: Trans) -> View:
    """op(X) of a matrix without gaps."""
    rows, cols = program.spec.size[x.rows], program.spec.size[x.cols]
    return View(cols, 1, program.p.parts) if letter.transposes else View(1, rows, program.p.parts)


def _grain(program: Program, width: int) -> int:
    """Threads split a batch at block boundaries, the same for every kernel that touches the same data."""
    return program.spec.nb if program.spec.nb else max(width, program.p.default_nb)


def _nanoseconds(program: Program) -> float:
    """Of a matrix, about: at 16 bytes or 32 flops in each, whichever takes longer."""
    return max(program.spec.flops / 32, program.spec.bytes / 16, 1.0)


def _break_even(program: Program) -> int:
    """Matrices that make TASK_NS of work."""
    return max(1, round(TASK_NS / _nanoseconds(program)))


def work(program: Program, schedule: Schedule) -> float:
    """Nanoseconds of a matrix, by what the schedule has; of one that is worth more than a thread, what it takes."""
    least = schedule.min_batch_per_thread
    return TASK_NS / least if least > 1 else _nanoseconds(program)
