"""Which stacks of matrices are left to NumPy and SciPy, whose loops over LAPACK are faster there."""

from __future__ import annotations

from typing import NamedTuple


class Reach(NamedTuple):
    """What kernels are for: stacks of ``matrices[i]`` or more of orders up to ``orders[i]``, the first that is not
    smaller; none beyond the last."""

    orders: tuple[int, ...]
    matrices: tuple[int, ...]


_ORDERS = (2, 4, 8, 16, 32, 64)
REACH = {
    "solve": Reach(_ORDERS, (600, 200, 90, 30, 15, 6)),
    "inv": Reach(_ORDERS, (280, 110, 40, 10, 6, 4)),
    "det": Reach(_ORDERS, (500, 230, 110, 30, 12, 8)),
    "cholesky": Reach(_ORDERS, (800, 350, 180, 80, 40, 12)),
    "eigh": Reach(_ORDERS[:5], (300, 60, 16, 12, 12)),
    "svd": Reach(_ORDERS[:5], (40, 16, 14, 12, 10)),
    "svdvals": Reach(_ORDERS[:5], (50, 18, 16, 14, 12)),
    "product": Reach(_ORDERS[:5], (2000, 2000, 5000, 2000, 500)),
    "triangular": Reach((64,), (4,)),
    "factor": Reach((64,), (4,)),
    "expm": Reach((64,), (4,)),
    "spectral": Reach((64,), (4,)),
}
"""One thread, double, AVX-512, plain calls from NumPy arrays: where a stack takes as long here as there. SciPy loops in
Python, so there a few matrices are enough."""
LARGEST = 64
"""The largest order that kernels are made for where they are asked for what NumPy has not: reports, NaN."""


def is_worth_it(kind: str, order: int, count: int) -> bool:
    """Whether ``count`` matrices of ``order`` rows are done by kernels."""
    reach = REACH[kind]
    for largest, matrices in zip(*reach, strict=True):
        if order <= largest:
            return count >= matrices
    return False
