"""Inverses of small orders, factored and inverted at once: digits, reports, bits."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from support.extended import DTYPES, random
from support.inverse import INVERSE
from support.layouts import as_layout, bits, values
from support.oracles import norm

import bblas_gen as bb
import bblas_gen.linalg as la

USUAL = [
    (1, "float64"),
    (2, "float32"),
    (2, "complex128"),
    (3, "float64"),
    (3, "complex64"),
    (4, "float64"),
    (5, "float64"),
]
EVERY = [
    pytest.param(n, dtype, marks=[] if (n, dtype) in USUAL else [pytest.mark.thorough])
    for n in (1, 2, 3, 4, 5)
    for dtype in DTYPES
]
CLOSED = [(n, dtype) for n in (2, 3) for dtype in ("float32", "float64")]
"""What is computed by minors; all else with pivots."""
HARD = {
    "zero": lambda a: a * 0,
    "no rank": lambda a: np.repeat(a[:, :1], a.shape[2], axis=1),
    "a column of zeros": lambda a: np.where(np.arange(a.shape[2]) == 0, 0, a),
    "tiny": lambda a: a * np.finfo(a.dtype).tiny,
    "subnormal": lambda a: a * np.finfo(a.dtype).tiny * np.finfo(a.dtype).eps * 100,
    "huge": lambda a: a * np.sqrt(np.finfo(a.dtype).max),
    "the largest": lambda a: a / abs(a).max() * np.finfo(a.dtype).max,
    "NaN": lambda a: np.where(np.arange(a.shape[2]) == 0, np.nan, a),
    "Inf": lambda a: np.where(np.arange(a.shape[2]) == 0, np.inf, a),
}


def inverted(a, x=None, **options):
    x = np.full_like(a, 7) if x is None else x
    found, info = INVERSE(A=a, X=x, check="ignore", return_info=True, **options)
    return values(found), info


def numbers(x):
    """Bits, but of what is no number: its sign follows from which operand of two an instruction hands on."""
    parts = x.view(x.real.dtype)
    return bits(np.where(np.isnan(parts), np.nan, parts))


def apart(a):
    """By two calls, and the report."""
    factors, pivots, info = bb.getrf(a, overwrite=False, check="ignore", return_info=True)
    good, x = info == 0, factors.copy()
    x[good] = bb.getri(factors[good], pivots[good], overwrite=False)
    return x, info


@pytest.mark.parametrize(("n", "dtype"), EVERY)
def test_reports_are_those_of_factors(n, dtype, rng):
    """And bits, but for those of order 2 and 3 that need no pivots; whatever lies beside them in a vector."""
    a = random(rng, (67, n, n), dtype)
    for i, change in enumerate(HARD.values()):
        with np.errstate(all="ignore"):
            a[3 + 5 * i] = change(a[3 + 5 * i : 4 + 5 * i])[0].astype(dtype)
    hard = 3 + 5 * np.arange(len(HARD))
    easy = np.delete(np.arange(len(a)), hard)
    (found, info), (expected, reports) = inverted(a), apart(a)
    assert info.tolist() == reports.tolist()
    assert info[hard[[0, 2]]].tolist() == [1, 1]
    chosen = hard if (n, dtype) in CLOSED else slice(None)
    assert numbers(found[chosen]) == numbers(expected[chosen])
    assert bits(found[easy]) == bits(inverted(a[easy])[0])
    if (n, dtype) in CLOSED:
        assert bits(found[easy]) != bits(expected[easy])


@pytest.mark.parametrize(("n", "dtype"), CLOSED)
def test_elements_have_all_digits_but_for_a_common_factor(n, dtype, rng):
    """Of matrices with a condition of up to 1 / (100 eps), by fractions."""
    eps = float(np.finfo(dtype).eps)
    a = random(rng, (200, n, n), dtype)
    a[:, -1] = a[:, 0] * 3 + a[:, -1] * np.logspace(0, np.log10(eps) + 2, len(a))[:, None].astype(dtype)
    found, info = inverted(a)
    assert not info.any()
    for x, y in zip(a, found, strict=True):
        ratios = np.array(y, object) / exact(x)
        assert float(max(abs(r / ratios[0, 0] - 1) for r in ratios.flat)) < 6 * eps


def exact(a):
    """The inverse in fractions."""
    n = len(a)
    rows = [[Fraction(float(x)) for x in row] + [Fraction(int(i == j)) for j in range(n)] for i, row in enumerate(a)]
    for p in range(n):
        best = max(range(p, n), key=lambda i: abs(rows[i][p]))
        rows[p], rows[best] = rows[best], rows[p]
        rows[p] = [x / rows[p][p] for x in rows[p]]
        for i in range(n):
            if i != p:
                rows[i] = [x - rows[i][p] * y for x, y in zip(rows[i], rows[p], strict=True)]
    return np.array([row[n:] for row in rows], object)


@pytest.mark.parametrize(("n", "dtype"), EVERY)
@pytest.mark.parametrize("power", [-0.7, -0.4, 0, 0.3])
def test_residuals_are_small_on_both_sides(power, n, dtype, rng):
    """Of matrices of all conditions and scales, the scale a power of the largest number."""
    limits = np.finfo(dtype)
    q, r = (np.linalg.qr(random(rng, (300, n, n), "complex128" if dtype[0] == "c" else "float64"))[0] for _ in "qr")
    d = np.logspace(0, np.log10(limits.eps), 300)[:, None] ** np.linspace(0, 1, n)
    a = (q * d[:, None] @ r * float(limits.max) ** power).astype(dtype)
    found, info = inverted(a)
    wide = np.clongdouble if dtype[0] == "c" else np.longdouble
    with np.errstate(over="ignore"):
        fits = (info == 0) & np.isfinite(found).all(axis=(1, 2)) & (abs(a).max(axis=(1, 2)) > limits.tiny / limits.eps)
    assert fits.mean() > 0.5
    a, x = a[fits].astype(wide), found[fits].astype(wide)
    scale = norm(a) * norm(x) * limits.eps * n
    for product in (a @ x, x @ a):
        assert (norm(product - np.eye(n)) / scale).max() < (3 if (n, dtype) in CLOSED else 30)


@pytest.mark.parametrize(("n", "dtype"), [(2, "float32"), (3, "float64"), (3, "complex64")])
def test_bits_do_not_depend_on_place(n, dtype, rng):
    """In all layouts and orders, behind one another or apart, alone or in a batch, with any number of threads."""
    a = random(rng, (37, n, n), dtype)
    expected, _ = inverted(a)
    for layout in ("bi", "il", "pp"):
        assert bits(inverted(as_layout(a, layout, "C"), as_layout(a * 0, layout, "C"))[0]) == bits(expected)
    wide = np.zeros((37, n + 1, n + 2), dtype)
    wide[:, :n, :n] = a
    every = np.repeat(a, 2, axis=0)
    for one in (np.asfortranarray(a), a.swapaxes(1, 2).copy().swapaxes(1, 2), wide[:, :n, :n], every[::2]):
        assert bits(inverted(one)[0]) == bits(expected)
    assert bits(inverted(a[11:12])[0]) == bits(expected[11:12])
    assert bits(inverted(np.tile(a, (60, 1, 1)), num_threads=2)[0][-37:]) == bits(expected)


def test_numpy_calls_have_them(rng):
    a = rng.standard_normal((100, 3, 3))
    assert bits(la.inv(a)) == bits(inverted(a)[0])
    a[7] = 0
    with pytest.raises(np.linalg.LinAlgError):
        la.inv(a)
    found, info = la.inv(a, check="nan", return_info=True)
    assert np.flatnonzero(info).tolist() == [7]
    assert np.isnan(found[7]).all()
