"""The exponential of a matrix: scaling, a Pade approximant in one kernel, squaring.

Higham, SIAM J. Matrix Anal. Appl. 26 (2005), doi:10.1137/04061101X. The degree is the same for all matrices, and each
has as many squarings as it needs, so its result does not depend on its neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import factorial
from typing import Any, NamedTuple

import numpy as np

from ..arrays.host import Array
from ..ir.operation import Step
from ..ir.sequence import step
from ..sequences import OperationSequence, sequence


class Pade(NamedTuple):
    """An approximant of a degree, and the largest norm for which it is exact to rounding."""

    degree: int
    reach: float


PADE = {"f": Pade(7, 3.925724783138660), "d": Pade(13, 5.371920351148152)}
"""By the precision of real parts."""


def exponential(a: Array, num_threads: int | None) -> Array:
    """exp(A) of a batch."""
    x: Array = _steps(pade(a.dtype))(A=a, check="nan", num_threads=num_threads)
    return x


def pade(dtype: np.dtype[Any]) -> Pade:
    """What matrices of a dtype are done with."""
    return PADE[dtype.char.lower()]


@cache
def _steps(pade: Pade) -> OperationSequence:
    """X := (Q(B)^-1 P(B))^(2^S) with B = A / 2^S, P = V + U, Q = V - U and U odd: six products for degree 13, four for
    7."""
    degree = pade.degree
    c = [factorial(2 * degree - k) // (factorial(degree - k) * factorial(k)) for k in range(degree + 1)]
    b = [float(x // c[-1]) for x in c]
    steps = [Step("halve", ("A", "B", "S"), (), (("alpha", pade.reach),))]
    steps += [Step("gemm", ("B", "B", "A2")), Step("gemm", ("A2", "A2", "A4")), Step("gemm", ("A4", "A2", "A6"))]
    steps += [*_polynomial("T", b[1::2]), Step("gemm", ("B", "T", "U")), *_polynomial("V", b[::2])]
    steps += [Step("lacpy", ("V", "X")), step("geadd", "U", "X", beta=1.0)]
    steps += [step("geadd", "U", "V", alpha=-1.0, beta=1.0), Step("gesv", ("V", "IPIV", "X"))]
    steps += [Step("squaring", ("S", "X"))]
    work = ["B", "S", "A2", "A4", "A6", "T", "U", "V", "IPIV", *(["W"] if degree > 7 else [])]
    return sequence(steps, name=f"expm{degree}", scratch=work)


def _polynomial(name: str, b: list[float]) -> Iterator[Step]:
    """``name`` := b0 I + b1 A2 + b2 A4 + b3 A6 + A6 (b4 A2 + b5 A4 + b6 A6)."""
    yield from _combination(name, b[1:4])
    if len(b) > 4:
        yield from _combination("W", b[4:])
        yield step("gemm", "A6", "W", name, beta=1.0)
    yield step("adddiag", name, alpha=b[0])


def _combination(name: str, b: list[float]) -> Iterator[Step]:
    """``name`` := b0 A2 + b1 A4 + b2 A6."""
    for k, factor in enumerate(b):
        more: dict[str, Any] = {"beta": 1.0} if k else {}
        yield step("geadd", f"A{2 * k + 2}", name, alpha=factor, **more)
