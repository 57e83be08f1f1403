"""Logarithms of determinants: what is no logarithm, what is almost none, and products that no exponent holds."""

from __future__ import annotations

import numpy as np
import pytest
from support.elementwise_oracles import exact_logdet, logdet_error
from support.extended import NAN

import bblas_gen as bb

INF = float("inf")
TYPES = pytest.mark.parametrize("dtype", ["float32", "float64"])


def diagonals(rows, dtype):
    a = np.full((len(rows), len(rows[0]), len(rows[0])), NAN, dtype)
    a[:, range(a.shape[1]), range(a.shape[1])] = rows
    return a


@TYPES
def test_signs_zeros_and_what_is_not_finite(dtype):
    rows = [(1, -1), (-2, 0.5), (0, 2), (-0.0, 2), (INF, 2), (-INF, 2), (NAN, 2), (NAN, INF), (NAN, 0), (INF, 0)]
    found = bb.logdet(bb.interleave(diagonals(rows, dtype)))
    np.testing.assert_array_equal(found, [0, 0, -INF, -INF, INF, INF, *[NAN] * 4])
    assert not np.signbit(found[:2]).any()


@TYPES
def test_the_ends_of_the_range(dtype):
    """Products of subnormal and of huge numbers."""
    numbers = np.finfo(dtype)
    ends = [numbers.smallest_subnormal, numbers.tiny, numbers.tiny / 3, numbers.max]
    a = diagonals([(x, y) for x in ends for y in ends], dtype)
    assert logdet_error({"A": a}, {"R": bb.logdet(bb.interleave(a))[:, None, None]}, {}, {}) <= 1


@TYPES
def test_determinants_close_to_one(dtype, rng):
    """The sum of the logarithms would lose all its digits; and the product of the mantissas alone would overflow."""
    x = rng.uniform(1.9, 2, (30, 140)).astype(dtype)
    x[:, 70:] = 1 / x[:, :70]
    x[::3] = 1 + 1e-4 * rng.standard_normal((10, 140))
    x[1::3, 70:] = x[1::3, :70]
    a = diagonals(x, dtype)
    assert (abs(exact_logdet(x))[2::3] < 100 * np.finfo(dtype).eps).all()
    assert logdet_error({"A": a}, {"R": bb.logdet(bb.interleave(a))[:, None, None]}, {}, {}) <= 1


def test_what_has_no_determinant():
    for bad, error in ((3, TypeError), (np.ones((5, 3, 4)), ValueError), (np.ones((3, 4)), ValueError)):
        with pytest.raises(error, match=r"^a "):
            bb.logdet(bad)
