"""How a GPU does products of any size: a block of threads has a tile of C in registers, as large as these allow."""

from __future__ import annotations

from math import isqrt
from typing import Any

from ..ir.program import Program
from ..ir.terms import Strides
from .lane import GENERAL, KC, RegisterTile, panel_steps

THREADS, STRIP = 256, 8
"""Threads of a block, and columns of its tiles that are done together: blocks that are there at a time then read few
rows of op(A) and few columns of op(B)."""
TILES = {"s": (8, 8, 16, 2), "d": (8, 4, 8, 1), "c": (8, 4, 8, 1), "z": (4, 4, 8, 1)}
"""By precision: rows and columns of a thread, steps of k at a time, and blocks on a multiprocessor, of which it has one
where strides of rows and of columns, or triangles, take more registers."""


def blocked(program: Program) -> dict[str, Any]:
    """The fields of the schedule of a product of any size."""
    p, output, side = program.p, program.row.outputs[0], isqrt(THREADS)
    rows, cols, steps, blocks = TILES[p.letter]
    kc = panel_steps(program, GENERAL, 1) if p.complex else KC
    return {
        "form": "blocked",
        "width": 1,
        "rows": rows,
        "cols": cols,
        "unroll": steps,
        "kc": kc,
        "prefetch": 0,
        "grain": p.default_nb,
        "min_batch_per_thread": 1,
        "tiles": (RegisterTile(rows, cols, steps, kc),),
        "threads": THREADS,
        "lanes": THREADS,
        "strip": STRIP,
        "blocks": 1 if program.spec.strides is Strides.RS or output.triangle else blocks,
        "tile": ((output.rows, rows * side), (output.cols, cols * side)),
    }
