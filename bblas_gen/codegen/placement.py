"""How matrices lie in memory, and in scratch: in lanes, or in shared memory of a GPU."""

from __future__ import annotations

from ..ir.operation import Operand
from ..ir.program import Program
from ..ir.sizes import Size, product
from ..ir.terms import Layout, Strides
from ..ir.views import Stride, View
from ..schedule.gpu_schedule import GpuSchedule
from ..schedule.schedule import Schedule
from ..schedule.shared import diagonal_alone, in_shared_memory

FEW_SETS = 2048
"""Bytes: lines a multiple of them apart share few sets of a level-1 cache."""


def in_scratch(program: Program, schedule: Schedule, row: Operand, rows: Size, cols: Size) -> tuple[View, Size, Size]:
    """How a matrix of ``rows`` x ``cols`` lies there, the reals from one to its neighbour, and those of all."""
    parts, real = program.p.parts_of(row.kind), program.p.compute.bytes
    if isinstance(schedule, GpuSchedule) and schedule.team:
        assert isinstance(rows, int)
        assert isinstance(cols, int)
        where, own = program.spec.where(row), program.p.bytes_of(row.kind) // parts
        blocked = where is not None and where.interleaved
        view, apart = in_shared_memory(schedule.lanes, rows, cols, parts, own, blocked)
        return view, apart, apart * schedule.matrices
    if isinstance(schedule, GpuSchedule) and diagonal_alone(program, row):
        return View(1, 0, schedule.spread * parts, schedule.spread), 1, product(rows, parts * schedule.spread)
    pitch = rows if program.spec.where(row) else _pitch(rows, cols, parts * schedule.spread * real)
    reals = product(pitch, cols, parts * schedule.spread)
    view = View(1, pitch, schedule.spread * parts, schedule.spread)
    return view, 1, max(1, reals) if isinstance(reals, int) else reals  # an array of C has one number at least


def _pitch(rows: Size, cols: Size, element: int) -> Size:
    """The elements of ``element`` bytes from one column of an intermediate to the next: one more than there are where
    those of a row would else share few sets of a cache."""
    if isinstance(rows, str) or isinstance(cols, str):
        return rows
    return rows + 1 if cols > 1 and rows and rows * element % FEW_SETS == 0 else rows


def outside(program: Program, where: Layout | None, strides: Strides, letter: str, rows: Size, parts: int) -> View:
    """Where elements of an operand lie that is stored by columns."""
    if where is Layout.IL:
        return View(1, rows, f"nb{letter} * 2" if parts == 2 else f"nb{letter}", f"nb{letter}")
    if where is not None and where.blocked:
        nb, packed = program.spec.nb, where.triangle or ""
        return View(*_matrix_strides(strides, letter, rows), nb * parts, nb, packed=packed)
    return View(*_matrix_strides(strides, letter, rows), factor=parts)


def _matrix_strides(strides: Strides, letter: str, rows: Size) -> tuple[Stride, Stride]:
    if strides is Strides.RS:
        return f"rs{letter}", f"cs{letter}"
    return (1, f"ld{letter}") if strides.leading else (1, rows)
