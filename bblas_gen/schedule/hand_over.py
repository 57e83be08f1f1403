"""Which stacks of matrices are left to NumPy and SciPy, whose loops over LAPACK are faster there."""

from __future__ import annotations

from typing import NamedTuple


class Reach(NamedTuple):
    """What kernels are for: stacks of ``matrices[i]`` or more of orders up to ``orders[i]``, the first that is not
    smaller; none beyond the last."""

    orders: tuple[int, ...]
    matrices: tuple[int, ...]


REACH = {
    "solve": Reach((2, 4, 8, 16, 32), (200, 80, 30, 20, 20)),
    "inv": Reach((2, 4, 8, 16, 32), (100, 40, 20, 12, 12)),
    "det": Reach((2, 4, 8, 16, 32), (100, 50, 20, 12, 12)),
    "cholesky": Reach((2, 4, 8, 16, 32), (300, 150, 40, 20, 20)),
    "product": Reach((2, 4, 8, 16, 32), (400, 150, 60, 20, 20)),
    "triangular": Reach((32,), (4,)),
    "factor": Reach((32,), (4,)),
    "expm": Reach((32,), (4,)),
    "spectral": Reach((64,), (4,)),
}
"""One thread, double, plain calls from NumPy arrays: where a stack is as fast here as there. SciPy loops in Python, so
there a few matrices are enough."""


LARGEST = 64
"""The largest order that kernels are made for where they are asked for what NumPy has not: reports, NaN."""


def is_worth_it(kind: str, order: int, count: int) -> bool:
    """Whether ``count`` matrices of ``order`` rows are done by kernels."""
    reach = REACH[kind]
    for largest, matrices in zip(*reach, strict=True):
        if order <= largest:
            return count >= matrices
    return False
