"""The exponential of a matrix, in one kernel: scaling, a polynomial or an approximant, squaring.

To order 8 it is a Taylor polynomial modulo the characteristic polynomial of the matrix, beyond a Pade approximant
(Higham, SIAM J. Matrix Anal. Appl. 26 (2005), doi:10.1137/04061101X). The degree is the same for all matrices, and each
has as many squarings as it needs, so its result does not depend on its neighbours.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..arrays.host import Array
from ..ir.catalog import OPS
from ..ir.operation import Step
from ..sequences import OperationSequence, sequence
from .kernels import called


class Pade(NamedTuple):
    """An approximant, and the largest norm for which it is exact to rounding."""

    operation: str
    reach: float


PADE = {"f": Pade("gepade7", 3.925724783138660), "d": Pade("gepade13", 5.371920351148152)}
"""By the precision of real parts."""


SMALL = OPS["getaylor"].ways[-1].real
"""The largest order for which a Taylor polynomial is one of a few powers of A."""


def exponential(a: Array, num_threads: int | None) -> Array:
    """exp(A) of a batch."""
    if a.shape[-1] <= SMALL:
        (x,), _ = called(_small().row, {"A": a, "X": None}, {}, num_threads)  # nothing is solved that could fail
    else:
        x = _steps(pade(a.dtype))(A=a, check="nan", num_threads=num_threads)
    _with_exact_diagonals(a, x)
    return x


def _with_exact_diagonals(a: Array, x: Array) -> None:
    """The diagonals of triangular matrices, whose elements squarings would make less exact. All such matrices have a
    zero in a corner."""
    if np.logical_and(a[:, -1, 0], a[:, 0, -1]).all():  # one pass over memory for both
        return
    chosen = np.flatnonzero((a[:, -1, 0] == 0) | (a[:, 0, -1] == 0))
    some = a[chosen]
    triangular = ~(np.tril(some, -1).any(axis=(1, 2)) & np.triu(some, 1).any(axis=(1, 2)))
    diagonals = np.einsum("bii->bi", some[triangular]).copy()
    with np.errstate(all="ignore"):
        np.einsum("bii->bi", x)[chosen[triangular]] = np.exp(diagonals)


def pade(dtype: np.dtype[Any]) -> Pade:
    """What matrices of a dtype are done with."""
    return PADE[dtype.char.lower()]


@cache
def _small() -> OperationSequence:
    """X := X^(2^S), X a polynomial in A / 2^S."""
    return sequence([Step("getaylor", ("A", "X", "S")), Step("squaring", ("X", "S"))], name="expm", scratch=["S"])


@cache
def _steps(pade: Pade) -> OperationSequence:
    """X := D (V^-1 X)^(2^S) D^-1, X and V polynomials in D^-1 A D / 2^S."""
    steps = [Step("halve", ("A", "B", "S", "D"), (), (("alpha", pade.reach),)), Step(pade.operation, ("B", "X", "V"))]
    steps += [Step("gesv", ("V", "IPIV", "X")), Step("squaring", ("X", "S")), Step("similar", ("X", "D"))]
    return sequence(steps, name="expm", scratch=["B", "S", "D", "V", "IPIV"])
