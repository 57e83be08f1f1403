"""Oracles of QR, as those of ``oracles``: TAU are columns (batch, k, 1)."""

from __future__ import annotations

import numpy as np

from .extended import adjoint, apply, difference, norm, random, wide
from .oracles import Oracle, times


def reflections(a, tau):
    """Q of all rows: the product of I - tau v v*."""
    v = wide(a)
    q = np.zeros((a.shape[0], a.shape[1], a.shape[1]), v.dtype) + np.eye(a.shape[1])
    for p in range(min(tau.shape[1], a.shape[1], a.shape[2])):
        one = np.where(np.arange(a.shape[1]) < p, 0, v[:, :, p])
        one[:, p] = 1
        column = one[:, :, None]
        q = q - (q @ column) * wide(tau)[:, p, None] @ adjoint(column)
    return q


def unitary(q, count):
    """How far Q is from it, in units of eps and its size."""
    q = q[:, :, :count]
    return norm(adjoint(q) @ q - np.eye(count)).max(initial=0)


def make_geqrf(rng, batch, s, f, dtype):
    a = random(rng, (batch, s["m"], s["n"]), dtype)
    return {"A": a, "TAU": np.zeros((batch, min(s["m"], s["n"]), 1), dtype)}


def geqrf_error(x, y, f, v):
    q = reflections(y["A"], y["TAU"])
    product = q @ np.triu(wide(y["A"]))
    eps = np.finfo(y["A"].dtype).eps
    size = max(1, *x["A"].shape[1:])
    assert unitary(q, q.shape[1]) <= 10 * eps * size
    if min(x["A"].shape[1:]):
        assert (np.diagonal(y["A"], axis1=1, axis2=2).imag == 0).all()
    return difference(product.astype(y["A"].dtype), x["A"], norm(wide(x["A"])) * size)


def make_reflections(rng, batch, m, k, dtype):
    """Reflections of random matrices, as LAPACK makes them."""
    a, tau = random(rng, (batch, m, k), dtype), np.zeros((batch, k, 1), dtype)
    for p in range(min(m, k)):
        column = a[:, p:, p]
        head, size = column[:, 0].copy(), np.sqrt((np.abs(column) ** 2).sum(axis=1))
        beta = np.where(head.real < 0, size, -size)
        tau[:, p, 0] = (beta - head) / beta
        a[:, p + 1 :, p] = column[:, 1:] / (head - beta)[:, None]
    a[:, np.triu(np.ones((m, k), bool))] = np.nan  # R is not read
    return {"A": a, "TAU": tau}


def plain(a):
    """Without R."""
    return np.tril(np.nan_to_num(a), -1)


def make_ormqr(rng, batch, s, f, dtype):
    ka = s["m"] if f["side"] == "L" else s["n"]
    found = make_reflections(rng, batch, ka, s["k"], dtype)
    return {**found, "C": random(rng, (batch, s["m"], s["n"]), dtype)}


def ormqr_error(x, y, f, v):
    q = apply(f["trans"], reflections(plain(x["A"]), x["TAU"]))
    expected = times(f["side"], q, wide(x["C"]))
    return difference(y["C"], expected, norm(wide(x["C"])) * max(1, q.shape[-1]))


def make_orgqr(rng, batch, s, f, dtype):
    found = make_reflections(rng, batch, s["m"], max(s["n"], s["k"]), dtype)
    found["A"][:, :, s["k"] :] = np.nan
    return {"A": found["A"][:, :, : s["n"]].copy(), "TAU": found["TAU"][:, : s["k"]].copy()}


def orgqr_error(x, y, f, v):
    m, n = x["A"].shape[1:]
    k = min(x["TAU"].shape[1], n)
    q = reflections(plain(x["A"])[:, :, :k], x["TAU"])
    expected = np.zeros((len(q), m, n), q.dtype)
    expected[:, :, : min(m, n)] = q[:, :, :n]
    return difference(y["A"], expected, norm(expected) * max(1, m))


def make_geqp3(rng, batch, s, f, dtype):
    """Columns of all lengths, and some that are nearly others, whose norms have to be computed anew."""
    x = make_geqrf(rng, batch, s, f, dtype)
    a = x["A"] * 10.0 ** rng.integers(-3, 4, (batch, 1, s["n"]))
    a[:, :, 1::3] = a[:, :, :-1:3] * (1 + 1e-4 * random(rng, (batch, 1, 1), dtype).real) + 1e-5 * a[:, :, 1::3]
    return {"A": a.astype(dtype), "JPVT": np.zeros((batch, s["n"]), np.int32), "TAU": x["TAU"]}


def geqp3_error(x, y, f, v):
    """The factorization of the columns as they were exchanged; each diagonal element is as long as what stands in its
    row's square to the right of it."""
    order = y["JPVT"].astype(int) - 1
    assert (np.sort(order, axis=1) == np.arange(order.shape[1])).all()
    r, eps = np.triu(wide(y["A"])), np.finfo(y["A"].dtype).eps
    for p in range(min(r.shape[1:])):
        lengths = np.sqrt((np.abs(r[:, p:, p:]) ** 2).sum(axis=1))
        assert (lengths[:, :1] >= lengths * (1 - 100 * eps**0.5)).all()
    return geqrf_error({"A": np.take_along_axis(x["A"], order[:, None], 2)}, y, f, v)


def make_gels(rng, batch, s, f, dtype):
    m, n = s["m"], s["n"]
    a = random(rng, (batch, m, n), dtype)
    b = random(rng, (batch, max(m, n), s["nrhs"]), dtype)
    b[:, m:] = np.nan  # not read
    return {"A": apply(f["trans"], a).copy(), "B": b}


def gels_error(x, y, f, v):
    """Of LAPACK's tests: the residual is orthogonal to the columns of op(A), or X is in the space of its rows; what
    is below X has the norm of the residual."""
    a = apply(f["trans"], wide(x["A"]))
    m, n = a.shape[1:]
    b, found = wide(x["B"])[:, :m], wide(y["B"])
    solved, size = found[:, :n], max(1, m, n)
    left = b - a @ solved
    scale = norm(a) * norm(solved) + norm(b)
    if m < n:
        space = np.linalg.qr(adjoint(a).astype(complex if a.dtype.kind == "c" else float))[0]
        outside = solved - space @ (adjoint(space) @ solved)
        eps = np.finfo(y["B"].dtype).eps
        assert (norm(outside) <= 30 * size * eps * (norm(solved) + 1)).all()
        return difference((b - left).astype(y["B"].dtype), b, scale * size)
    products = (adjoint(a) @ left).astype(y["B"].dtype)
    lengths = [np.sqrt((np.abs(part) ** 2).sum(axis=1, keepdims=True)) for part in (found[:, n:], left)]
    below = lengths[0] - lengths[1]
    rest = difference(below.astype(y["B"].real.dtype), np.zeros_like(below), scale * size)
    return max(rest, difference(products, np.zeros_like(products), norm(a) * scale * size))


def cross_of_zeros(a, j, kind):
    """Whether rows or columns are more."""
    a[j], a[:, j] = 0.0, (0.0, -0.0, 0.0)[kind]


ORACLES = {
    "gels": Oracle(make_gels, gels_error, fail=cross_of_zeros),
    "geqp3": Oracle(make_geqp3, geqp3_error),
    "geqrf": Oracle(make_geqrf, geqrf_error),
    "ormqr": Oracle(make_ormqr, ormqr_error),
    "orgqr": Oracle(make_orgqr, orgqr_error),
}
