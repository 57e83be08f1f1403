"""LU without pivoting: the bits of getrf where it exchanges nothing, reports, pivots of all sizes."""

from __future__ import annotations

import numpy as np
import pytest
from support.extended import DTYPES
from support.kernels import lanes
from support.layouts import as_layout, values
from support.lu_oracles import ORACLES

import bblas_gen as bb

LAYOUTS = ["st", "bi"]


def same(x, y):
    return np.ascontiguousarray(x).tobytes() == np.ascontiguousarray(y).tobytes()


def dominant(m, n, dtype="float64"):
    """Of each column the largest element is on the diagonal, and stays there."""
    a = ORACLES["getrfnp"].make(np.random.default_rng(m), 2 * lanes(dtype) + 3, {"m": m, "n": n}, {}, dtype)["A"]
    k = np.arange(min(m, n))
    a[:, k, k] += 4 * max(m, n)
    return a


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("m", "n"), [(4, 4), (9, 9), (11, 6), (3, 8)])
def test_bits_are_those_of_getrf_without_exchanges(m, n, dtype):
    """Of pivots without an inverse, too, in some lanes of a vector."""
    a = dominant(m, n, dtype)
    real = a.real.dtype
    a[1::3] *= np.array(np.finfo(real).smallest_subnormal * 2.0**12, real)
    a[2, :, 1] = 0
    expected, ipiv, info = bb.getrf(a.copy(), return_info=True)
    assert (ipiv == np.arange(1, min(m, n) + 1)).all()
    assert info.tolist() == [0, 0, 2] + [0] * (len(a) - 3)
    for layout in LAYOUTS:
        found, reported = bb.getrfnp(as_layout(a, layout), return_info=True)
        assert same(values(found), expected)
        assert np.array_equal(reported, info)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_first_zero_pivot_is_reported_and_disturbs_no_other(layout):
    a = dominant(9, 9)
    clean = values(bb.getrfnp(as_layout(a, layout)))
    bad = [2, 5, len(a) - 2]
    for one, p in zip(bad, (0, 6, 8), strict=True):
        a[one, p, : p + 1] = 0  # a regular matrix, but for p = 8
        a[one, : p + 1, p] = 0
    expected = np.zeros(len(a), np.int32)
    expected[bad] = 1, 7, 9
    good = expected == 0
    f, info = bb.getrfnp(as_layout(a, layout), return_info=True)
    assert np.array_equal(info, expected)
    assert same(values(f)[good], clean[good])
    assert same(values(f)[2, :, 0], a[2, :, 0])  # what cannot be divided stays
    b = np.ones((len(a), 9, 2))
    x, info = bb.gesvnp(as_layout(a, layout), as_layout(b, layout), return_info=True)
    assert np.array_equal(info, expected)
    assert same(values(x)[bad], b[bad])
    np.testing.assert_allclose((a @ values(x))[good], b[good], atol=1e-12)
    with pytest.raises(np.linalg.LinAlgError, match=rf"3 of {len(a)} .* have a pivot that is zero: 2 \(info = 1\)"):
        bb.getrfnp(as_layout(a, layout))
    kept = values(f)
    inverse, info = bb.getrinp(f, return_info=True)
    assert np.array_equal(info, expected)
    assert same(values(inverse)[bad], kept[bad])


def test_factors_solve_and_invert(rng):
    a, b = dominant(6, 6, "complex128"), np.ones((2 * lanes("complex128") + 3, 6, 1), complex)
    f = bb.getrfnp(a, overwrite=False)
    for trans, op in (("N", a), ("T", a.swapaxes(1, 2)), ("C", a.conj().swapaxes(1, 2)), ("R", a.conj())):
        np.testing.assert_allclose(op @ bb.getrsnp(f, b, trans=trans, overwrite=False), b, atol=1e-12)
    np.testing.assert_allclose(a @ bb.getrinp(f), np.broadcast_to(np.eye(6), a.shape), atol=1e-12)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_no_number_stays_in_its_matrix(bad):
    a = dominant(9, 9)
    clean = bb.getrfnp(a.copy())
    a[3, 1, 1] = bad
    found, info = bb.getrfnp(a.copy(), return_info=True)
    assert not info.any()
    others = np.arange(len(a)) != 3
    assert same(found[others], clean[others])
