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
    "solve": Reach(_ORDERS, (270, 135, 60, 20, 8, 4)),
    "inv": Reach(_ORDERS, (135, 60, 20, 7, 3, 3)),
    "det": Reach(_ORDERS, (270, 150, 60, 20, 8, 4)),
    "cholesky": Reach(_ORDERS, (400, 180, 90, 40, 15, 4)),
    "qr": Reach(_ORDERS[:5], (25, 8, 4, 3, 6)),
    "svd": Reach(_ORDERS[:5], (35, 11, 4, 3, 3)),
    "svdvals": Reach(_ORDERS[:5], (45, 12, 7, 4, 4)),
    "eigh": Reach(_ORDERS[:5], (80, 16, 7, 4, 3)),
    "product": Reach(_ORDERS[:3], (1300, 1300, 1500)),
    "matvec": Reach(_ORDERS[:3], (1300, 1300, 1500)),
    "vecdot": Reach((2, 8), (8000, 6000)),
    "triangular": Reach((64,), (4,)),
    "factor": Reach((64,), (4,)),
    "expm": Reach((64,), (4,)),
    "lu": Reach((64,), (100,)),
    "sqrtm": Reach((2, 64), (150, 60)),
    "spectral": Reach((64,), (4,)),
}
"""One thread, double, AVX-512, plain calls from NumPy arrays: where a stack takes no longer here than there, and a
third more for other machines. Of arrays that no cache holds larger products take as long here as there, those with
vectors longer. SciPy loops in Python, so there a few matrices are enough."""
LARGEST = 64
"""The largest order that kernels are made for where they are asked for what NumPy has not: reports, NaN."""


NEVER = 2**63


def _by_order(reach: Reach) -> tuple[int, ...]:
    """From how many matrices on kernels are used, of each order up to the largest."""
    limits = list(zip(*reach, strict=True))
    return tuple(next((some for order, some in limits if n <= order), NEVER) for n in range(LARGEST + 1))


_LEAST = {kind: _by_order(reach) for kind, reach in REACH.items()}


def is_worth_it(kind: str, order: int, count: int) -> bool:
    """Whether ``count`` matrices of ``order`` rows are done by kernels."""
    return order <= LARGEST and count >= _LEAST[kind][order]
