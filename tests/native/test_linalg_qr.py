"""QR of stacks by kernels, beneath NumPy's function."""

from __future__ import annotations

import numpy as np
import pytest
from support.extended import random

import bblas_gen.linalg as la

NAN = float("nan")


def all_of(found):
    return found if isinstance(found, tuple) else (found,)


@pytest.mark.parametrize("dtype", ["float64", pytest.param("complex128", marks=pytest.mark.thorough), "complex64"])
@pytest.mark.parametrize("mode", ["reduced", "complete", "r", "raw"])
def test_qr_is_numpy_s(rng, dtype, mode):
    for m, n in ((4, 3), (3, 4)):
        whole = random(rng, (6, 2, m, n), dtype)
        for a in (whole, whole.swapaxes(0, 1)[:, ::2], whole[0, 0]):
            expected = np.linalg.qr(a, mode)
            with la.accelerate(always=True):
                found = np.linalg.qr(a, mode)
                at_once = la.qr(a, mode)
            assert type(found) is type(at_once) is type(expected)
            for x, y, same in zip(*map(all_of, (found, expected, at_once)), strict=True):
                assert x.dtype == y.dtype
                assert x.tobytes() == same.tobytes()
                np.testing.assert_allclose(x, y, atol=1e-12 if dtype == "float64" else 1e-6)


def test_qr_in_single_precision_and_beside_nan(rng):
    a = rng.standard_normal((40, 3, 3))
    with la.accelerate(always=True):
        q, r = la.qr(a)
        single, upper = la.qr(a, dtype="f")
        swapped = la.qr(a.astype(a.dtype.newbyteorder()))
        a[5, 1, 1] = NAN
        spoiled, info = la.qr(a, return_info=True)
    np.testing.assert_allclose(single @ upper, q @ r, atol=1e-5)
    assert (abs(single - q) > 1e-9).any()
    assert swapped.Q.tobytes() == q.tobytes()
    others = np.arange(40) != 5
    assert spoiled.Q[others].tobytes() == q[others].tobytes()
    assert np.isnan(spoiled.R[5]).any()
    assert info.shape == (40,)
    assert not info.any()


@pytest.mark.parametrize("mode", ["full", "economic", "r"])
@pytest.mark.parametrize("pivoting", [False, True])
def test_qr_is_scipy_s(rng, mode, pivoting):
    linalg = pytest.importorskip("scipy.linalg")
    for m, n in ((4, 3), (3, 4)):
        whole = random(rng, (2, 3, m, n), "complex64")
        for a in (whole, whole[0, 0]):
            expected = linalg.qr(a, mode=mode, pivoting=pivoting)
            with la.accelerate(always=True):
                found = linalg.qr(a, mode=mode, pivoting=pivoting)
            parts = [list(x) if isinstance(x, (list, tuple)) else [x] for x in (found, expected)]
            for x, y in zip(*parts, strict=True):
                assert x.dtype == y.dtype
                np.testing.assert_allclose(x, y, atol=1e-5)
