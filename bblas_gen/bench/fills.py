"""Numbers to fill operands with: for the check well-conditioned ones, for the timing ones that calls leave alike.

An operation in place is called thousands of times on what it left itself. It must neither blow up nor run into
subnormal numbers, which some processors are slow with; matrices that are almost the identity stay what they are. Only
LU has an easier time with those: they need no exchanges. So its benchmarks read random matrices and write elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ir.terms import Precision

OFF = 1e-9
"""About the off-diagonals of almost identities: their products are far from subnormal in single precision too."""


@dataclass(frozen=True)
class Fill:
    """``make`` gives a batch of a shape for the check; ``steady``: the timing takes almost identities instead."""

    make: Callable[[np.random.Generator, tuple[int, ...], Precision], Any]
    steady: bool = False

    def numbers(self, rng: np.random.Generator, shape: tuple[int, ...], p: Precision, *, timed: bool) -> Any:
        return (_almost_identity if timed and self.steady else self.make)(rng, shape, p)


def _random(rng: np.random.Generator, shape: tuple[int, ...], p: Precision) -> Any:
    numbers = rng.standard_normal(shape)
    return numbers + 1j * rng.standard_normal(shape) if p.complex else numbers


def _almost_identity(rng: np.random.Generator, shape: tuple[int, ...], p: Precision) -> Any:
    identity = np.eye(shape[1], shape[2])
    return np.where(identity == 1, 1, OFF * _random(rng, shape, p))


def _symmetric(rng: np.random.Generator, shape: tuple[int, ...], p: Precision) -> Any:
    x = _random(rng, shape, p)
    return x + x.mT


def _hermitian(rng: np.random.Generator, shape: tuple[int, ...], p: Precision) -> Any:
    x = _random(rng, shape, p)
    return x + x.mT.conj()


def _positive(rng: np.random.Generator, shape: tuple[int, ...], p: Precision) -> Any:
    x = _random(rng, shape, p)
    return x @ x.mT.conj() / shape[-1] + np.eye(shape[-1])


def _tall(rng: np.random.Generator, shape: tuple[int, ...], p: Precision) -> Any:
    return _random(rng, shape, p) / max(shape[1:]) + 2 * np.eye(shape[1], shape[2])


def _lower(rng: np.random.Generator, shape: tuple[int, ...], p: Precision) -> Any:
    return np.tril(_tall(rng, shape, p))


def _no_exchanges(rng: np.random.Generator, shape: tuple[int, ...], p: Precision) -> Any:
    return np.broadcast_to(np.arange(1, shape[1] + 1)[:, None], shape)


RANDOM, SYMMETRIC, HERMITIAN = Fill(_random), Fill(_symmetric), Fill(_hermitian)
TALL = Fill(_tall)
GENERAL = Fill(_tall, steady=True)
POSITIVE, LOWER = Fill(_positive, steady=True), Fill(_lower, steady=True)
PIVOTS = Fill(_no_exchanges)
