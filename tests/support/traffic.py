"""What kernels of all operations move on a GPU, counted in the emulation, over what they have to.

``PYTHONPATH=tests python -m support.traffic cuda-traffic.json`` traces those of all operations and of their variants,
half an hour for each size; rows of the file stay that have the texts of now. Sizes behind the file are traced alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import bblas_gen as bb
from bblas_gen.bench.gpu.contest import family_of
from bblas_gen.bench.notes import plain
from bblas_gen.bench.result import as_json, report
from bblas_gen.codegen.operands import operands_of
from bblas_gen.codegen.render import Source, render
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.operation import Operation
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.terms import Role
from bblas_gen.ir.variants import FILLS, VARIANTS, variant
from bblas_gen.runtime.call import by_user_names
from bblas_gen.schedule import gpu
from bblas_gen.schedule.shared import MULTIPROCESSOR, team_bytes

from . import emulator
from .again import AGAIN
from .cases import TRIED, Case, complexes, dtypes, letters, run
from .emulated_calls import Compiled, Emulated
from .emulator import Device
from .kernels import exchanged

SIZES, LAYOUTS = (4, 8, 16, 32), ("bi", "il", "st", "pp")
ARCH = "sm_80"
"""What has no room in all GPUs, but here, is done as here."""
WARPS = 16
"""Those of a multiprocessor whose threads have whole matrices in registers, about; fewer where shared memory has room
for fewer teams. It does twice as much as they have at a time."""
MOST = 1.05
"""What may move, over what has to."""


class _Last(Emulated):
    """The function of a kernel for any scalars alone: to compile all of them takes most of the time."""

    def compiled(self, spec: KernelSpec) -> Compiled:
        program = Program.of(replace(spec, target="cuda"))
        schedule, source = _source(program)
        names = [one.name for one in source.functions]
        return source, operands_of(program, schedule), emulator.compile(source.text, names, sanitize="checks")


def _source(program: Program) -> tuple[gpu.GpuSchedule, Source]:
    schedule = gpu.choose(program, ARCH)
    last = render(program, schedule).functions[-1]
    return schedule, replace(render(program, schedule, last.name), functions=(last,))


class Traced(NamedTuple):
    """A kernel for matrices of order n, of an operation, or of a variant."""

    row: Operation
    dtype: str
    n: int
    layout: str

    @property
    def spec(self) -> KernelSpec:
        flags = {flag: letters(self.row, flag)[0] for flag in self.row.flags}
        sizes = {name: 2 if name == "nrhs" else self.n for name in self.row.sizes}
        return KernelSpec.make(self.row.name, self.dtype, self.layout, target="cuda", **sizes, **flags)

    @property
    def schedule(self) -> gpu.GpuSchedule:
        return gpu.choose(Program.of(self.spec), ARCH)

    @property
    def text(self) -> str:
        """A hash of what is traced, but for names, comments and spaces."""
        _, source = _source(Program.of(self.spec))
        return sha256(plain(source.text, source.symbol).encode()).hexdigest()[:16]

    @property
    def where(self) -> tuple[str, str, int, str]:
        return self.row.name, self.dtype, self.n, self.layout


def cases() -> list[Traced]:
    """Operations in double precision, or in the first that there is, in all layouts and sizes; in the others, and
    variants, for threads alone and for teams, layouts taking turns."""
    found = []
    for i, row in enumerate(TRIED):
        first, *others = sorted(dtypes(row), key=lambda x: x != "float64")
        found += [Traced(row, first, n, layout) for n, layout in product(SIZES, LAYOUTS)]
        for j, dtype in enumerate(others):
            found += [Traced(row, dtype, n, LAYOUTS[(i + j + k) % 4]) for k, n in _some(i + j)]
    for i, row in enumerate(row for row in VARIANTS.values() if not row.name.endswith("w")):
        first = sorted(dtypes(OPS[str(row.variant_of)]), key=lambda x: x != "float64")[0]
        found += [Traced(row, first, n, LAYOUTS[(i + k) % 4]) for k, n in _some(i)]
        found.append(Traced(row, first, 8, "bi"))
    return list(dict.fromkeys(found))


def _some(turn: int) -> list[tuple[int, int]]:
    """Sizes with their numbers, of the last two the one whose turn it is."""
    return [*enumerate(SIZES[:2]), (2 + turn % 2, SIZES[2 + turn % 2])]


def traced(wanted: Traced) -> dict[str, Any]:
    """Bytes of a batch: those that warps ask caches for, those that move beyond them, and those that have to, in whole
    sectors."""
    spec, row = wanted.spec, OPS[wanted.row.variant_of or wanted.row.name]
    schedule = wanted.schedule
    warps = _resident(spec, schedule)
    batch = 2 * warps * gpu.WARP // schedule.lanes
    scalars = complexes(row, wanted.dtype, (0.75, -1.5)[: len(row.scalars)])
    choice = _Last("checks", trace=Device(resident_warps=warps))
    flags = {flag: str(value) for flag, value in spec.flag.items()}
    case = Case(row.name, wanted.dtype, dict(spec.size), batch, flags, scalars, (wanted.layout,))
    with patch("bblas_gen.runtime.call.enlarged", lambda found: found):  # by the kernel for the size, however large
        if wanted.row is row:
            run(case, case.make(), choice=choice)
        else:
            _run_variant(case, wanted.row, choice)
    found = choice.traffic
    named = zip(("op", "dtype", "n", "layout"), wanted.where, strict=True)
    moved = {"asked": found.asked_bytes, "moved": found.moved_bytes, "needed": found.needed_bytes}
    return {**dict(named), "family": family_of(schedule), **moved, "text": wanted.text}


def _run_variant(case: Case, row: Operation, choice: _Last) -> None:
    """What a user calls it by; what it gives back is made."""
    given = case.place(case.make())
    operands = by_user_names(case.row, (given[x.name].operand for x in case.row.parameters))
    made = {x.name.lower() for x in case.row.parameters if x.role is Role.OUT}
    asked = {**case.flags, **case.scalars, **options(row), **({"check": "ignore"} if case.row.info else {})}
    with exchanged(choice):
        plan = bb.plan(case.op, **{x: y for x, y in operands.items() if x not in made}, **asked)
    plan()


def options(row: Operation) -> dict[str, bool]:
    """The arguments that ask for a variant."""
    op = OPS[str(row.variant_of)]
    fill = FILLS[op.other_triangle].argument if op.other_triangle else ""
    for keeps, fills, refines in product((False, True), repeat=3):
        if variant(op, keeps=keeps, fills=fills, refines=refines) is row:
            return {"overwrite": not keeps, **({fill: True} if fills else {}), **({"refine": True} if refines else {})}
    raise ValueError(f"nobody can ask for {row.name}")


def _resident(spec: KernelSpec, schedule: gpu.GpuSchedule) -> int:
    """The warps of a multiprocessor, as a power of two: blocks that share sectors are there together."""
    if not schedule.team:
        return WARPS
    block = team_bytes(Program.of(spec).in_form("team"), schedule.lanes, schedule.matrices)
    room = MULTIPROCESSOR // block * schedule.threads // gpu.WARP
    return min(WARPS, 1 << max(0, room.bit_length() - 1))


def excepted(what: str) -> set[str]:
    """The operations of which it is not counted what is "moved", or "asked" for."""
    return {op for op, again in AGAIN.items() if getattr(again, what)}


def faults(found: dict[str, Any]) -> Iterator[str]:
    """What is wrong with one of these. What teams bring, or blocks, is in shared memory, and asked for by sectors, with
    each column of a matrix by itself, or by as many blocks as have a part of the matrices of a sector. What a thread
    takes of a matrix by itself it asks for number by number, and a copy that a variant works on is asked for again."""
    needed, where = found["needed"], f"{found['op']} {found['dtype']} {found['layout']} n = {found['n']}"
    alone = found["family"] == "T" and found["layout"] in ("bi", "il") and found["op"] not in VARIANTS
    for what in ("moved", "asked") if alone else ("moved",):
        if found["op"] not in excepted(what) and found[what] > MOST * needed:
            yield f"{where}: {found[what]} bytes {what}, {needed} needed"


def main(path: Path, sizes: Sequence[int]) -> None:
    """Trace what is not in the file with the text of now, the smallest first."""
    command = f"PYTHONPATH=tests python -m support.traffic {path.name}"
    rows = json.loads(path.read_text(encoding="utf-8"))["rows"] if path.exists() else []
    known = {where(x): x["text"] for x in rows}
    for one in sorted(cases(), key=lambda x: x.n):
        if one.n in sizes and known.get(one.where) != one.text:
            rows = [*(x for x in rows if where(x) != one.where), traced(one)]
            path.write_text(as_json({"traced": {"warps": WARPS}, **report(rows), "command": command}), encoding="utf-8")


def where(row: dict[str, Any]) -> tuple[str, str, int, str]:
    """Of which kernel a row of the file is."""
    return row["op"], row["dtype"], row["n"], row["layout"]


if __name__ == "__main__":
    main(Path(sys.argv[1]), [int(x) for x in sys.argv[2:]] or SIZES)
