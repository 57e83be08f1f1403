"""How much work a matrix is, and from how many matrices on another thread pays."""

from __future__ import annotations

from ..ir.program import Program
from .schedule import Schedule

TASK_NS = 6000
"""Work worth handing to one more thread, in nanoseconds: a fork and join costs about half of it."""


def _nanoseconds(program: Program) -> float:
    """Of a matrix, about: at 16 bytes or 32 flops in each, whichever takes longer."""
    return max(program.spec.flops / 32, program.spec.bytes / 16, 1.0)


def break_even(program: Program) -> int:
    """Matrices that make TASK_NS of work."""
    return max(1, round(TASK_NS / _nanoseconds(program)))


def work(program: Program, schedule: Schedule) -> float:
    """Nanoseconds of a matrix, by what the schedule has; of one that is worth more than a thread, what it takes."""
    least = schedule.min_batch_per_thread
    return TASK_NS / least if least > 1 else _nanoseconds(program)
