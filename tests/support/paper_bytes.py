"""What kernels of the ICCS 2017 paper's operations move on a GPU, counted in the emulation, and how fast a memory lets
them be: the paper's figure without a GPU.

``PYTHONPATH=tests python -m support.paper_bytes cuda-bytes.json``; ``bblas-gen bench report`` makes a page of it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bblas_gen.bench.gpu.contest import family_of
from bblas_gen.bench.gpu.figures import PAPER_NAMES, PAPER_OPS
from bblas_gen.bench.gpu.problem import GpuProblem
from bblas_gen.bench.result import as_json, report, rounded
from bblas_gen.ir.program import Program
from bblas_gen.schedule import gpu

from .cases import Case, run
from .emulated_calls import Emulated
from .emulator import Device

SIZES = (2, 4, 6, 8, 12, 16, 24, 32)
BATCH = 128
"""A block where a thread does a matrix, so every sector is whole."""
GBS = 3000
"""What a copy moves on an H100 in a second, about."""


def rows(sizes: tuple[int, ...] = SIZES) -> Iterator[dict[str, Any]]:
    """Of each operation, size and layout the bytes that a matrix moves, and those of its elements."""
    for op in PAPER_OPS:
        for n in sizes:
            for layout in PAPER_NAMES:
                yield _row(GpuProblem.of(op, "d", n, BATCH), layout)


def _row(problem: GpuProblem, layout: str) -> dict[str, Any]:
    spec, choice = problem.kernel(layout), Emulated("checks", trace=Device())
    flags = {name: str(value) for name, value in spec.flag.items()}
    scalars = {name: float(problem.scalars.get(name, 1)) for name in spec.row.scalars}
    case = Case(spec.op, "float64", dict(spec.size), BATCH, flags, scalars, (layout,), ("F",))
    run(case, choice=choice)
    moved, least = choice.traffic.moved_bytes / BATCH, choice.traffic.least_bytes / BATCH
    family = family_of(gpu.choose(Program.of(spec)))
    found = {"op": problem.op, "dtype": "d", "n": problem.n, "contender": layout, "family": family}
    return found | {"bytes": moved, "least": least, "gflops": problem.flops / moved * GBS}


if __name__ == "__main__":
    found = report([rounded(row) for row in rows()])
    found["command"] = "PYTHONPATH=tests python -m support.paper_bytes " + Path(sys.argv[1]).name
    Path(sys.argv[1]).write_text(as_json({"traced": {"gbs": GBS, "batch": BATCH}, **found}))
