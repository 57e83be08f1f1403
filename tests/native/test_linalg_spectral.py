"""What is made of singular values and eigenvalues: exact to the condition of matrices of any scale, graded, or of which
some values count as zero."""

from __future__ import annotations

import numpy as np
import pytest

import bblas_gen.linalg as la

COUNT = 20
SCALES = (1.0, 1e150, 1e-150)
RATIO = 30


@pytest.fixture(autouse=True)
def always():
    with la.accelerate(always=True):
        yield


def columns(rng, rows, count, dtype):
    """Orthonormal to more digits than the precision has."""
    x = rng.standard_normal((COUNT, rows, count)) + (
        1j * rng.standard_normal((COUNT, rows, count)) if dtype == "D" else 0
    )
    x = np.linalg.qr(x)[0].astype(np.clongdouble if dtype == "D" else np.longdouble)
    for _ in range(2):  # of Newton
        x = x @ (1.5 * np.eye(count) - 0.5 * (x.conj().mT @ x))
    return x


def largest(x):
    return abs(x).max(axis=(-2, -1))


@pytest.mark.parametrize("dtype", ["d", "D"])
@pytest.mark.parametrize(("m", "n"), [(2, 2), (4, 4), (6, 4), (4, 7), (9, 5)])
@pytest.mark.parametrize("grade", [0, 6, 12])
def test_inverses_ranks_and_conditions(m, n, dtype, grade, rng):
    """The last singular value of every second matrix is far below all that rounding leaves."""
    few = min(m, n)
    u, v = columns(rng, m, few, dtype), columns(rng, n, few, dtype)
    values = np.tile(np.logspace(0, -grade, few), (COUNT, 1))
    values[::2, -1] = 1e-40
    kept = np.ones((COUNT, few))
    kept[::2, -1] = 0
    bound = RATIO * np.finfo("d").eps * values[:, 0] / np.where(kept > 0, values, 1).min(axis=1)
    for scale in SCALES:
        a = (u * (values * scale)[:, None]) @ v.conj().mT
        expected = (v * (kept / (values * scale))[:, None]) @ u.conj().mT
        given = a.astype(dtype)
        found = la.pinv(given, rcond=1e-14)
        assert found.dtype == dtype
        assert (largest(found - expected) <= bound * largest(expected)).all()
        assert la.matrix_rank(given).tolist() == kept.sum(axis=1).astype(int).tolist()
        conditions = la.cond(given)
        assert (abs(conditions[1::2] * values[1::2, -1] - 1) <= bound[1::2]).all()
        assert (conditions[::2] > 1e15).all()


@pytest.mark.parametrize("dtype", ["d", "D"])
@pytest.mark.parametrize("n", [2, 3, 5, 8])
def test_inverses_of_indefinite_matrices(n, dtype, rng):
    pytest.importorskip("scipy.linalg")
    q = columns(rng, n, n, dtype)
    for grade in (0, 6, 12):
        signs = np.where(np.arange(n) % 2, -1, 1)
        for scale in SCALES:
            values = np.logspace(0, -grade, n) * signs * scale
            a = ((q * values) @ q.conj().mT).astype(dtype)
            a = (a + a.conj().mT) / 2
            expected = (q / values) @ q.conj().mT
            found, rank = la.pinvh(a, rtol=1e-15, return_rank=True)
            assert (largest(found - expected) <= RATIO * np.finfo("d").eps * 10.0**grade * largest(expected)).all()
            assert (rank == n).all()
            values[-1] = 0
            a = ((q * values) @ q.conj().mT).astype(dtype)
            found, rank = la.pinvh((a + a.conj().mT) / 2, rtol=1e-14, return_rank=True)
            assert (rank == n - 1).all()
            expected = (q[..., :-1] / values[:-1]) @ q[..., :-1].conj().mT
            error = largest(found - expected)
            assert (error <= RATIO * np.finfo("d").eps * values[0] / abs(values[:-1]).min() * largest(expected)).all()


@pytest.mark.parametrize("dtype", ["d", "D"])
@pytest.mark.parametrize(("m", "n"), [(2, 2), (4, 4), (6, 4), (4, 7)])
@pytest.mark.parametrize("side", ["right", "left"])
def test_polar_factors(m, n, side, dtype, rng):
    """A = U H, or H U: U orthonormal also where A is as good as singular, H Hermitian, its values those of A."""
    pytest.importorskip("scipy.linalg")
    few, eps = min(m, n), np.finfo("d").eps
    u, v = columns(rng, m, few, dtype), columns(rng, n, few, dtype)
    for grade in (0, 6, 12, 20):
        for scale in (*SCALES, 1e300, 1e-300):
            values = np.logspace(0, -grade, few) * scale
            a = ((u * values) @ v.conj().mT).astype(dtype)
            unitary, h = la.polar(a, side=side)
            product = unitary @ h if side == "right" else h @ unitary
            assert (largest(product - a) <= RATIO * eps * largest(a)).all()
            across = unitary.conj().mT @ unitary if m >= n else unitary @ unitary.conj().mT
            assert (largest(across - np.eye(few)) <= RATIO * eps).all()
            assert (largest(h - h.conj().mT) <= RATIO * eps * largest(h)).all()
            order = h.shape[-1]
            found = np.linalg.eigvalsh(h / scale)[:, ::-1]
            wanted = np.append(values / scale, np.zeros(order - few))
            assert (abs(found - wanted) <= RATIO * eps).all()
