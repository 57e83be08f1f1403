"""Which stacks of matrices are left to NumPy and SciPy, whose loops over LAPACK are faster there."""

from __future__ import annotations

from functools import cache
from math import inf
from typing import NamedTuple


class Reach(NamedTuple):
    """What kernels are for: stacks of ``matrices[i]`` or more of orders up to ``orders[i]``, the first that is not
    smaller; none beyond the last."""

    orders: tuple[int, ...]
    matrices: tuple[int, ...]


NEVER = 1 << 62
"""More matrices than there are."""
_ORDERS = (2, 4, 8, 16, 32, 64)
REACH = {
    "solve": Reach((1, *_ORDERS), (720, 410, 270, 180, 67, 26, 8)),
    "inv": Reach((1, *_ORDERS), (620, 205, 88, 44, 22, 15, 4)),
    "det": Reach((1, *_ORDERS), (540, 410, 270, 180, 88, 22, 8)),
    "cholesky": Reach((1, *_ORDERS), (1250, 620, 360, 235, 118, 51, 10)),
    "qr": Reach((1, *_ORDERS[:5]), (118, 25, 15, 7, 4, 6)),
    "svd": Reach((1, *_ORDERS[:5]), (60, 35, 19, 10, 4, 4)),
    "svdvals": Reach((1, *_ORDERS[:5]), (67, 45, 19, 11, 7, 5)),
    "eigh": Reach((1, *_ORDERS[:5]), (5000, 180, 67, 30, 11, 6)),
    "product": Reach((1, *_ORDERS[:3], 12), (10_200, 1300, 1300, 1500, 1500)),
    "matvec": Reach((1, *_ORDERS[:3]), (NEVER, 1300, 1450, 1300)),
    "vecdot": Reach((1, *_ORDERS[:3]), (NEVER, 10_200, 10_200, 6700)),
    "triangular": Reach((64,), (4,)),
    "factor": Reach((64,), (4,)),
    "expm": Reach((64,), (4,)),
    "lu": Reach((64,), (100,)),
    "sqrtm": Reach((2, 3, 4, 8, 64), (52, 18, 12, 8, 4)),
    "spectral": Reach((64,), (4,)),
}
"""One thread, double, AVX-512, calls from NumPy arrays: where a stack takes no longer here than there, and a third more
for other machines; at the smallest order that a number is for, where more are needed than at others. Larger products
take as long here as there, and longer of arrays that no cache holds. SciPy loops in Python, so there a few matrices are
enough."""
AT_ONCE = {
    "solve": Reach((1, *_ORDERS), (205, 120, 90, 51, 26, 8, 4)),
    "inv": Reach((1, *_ORDERS), (180, 51, 26, 12, 7, 6, 3)),
    "det": Reach((1, *_ORDERS), (180, 135, 102, 60, 30, 10, 6)),
    "cholesky": Reach((1, *_ORDERS), (310, 180, 118, 67, 30, 15, 6)),
    "eigh": Reach((1, *_ORDERS[:5]), (720, 60, 19, 8, 6, 4)),
    "product": Reach((1, *_ORDERS[:3], 12), (3500, 400, 370, 320, 360)),
    "matvec": Reach((1, *_ORDERS[:3]), (3900, 410, 450, 320)),
    "vecdot": Reach((1, *_ORDERS[:3]), (7300, 3300, 3400, 2300)),
}
"""The same for calls that go past NumPy's Python, which take half as long beside their kernels."""
LARGEST = 64
"""The largest order that kernels are made for where they are asked for what NumPy has not: reports, NaN."""


def is_worth_it(kind: str, order: int, count: int, *, at_once: bool = False) -> bool:
    """Whether ``count`` matrices of ``order`` rows are done by kernels. ``at_once``: nothing is to be converted."""
    return count >= least(kind, order, at_once=at_once)


@cache
def least(kind: str, order: int, *, at_once: bool = False) -> float:
    """How many matrices of ``order`` rows are done by kernels."""
    table = AT_ONCE if at_once else REACH
    return next((matrices for largest, matrices in zip(*table[kind], strict=True) if order <= largest), inf)
