"""What is measured on a GPU, what counts most first: where time is up, the rest is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .problem import ROWS, GpuProblem

FIRST = (8, 4, 16, 32, 2, 12, 6, 24, 3, 10, 20, 5)
"""Sizes in the order in which they are measured; all others come after them."""
SIZES = (2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32)
PRECISION = 3
"""Sizes of a precision that are done before the next precision begins."""
PAPER = 10_000
"""Matrices in a batch of the papers."""
BATCHES = tuple(10**k for k in range(2, 8))
SWEPT = {"gemm": (4, 8, 16, 32), "posv": (4, 8, 16, 32)}
"""What is measured in all sizes of batches, in the first precision."""
PARTS = 5
"""A batch takes at least this part of the memory that sets go beyond."""


@dataclass(frozen=True)
class Case:
    """A kernel of each layout, in batches of several sizes."""

    op: str
    precision: str
    n: int
    batches: tuple[int, ...]

    def problem(self, batch: int) -> GpuProblem:
        return GpuProblem.of(self.op, self.precision, self.n, batch)


def cases(
    ops: Sequence[str], precisions: Sequence[str], sizes: Sequence[int], nbytes: int, most: int = BATCHES[-1]
) -> list[Case]:
    """All cases in their order; ``nbytes``: what sets of operands go beyond; ``most`` matrices in a batch."""

    def turn(case: Case) -> tuple[int, int, int]:
        late = FIRST.index(case.n) if case.n in FIRST else len(FIRST) + case.n
        precision = precisions.index(case.precision)
        return late + PRECISION * precision, precision, list(ROWS).index(case.op)

    found = [
        Case(op, letter, n, _batches(op, letter, n, nbytes, most, swept=letter == precisions[0]))
        for op in ops
        for letter in precisions
        for n in sizes
    ]
    return sorted(found, key=turn)


def _batches(op: str, letter: str, n: int, nbytes: int, most: int, *, swept: bool) -> tuple[int, ...]:
    """The batch that memory bounds first, then that of the papers, then others."""
    each = GpuProblem.of(op, letter, n, 1).stored
    large = next((batch for batch in BATCHES if each * batch * PARTS >= nbytes), BATCHES[-1])
    others = BATCHES if swept and n in SWEPT.get(op, ()) else ()
    return tuple(dict.fromkeys(min(batch, most) for batch in (large, PAPER, *others)))
