"""Exponentials of stacks, against SciPy's and extended precision."""

from __future__ import annotations

import numpy as np
import pytest
from support.elementwise_oracles import exact_exponential
from support.extended import norm

import bblas_gen.linalg as la
from bblas_gen.linalg import exponential, scipy_names


def test_exponentials(rng):
    linalg = pytest.importorskip("scipy.linalg")
    a = rng.standard_normal((40, 3, 3)) * 10.0 ** rng.integers(-3, 2, (40, 1, 1))
    a[3], a[4] = np.triu(a[3]) * 100, np.tril(a[4]) / abs(a[4]).max() * 30
    a[4, 2, 2] = 1e-3  # a column of a small norm
    found, expected = la.expm(a), linalg.expm(a)
    assert (abs(found - expected).max((1, 2)) < 1e-12 * abs(expected).max((1, 2))).all()
    small = (a / (1 + abs(a).max((1, 2), keepdims=True)) * 5).astype("f")  # with and without squarings
    single, expected = la.expm(small), linalg.expm(small.astype("d"))
    assert single.dtype == np.float32
    assert (abs(single - expected).max((1, 2)) < 1e-5 * abs(expected).max((1, 2))).all()
    alone = exponential.exponential(a[7:8], 1)
    assert alone.tobytes() == found[7:8].tobytes()  # whatever its neighbours are


def test_a_stack_as_it_is_goes_past_the_frame(rng, monkeypatch):
    a = rng.standard_normal((40, 3, 3))
    expected = la.expm(A=a)
    monkeypatch.setattr(scipy_names, "as_stacks", None)
    assert la.expm(a).tobytes() == expected.tobytes()
    with pytest.raises(ValueError, match="num_threads = -1"):
        la.expm(a, num_threads=-1)


@pytest.mark.parametrize("n", [4, 8, *(pytest.param(n, marks=pytest.mark.thorough) for n in (2, 5, 6, 7))])
def test_exponentials_are_as_exact_as_their_condition_allows(rng, n):
    """Random matrices, multiples of the identity and rates, of some squarings and none."""
    a = rng.standard_normal((60, n, n)) * 2.0 ** rng.integers(-3, 3, (60, 1, 1))
    a[20:40] -= 5 * np.eye(n)
    a[40:] = abs(a[40:])
    a[50:] -= np.eye(n) * a[50:].sum(axis=1)[:, None]
    a[0] = 0
    a[1] = 5.9 / (n - 1) * (1 - np.eye(n))  # whose powers have no smaller roots of norms
    found, expected = la.expm(a), exact_exponential(a.astype(np.longdouble))
    assert np.array_equal(found[0], np.eye(n))
    size = 1 + norm(a - np.eye(n) * a.trace(axis1=1, axis2=2)[:, None, None] / n)
    assert (norm(found - expected) < 4 * np.finfo("d").eps * size * norm(expected)).all()


@pytest.mark.parametrize(("n", "dtype"), [(4, "d"), (9, "d"), pytest.param(5, "D", marks=pytest.mark.thorough)])
def test_exponentials_of_triangles(n, dtype, rng):
    """With diagonals of elements nearly alike, of which differences divided by differences have no digits, of elements
    far apart, and of zeros; diagonals alone are exact."""
    a = np.triu(rng.standard_normal((60, n, 2 * n)).view("D") if dtype == "D" else rng.standard_normal((60, n, n)))
    diagonals = np.einsum("bii->bi", a)
    diagonals[:20] = -2 + 1e-8 * diagonals[:20]
    diagonals[20:30] *= 20
    diagonals[30:40] = 0
    a[:40] *= 4
    a[40:50] *= np.eye(n) * 30
    a[50:] *= 50 / n
    a[1::2] = a[1::2].swapaxes(1, 2).copy()
    found, eps = la.expm(a), np.finfo("d").eps
    wanted = exact_exponential(a.astype(np.clongdouble if dtype == "D" else np.longdouble))
    assert (norm(found - wanted) < 60 * eps * norm(wanted)).all()
    difference = abs(np.einsum("bii->bi", found - wanted))
    assert (difference < 8 * eps * abs(np.einsum("bii->bi", wanted))).all()


@pytest.mark.parametrize("n", [4, 9])
def test_exponentials_of_triangles_in_another_order(n, rng):
    """Which no element tells: large elements beside the diagonal, diagonals far apart, blocks, single diagonals. Then
    permutations, companion and skew matrices, as exact as their norms allow."""
    a = np.triu(rng.standard_normal((70, n, n)), 1)
    diagonals, h = np.einsum("bii->bi", a), n // 2
    a[:10] *= 100
    diagonals[:10] = 1
    diagonals[10:20] = np.linspace(-60, 3, n)
    a[20:30, h:, :h], a[20:30, :h, h:] = 0, 1e3 * a[20:30, :h, h:]
    diagonals[20:40] = rng.standard_normal((20, n))
    a[30:40] *= 8 * np.eye(n) + 50 * np.eye(n, k=1)
    a[40:50] = 10 * np.roll(np.eye(n), 1, 0)
    a[50:60] = np.eye(n, k=-1)
    a[50:60, 0] = 5 * rng.standard_normal((10, n))
    a[60:] = 5 * (a[60:] - a[60:].swapaxes(1, 2))
    order = np.argsort(rng.random((70, n)))
    a = np.take_along_axis(np.take_along_axis(a, order[:, :, None], 1), order[:, None], 2)
    found, wanted = la.expm(a), exact_exponential(a.astype(np.longdouble))
    size = np.where(np.arange(70) < 40, 60, 4 * (1 + norm(a)))
    assert (norm(found - wanted) < np.finfo("d").eps * size * norm(wanted)).all()


@pytest.mark.parametrize("dtype", ["d", pytest.param("f", marks=pytest.mark.thorough)])
def test_exponentials_of_larger_matrices(rng, dtype):
    """By another algorithm from order 9 on."""
    linalg = pytest.importorskip("scipy.linalg")
    n = exponential.SMALL + 1
    a = (rng.standard_normal((9, n, n)) * 10.0 ** rng.integers(-2, 1, (9, 1, 1))).astype(dtype)
    found, expected = la.expm(a), linalg.expm(a.astype("d"))
    assert found.dtype == a.dtype
    assert (abs(found - expected).max((1, 2)) < 300 * np.finfo(dtype).eps * abs(expected).max((1, 2))).all()


@pytest.mark.parametrize("n", [4, 9, *(pytest.param(n, marks=pytest.mark.thorough) for n in (2, 3, 5, 6, 7, 8))])
def test_exponentials_of_graded_matrices(rng, n):
    """Scaled by powers of two, so that their norms tell nothing: results are those of what was scaled. Some are
    triangular but for an order of rows, all are among others of a small and a large norm."""
    a, same = rng.standard_normal((2, 40, n, n))
    a[20:] = np.triu(a[20:])
    order = np.argsort(rng.random((40, n)))
    a = np.take_along_axis(np.take_along_axis(a, order[:, :, None], 1), order[:, None], 2)
    d = 2.0 ** rng.integers(-13, 14, (40, n))
    ratios = d[:, None] / d[:, :, None]
    found, expected = exponential.exponential(a * ratios, 1), exact_exponential(a.astype(np.longdouble))
    assert (norm(found / ratios - expected) < 8 * n * np.finfo("d").eps * norm(expected)).all()
    mixed = np.stack([a * ratios, same, 10 * same], axis=1).reshape(-1, n, n)
    assert exponential.exponential(mixed, 1)[::3].tobytes() == found.tobytes()
