"""Oracles of eigenproblems, as those of ``oracles``: W are columns (batch, n, 1)."""

from __future__ import annotations

import numpy as np

from .extended import adjoint, hermitian_noise, norm, random, spoiled, stored, symmetric, wide
from .oracles import Oracle, make_positive, potrf_error


def make_syev(rng, batch, s, f, dtype):
    n = s["n"]
    a = random(rng, (batch, n, n), dtype)
    return {"A": spoiled(a, stored((n, n), f["uplo"])), "W": np.zeros((batch, n, 1), np.dtype(dtype).char.lower())}


def hermitian(a, uplo):
    """All of a matrix of which one triangle is stored."""
    return symmetric(np.nan_to_num(a, nan=0.0), uplo, True)


def syev_error(x, y, f, v):
    a, w = hermitian(x["A"], f["uplo"]), y["W"][:, :, 0]
    assert (np.diff(w) >= 0).all()
    assert w.dtype == x["A"].real.dtype
    if f["jobz"] == "N":
        assert y["A"].tobytes() == x["A"].tobytes()
        return values_error(a, w)
    return max(residual(a, w, y["A"]), orthogonality(y["A"]))


def values_error(a, w):
    """How far values are from those of higher precision, in units of eps, the order and the largest."""
    expected = jacobi(a)
    size = abs(expected).max(axis=1, initial=0)
    return _units(abs(wide(w) - expected).max(axis=1, initial=0), size, w)


def residual(a, w, v):
    """A V - V W, in units of eps, the order and the size of A."""
    return _units(norm(wide(a) @ wide(v) - wide(v) * wide(w)[:, None]), norm(wide(a)), w)


def orthogonality(v):
    """V* V - 1, in units of eps and the order."""
    return _units(norm(adjoint(wide(v)) @ wide(v) - np.eye(v.shape[-1])), np.ones(len(v)), v.real)


def _units(error, size, like):
    units = np.finfo(like.dtype).eps * max(1, like.shape[-1]) * np.where(size == 0, 1, size)
    return float((error / units).max(initial=0))


def jacobi(a):
    """Eigenvalues in the widest precision, by rotations of rows and columns."""
    b = wide(a).copy()
    n = b.shape[-1]
    for _ in range(30 if n > 1 else 0):
        for p in range(n):
            for q in range(p + 1, n):
                off = b[:, p, q]
                size = abs(off)
                half = (b[:, q, q].real - b[:, p, p].real) / np.where(size == 0, 1, 2 * size)
                t = np.where(size == 0, 0, np.where(half < 0, -1, 1) / (abs(half) + np.sqrt(half * half + 1)))
                c = 1 / np.sqrt(t * t + 1)
                s = c * t * off / np.where(size == 0, 1, size)
                x, y = b[:, :, p].copy(), b[:, :, q].copy()
                b[:, :, p], b[:, :, q] = c[:, None] * x - s.conj()[:, None] * y, s[:, None] * x + c[:, None] * y
                x, y = b[:, p].copy(), b[:, q].copy()
                b[:, p], b[:, q] = c[:, None] * x - s[:, None] * y, s.conj()[:, None] * x + c[:, None] * y
        diagonal = np.diagonal(b, axis1=1, axis2=2)
        if (norm(b - diagonal[:, None] * np.eye(n)) <= 1e-18 * norm(b)).all():
            break
    return np.sort(np.diagonal(b, axis1=1, axis2=2).real, axis=1)


def make_sygv(rng, batch, s, f, dtype):
    found = make_syev(rng, batch, s, f, dtype)
    a = hermitian_noise(found["A"], np.dtype(dtype).kind == "c")
    return {"A": a, "B": make_positive(rng, batch, s, f, dtype)["A"], "W": found["W"]}


def sygv_error(x, y, f, v):
    a, b, w = hermitian(x["A"], f["uplo"]), hermitian(x["B"], f["uplo"]), y["W"][:, :, 0]
    assert (np.diff(w) >= 0).all()
    assert w.dtype == x["A"].real.dtype
    of_b = potrf_error({"A": x["B"]}, {"A": y["B"]}, f, v)
    if f["jobz"] == "N":
        return max(of_b, values_error(congruent(a, b, f["itype"]), w))
    return max(of_b, pair_residual(a, b, w, y["A"], f["itype"]))


def pair_residual(a, b, w, v, itype):
    """LAPACK's test ratio, and how far V V* is from B, or from B^-1 beside two of B, in units of eps, the order and
    the sizes. LAPACK asks for that ratio of A V - B V W where the condition of B is 10; the reduction to L^-1 A L^-*
    loses as much more as the condition of L is, by the sizes of L and of V, which is L^-1 times what is unitary."""
    a, b, v, scaled = wide(a), wide(b), wide(v), wide(v) * wide(w)[:, None]
    left, right = {"1": (a @ v, b @ scaled), "2": (a @ (b @ v), scaled), "3": (b @ (a @ v), scaled)}[itype]
    lost = norm(v) * np.sqrt(norm(b)) / max(1, v.shape[-1]) if itype == "1" else norm(b)
    of_b = v if itype == "3" else b @ v
    apart = _units(norm(of_b @ adjoint(of_b) - b), norm(b), w)
    return max(_units(norm(left - right), norm(a) * norm(v) * lost, w), apart)


def lowered(b):
    """L with B = L L*, in the widest precision."""
    found = np.zeros_like(wide(b))
    for j in range(b.shape[-1]):
        sums = b[:, j:, j] - np.einsum("bik,bk->bi", found[:, j:, :j], found[:, j, :j].conj())
        found[:, j:, j] = sums / np.sqrt(sums[:, :1].real)
    return found


def unlowered(b, x):
    """L^-1 X."""
    lower, found = lowered(b), wide(x).copy()
    for i in range(b.shape[-1]):
        found[:, i] -= np.einsum("bk,bkj->bj", lower[:, i, :i], found[:, :i])
        found[:, i] /= lower[:, i, i, None]
    return found


def congruent(a, b, itype):
    """The matrix that has the values of the pair."""
    if itype == "1":
        return unlowered(b, adjoint(unlowered(b, a)))
    return adjoint(lowered(b)) @ a @ lowered(b)


def overwritten(f):
    """Without vectors the matrix that has the values of the pair is in a triangle."""
    triangle = (f["uplo"], "N")
    return {"B": triangle} | ({"A": triangle} if f["jobz"] == "N" else {})


ORACLES = {"syev": Oracle(make_syev, syev_error), "sygv": Oracle(make_sygv, sygv_error, overwritten)}
