"""Singular values: matrices as LAPACK's tests have them, hard on iterations, and what users hand over and get."""

from __future__ import annotations

import numpy as np
import pytest
from support.extended import DTYPES, adjoint, norm, random, wide
from support.svd_oracles import lack, values

import bblas_gen as bb
import bblas_gen.linalg as la

NAN = float("nan")
SHAPES = [(2, 2), (8, 4), (5, 9)]
MORE = [(1, 1), (3, 3), (4, 4), (8, 8), (17, 8), (16, 16), (3, 32), (32, 32)]


def product(rng, m, n, dtype, s):
    """Matrices with the singular values ``s``."""
    k = len(s)
    u, v = (
        np.linalg.qr(random(rng, (19, side, k), "complex128" if np.dtype(dtype).kind == "c" else "float64"))[0]
        for side in (m, n)
    )
    return (u * s) @ adjoint(v)


def families(m, n, dtype):
    """Matrices by name. Of those that are ``graded`` each value has its own relative accuracy."""
    rng, info, k = np.random.default_rng(m * n), np.finfo(dtype), min(m, n)
    plain = random(rng, (19, m, n), "complex128" if np.dtype(dtype).kind == "c" else "float64")
    ones = np.ones(k)
    found = {
        "zero": 0 * plain,
        "identity": 0 * plain + np.eye(m, n),
        "rank one": plain[:, :, :1] @ plain[:, :1],
        "rank half": product(rng, m, n, dtype, ones * (np.arange(k) < k / 2)),
        "columns of zeros": plain * (np.arange(n) % 2),
        "repeated": product(rng, m, n, dtype, ones),
        "clustered": product(rng, m, n, dtype, 1 + 1e-12 * np.arange(k)),
        "condition 1e15": product(rng, m, n, dtype, np.logspace(0, -15, k)),
        "rows graded": plain * np.logspace(0, -20, m)[:, None],
        "columns graded": plain * np.logspace(0, -30, n),
        "Hilbert": 1 / (1 + np.arange(m)[:, None] + np.arange(n)) + 0 * plain,
        "Kahan": np.triu(np.where(np.eye(m, n), 1, -0.5)) * 0.8 ** np.arange(m)[:, None] + 0 * plain,
        "huge": plain * (float(info.max) / 64 / max(m, n)),
        "tiny": plain * float(info.tiny) * 8,
        "subnormal": plain * float(info.smallest_subnormal) * 500,
        "of all sizes": plain * np.where(np.arange(n) % 2, float(info.max) / 2**20, float(info.tiny)),
    }
    return {name: np.ascontiguousarray(x).astype(dtype) for name, x in found.items()}


def ratio(a, u, s, vt):
    """LAPACK's test ratios, the largest of them; what is below the smallest number is no error."""
    assert (s >= 0).all()
    assert (np.diff(s, axis=1) <= 0).all()
    size, error = norm(wide(a)), norm((wide(u) * wide(s)[:, None]) @ wide(vt) - wide(a))
    least = float(np.finfo(a.dtype).smallest_subnormal) * 2 * max(a.shape[1:])
    error = np.maximum(error - least, 0) / np.where(size == 0, 1, size)
    residual = float(error.max()) / np.finfo(a.dtype).eps / max(a.shape[1:])
    return max(residual, lack(u), lack(adjoint(vt)))


def check(m, n, dtype):
    for name, a in families(m, n, dtype).items():
        u, s, vt, info = bb.gesvd(a, return_info=True)
        assert not info.any(), name
        assert ratio(a, u, s, vt) < 30, (name, ratio(a, u, s, vt))
        alone, info = bb.gesvdvals(a, return_info=True)
        assert not info.any(), name
        largest = s[:, :1].astype(np.longdouble)
        assert (abs(alone - s) <= 30 * np.finfo(dtype).eps * largest).all(), name


@pytest.mark.parametrize(("m", "n"), SHAPES)
@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_matrices_of_all_kinds(m, n, dtype):
    check(m, n, dtype)


@pytest.mark.thorough
@pytest.mark.parametrize(("m", "n"), [*SHAPES, *MORE])
@pytest.mark.parametrize("dtype", DTYPES)
def test_more_shapes_of_all_kinds(m, n, dtype):
    check(m, n, dtype)


def test_small_values_of_graded_columns_are_accurate_themselves():
    a = random(np.random.default_rng(1), (19, 4, 3), "float64") * np.logspace(0, -12, 3)
    expected = values(a.astype(np.longdouble) / np.logspace(0, -12, 3))
    s = bb.gesvdvals(a)
    assert (s[:, 2] > 0).all()
    scaled = np.sqrt(np.linalg.det(adjoint(a / np.logspace(0, -12, 3)) @ (a / np.logspace(0, -12, 3))))
    np.testing.assert_allclose(np.prod(s / np.logspace(0, -12, 3), axis=1), scaled, rtol=1e-13)
    np.testing.assert_allclose(np.prod(expected[..., 0], axis=1).astype(float), scaled, rtol=1e-13)


def test_values_a_few_units_apart_are_told_apart():
    """Elements beside the diagonal of that size count."""
    eps = np.finfo("float64").eps
    a = np.tile(np.eye(5, 9) + 16 * eps * np.eye(5, 9, k=1), (19, 1, 1))
    expected = 16 * np.cos(np.pi * np.arange(1, 6) / 6)
    for s in (bb.gesvd(a)[1], bb.gesvdvals(a)):
        assert (abs((s - 1) / eps - expected) < 4).all()


@pytest.mark.parametrize("bad", [NAN, np.inf, -np.inf])
@pytest.mark.parametrize(("shape", "dtype"), [((4, 3), "complex128"), ((5, 9), "float64")])
def test_what_is_not_finite_is_reported_and_disturbs_no_other(shape, dtype, bad):
    """By rotations, and by steps to diagonal ones: no loop waits for it, or it would be counted."""
    a = random(np.random.default_rng(2), (19, *shape), dtype)
    clean = bb.gesvd(a)
    spoiled = a.copy()
    spoiled[3], spoiled[4, 3, 2] = bad, complex(0, bad) if dtype == "complex128" else bad
    *found, info = bb.gesvd(spoiled, return_info=True)
    assert info.tolist() == [int(i in (3, 4)) for i in range(19)]
    others = np.setdiff1d(range(19), [3, 4])
    for one, expected in zip(found, clean, strict=True):
        assert np.isnan(one[[3, 4]]).all()
        assert one[others].tobytes() == expected[others].tobytes()
    with pytest.raises(np.linalg.LinAlgError, match="singular values"):
        bb.gesvdvals(spoiled)


def test_results_may_be_given_or_left_out_and_one_matrix_is_one_problem():
    a = random(np.random.default_rng(3), (11, 3, 5), "complex64")
    u, s, vt = bb.gesvd(a)
    assert (u.shape, s.shape, vt.shape) == ((11, 3, 3), (11, 3), (11, 3, 5))
    assert s.dtype == np.float32
    mine = np.empty_like(u), np.empty_like(s), np.empty_like(vt)
    found = bb.gesvd(a, *mine)
    assert all(x is y for x, y in zip(found, mine, strict=True))
    assert [x.tobytes() for x in found] == [x.tobytes() for x in (u, s, vt)]
    one = bb.gesvd(a[2])
    assert [x.tobytes() for x in one] == [x[2].tobytes() for x in (u, s, vt)]
    into = np.empty_like(s)
    assert bb.gesvdvals(a, into) is into
    alone, info = bb.gesvdvals(bb.interleave(a), return_info=True)
    assert not info.any()
    np.testing.assert_allclose(alone.deinterleave()[..., 0], s, rtol=1e-5)
    several = [a[0], a[1, :2], a[2, :, :1]]
    for x, left, value, right in zip(several, *bb.gesvd(several), strict=True):
        assert ratio(x[None], left[None], value.reshape(1, -1), right[None]) < 30


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda a: bb.gesvd(a, np.empty((11, 4, 4))), "u has 4 columns"),
        (lambda a: bb.gesvd(a, s=np.empty((11, 4))), "s has 4 rows"),
        (lambda a: bb.gesvd(a, vt=a[:, :3]), "overlaps"),
        (lambda a: bb.gesvdvals(a, np.broadcast_to(1.0, (11, 3))), "s is read-only"),
        (lambda a: bb.gesvdvals(a, np.empty((11, 3), np.float32)), "dtype"),
    ],
)
def test_refusals_name_the_argument(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call(np.ones((11, 4, 3)))


@pytest.fixture
def always():
    with la.accelerate(always=True):
        yield


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize(("m", "n"), [(8, 4), (5, 9)])
def test_numpy_s_functions(m, n, monkeypatch):
    a = random(np.random.default_rng(4), (2, 10, m, n), "float64")
    a[1, 3, :, 2] = a[1, 3, :, 0]
    original = np.linalg.svd(a, full_matrices=False)
    monkeypatch.setattr("bblas_gen.linalg.gufuncs.by_numpy", lambda name, *_: pytest.fail(f"{name} is NumPy's"))
    for full in (False, True):
        u, s, vh = la.svd(a, full_matrices=full)
        k = min(m, n)
        assert (u.shape[2:], vh.shape[2:]) == (((m, m), (n, n)) if full else ((m, k), (k, n)))
        np.testing.assert_allclose(s, original.S, atol=1e-13)
        np.testing.assert_allclose((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], a, atol=1e-13)
        assert max(lack(u.reshape(20, *u.shape[2:])), lack(adjoint(vh).reshape(20, *vh.shape[:1:-1]))) < 30
    np.testing.assert_allclose(la.svdvals(a), original.S, atol=1e-13)
    np.testing.assert_allclose(la.svd(a, compute_uv=False), original.S, atol=1e-13)
    np.testing.assert_allclose(la.norm(a, 2, axis=(2, 3)), original.S[..., 0])
    np.testing.assert_allclose(la.norm(a, "nuc", axis=(2, 3)), original.S.sum(axis=-1))
    assert (la.matrix_rank(a) == min(m, n) - (m > n) * (np.arange(20).reshape(2, 10) == 13)).all()
    pseudo = la.pinv(a)
    np.testing.assert_allclose(a @ pseudo @ a, a, atol=1e-12)
    np.testing.assert_allclose(la.cond(a[0]), original.S[0, :, 0] / original.S[0, :, -1])


@pytest.mark.usefixtures("always")
def test_failures_are_numpy_s():
    a = random(np.random.default_rng(5), (3, 8, 4), "float64")
    a[1, 2, 3] = NAN
    with pytest.raises(np.linalg.LinAlgError, match=r"^SVD did not converge$"):
        la.svd(a)
    (u, s, vh), info = la.svd(a, full_matrices=False, check="nan", return_info=True)
    assert info.tolist() == [0, 1, 0]
    assert all(np.isnan(x[1]).all() and np.isfinite(x[::2]).all() for x in (u, s, vh))
