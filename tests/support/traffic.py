"""What kernels of all operations move on a GPU, counted in the emulation, over what they have to.

``PYTHONPATH=tests python -m support.traffic cuda-traffic.json`` traces those of all operations, some minutes for each
size; rows of the file that are there stay. Sizes behind the file are traced alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bblas_gen.bench.gpu.contest import family_of
from bblas_gen.bench.result import as_json, report
from bblas_gen.codegen.operands import operands_of
from bblas_gen.codegen.render import render
from bblas_gen.ir.operation import Operation
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.schedule import gpu
from bblas_gen.schedule.shared import MULTIPROCESSOR, team_bytes

from . import emulator
from .again import AGAIN
from .cases import TRIED, Case, complexes, dtypes, letters, run
from .emulated_calls import Compiled, Emulated
from .emulator import Device

SIZES, LAYOUTS = (4, 8, 16, 32), ("bi", "il", "st")
WARPS = 16
"""Those of a multiprocessor whose threads have whole matrices in registers, about; fewer where shared memory has room
for fewer teams. It does twice as much as they have at a time."""
MOST = 1.05
"""What may move, over what has to."""


class _Last(Emulated):
    """The function of a kernel for any scalars alone: to compile all of them takes most of the time."""

    def compiled(self, spec: KernelSpec) -> Compiled:
        program = Program.of(replace(spec, target="cuda"))
        schedule = gpu.choose(program)
        last = render(program, schedule).functions[-1]
        source = replace(render(program, schedule, last.name), functions=(last,))
        return source, operands_of(program, schedule), emulator.compile(source.text, [last.name], sanitize="checks")


def kernel(row: Operation, n: int, layout: str) -> tuple[KernelSpec, gpu.GpuSchedule, str]:
    """That for matrices of order n in double precision, or in the first that there is; its schedule, and its family."""
    flags = {flag: letters(row, flag)[0] for flag in row.flags}
    sizes = {name: 2 if name == "nrhs" else n for name in row.sizes}
    dtype = "float64" if "float64" in dtypes(row) else dtypes(row)[0]
    spec = KernelSpec.make(row.name, dtype, layout, target="cuda", **sizes, **flags)
    schedule = gpu.choose(Program.of(spec))
    return spec, schedule, family_of(schedule)


def traced(row: Operation, n: int, layout: str) -> dict[str, Any]:
    """Bytes of a batch: those that warps ask caches for, those that move beyond them, and those that have to, in whole
    sectors."""
    spec, schedule, family = kernel(row, n, layout)
    dtype, flags = spec.p.dtype, {flag: str(value) for flag, value in spec.flag.items()}
    warps = _resident(spec, schedule)
    batch = 2 * warps * gpu.WARP // schedule.lanes
    scalars = complexes(row, dtype, (0.75, -1.5)[: len(row.scalars)])
    choice = _Last("checks", trace=Device(resident_warps=warps))
    case = Case(row.name, dtype, dict(spec.size), batch, flags, scalars, (layout,))
    with patch("bblas_gen.runtime.call.enlarged", lambda found: found):  # by the kernel for the size, however large
        run(case, case.make(), choice=choice)
    found = choice.traffic
    where = {"op": row.name, "dtype": dtype, "n": n, "layout": layout, "family": family}
    return where | {"asked": found.asked_bytes, "moved": found.moved_bytes, "needed": found.needed_bytes}


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
    each column of a matrix by itself, or by as many blocks as have a part of the matrices of a sector."""
    needed, where = found["needed"], f"{found['op']} {found['layout']} n = {found['n']}"
    for what in ("moved", "asked") if found["family"] == "T" else ("moved",):
        if found["op"] not in excepted(what) and found[what] > MOST * needed:
            yield f"{where}: {found[what]} bytes {what}, {needed} needed"


def main(path: Path, sizes: Sequence[int]) -> None:
    """Trace what is not in the file yet."""
    command = f"PYTHONPATH=tests python -m support.traffic {path.name}"
    rows = json.loads(path.read_text(encoding="utf-8"))["rows"] if path.exists() else []
    known = {(x["op"], x["n"], x["layout"]) for x in rows}
    for n in sizes:
        for row in TRIED:
            rows += [traced(row, n, layout) for layout in LAYOUTS if (row.name, n, layout) not in known]
            path.write_text(as_json({"traced": {"warps": WARPS}, **report(rows), "command": command}), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [int(x) for x in sys.argv[2:]] or SIZES)
