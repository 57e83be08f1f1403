"""LAPACK's test ratios of factorizations and solvers over the kinds of matrices that its test programs have."""

from __future__ import annotations

import numpy as np
import pytest
from support.extended import adjoint, norm, random, wide

import bblas_gen as bb

TRIED = [("float64", 5), pytest.param("complex64", 9, marks=pytest.mark.thorough)]
EASY = 2
"""The first so many kinds are well-conditioned: those are scaled to the ends of the range, too."""


def kinds(n, dtype, *, definite):
    """Conditions to 1 / eps, one small or one large value, a cluster, graded downwards and upwards, Hilbert's, Kahan's,
    Wilkinson's; then the first ones near overflow and underflow; and what each is scaled by."""
    rng, info, k = np.random.default_rng(n), np.finfo(dtype), np.arange(n)
    p, q = (np.linalg.qr(random(rng, (8, n, n), np.promote_types(dtype, "d").name))[0] for _ in range(2))
    p, q, eps, power = p, p if definite else q, float(info.eps), np.linspace(0, 1, n)
    values = [10.0**-power, 100.0**-power, eps ** (power / 2), (30 * eps) ** power, 1 + eps * k]
    values += [np.where(power < 1, 1, 30 * eps), np.where(power > 0, 30 * eps, 1)]
    found = [(p[i] * s) @ adjoint(q[i]) for i, s in enumerate(values)]
    graded = (np.eye(n) + (q[7] + adjoint(q[7])) / 10) * 100.0 ** -(k[:, None] + k)
    kahan = 0.9 ** k[:, None] * (np.eye(n) - 0.4 * np.triu(np.ones((n, n)), 1))
    wilkinson = np.diag(abs(k - (n - 1) / 2) + 2.5 * definite) + np.eye(n, k=1) + np.eye(n, k=-1)
    found += [graded, graded[::-1, ::-1], 1 / (1.0 + k[:, None] + k) + 30 * eps * np.eye(n)]
    found += [adjoint(kahan) @ kahan if definite else kahan, wilkinson]
    a = np.stack([((x + adjoint(x)) / 2 if definite else x).astype(dtype) for x in found])
    scales = np.ldexp(np.ones(2, info.dtype), [info.maxexp - 8, info.minexp + 10])
    scale = np.concatenate([np.ones(len(a), info.dtype), np.repeat(scales, EASY)])[:, None, None]
    return np.concatenate([a, a[:EASY], a[:EASY]]) * scale, scale


def ratio(error, size, dtype):
    return float((norm(error) / size).max()) / np.finfo(dtype).eps / error.shape[-2]


@pytest.mark.parametrize(("dtype", "n"), TRIED)
def test_cholesky_factors_and_solutions(dtype, n):
    a, scale = kinds(n, dtype, definite=True)
    factor, info = bb.potrf(a, overwrite=False, return_info=True)
    assert not info.any()
    lower = np.tril(wide(factor)) / np.sqrt(wide(scale))
    one = wide(a) / scale
    assert ratio(lower @ adjoint(lower) - one, norm(one), dtype) < 30
    solves(a, scale, bb.posv)


@pytest.mark.parametrize(("dtype", "n"), TRIED)
def test_lu_factors_and_solutions(dtype, n):
    a, scale = kinds(n, dtype, definite=False)
    factors, pivots, info = bb.getrf(a, overwrite=False, return_info=True)
    assert not info.any()
    lower, upper = np.tril(wide(factors), -1) + np.eye(n), np.triu(wide(factors)) / scale
    assert (abs(lower) <= 2**0.5).all()
    permuted = exchanged(wide(a) / scale, pivots)
    assert ratio(lower @ upper - permuted, norm(permuted), dtype) < 30
    solves(a, scale, bb.gesv)


def exchanged(a, pivots):
    """Rows, as getrf exchanged them."""
    for x, order in zip(a, pivots, strict=True):
        for i, other in enumerate(order):
            x[[i, other - 1]] = x[[other - 1, i]]
    return a


@pytest.mark.parametrize(("dtype", "n"), TRIED)
def test_lu_factors_and_solutions_without_pivoting(dtype, n):
    """Of what needs none: positive definite matrices, diagonally dominant ones, and those with rows exchanged before,
    whose factors are then those of getrf."""
    (definite, scale), (a, _) = (kinds(n, dtype, definite=definite) for definite in (True, False))
    factors, pivots = bb.getrf(a, overwrite=False)
    ahead = exchanged(a.copy(), pivots)
    k = np.arange(n)
    dominant = a.copy()
    dominant[:, k, k] = 2 * abs(a).sum(axis=2)
    for one in (definite, dominant, ahead):
        found, info = bb.getrfnp(one, overwrite=False, return_info=True)
        assert not info.any()
        lower, upper = np.tril(wide(found), -1) + np.eye(n), np.triu(wide(found)) / scale
        assert ratio(lower @ upper - wide(one) / scale, norm(wide(one) / scale), dtype) < 30
        solves(one, scale, bb.gesvnp)
    assert found.tobytes() == factors.tobytes()


def solves(a, scale, call):
    """B has the size of A, so that X is of a size that there is."""
    b = np.ones_like(a[..., :1]) * scale
    x, info = call(a, b, overwrite=False, return_info=True)
    assert not info.any()
    one, right = wide(a) / scale, wide(b) / scale
    assert ratio(one @ wide(x) - right, norm(one) * norm(wide(x)) + norm(right), a.dtype) < 30


@pytest.mark.parametrize(("dtype", "n"), TRIED)
def test_inverses(dtype, n):
    a, scale = kinds(n, dtype, definite=False)
    inverse, info = bb.getri(*bb.getrf(a, overwrite=False), return_info=True)
    assert not info.any()
    one, other = wide(a) / scale, wide(inverse) * scale
    assert ratio(other @ one - np.eye(n), norm(one) * norm(other), dtype) < 30
