"""Oracles of singular values, as those of ``oracles``: S are columns (batch, k, 1)."""

from __future__ import annotations

import numpy as np

from .extended import adjoint, difference, norm, random, wide
from .oracles import Oracle


def _reals(dtype):
    return np.empty(0, dtype).real.dtype


def _orthonormal(q):
    """Columns that nearly are, to the square of what they lack."""
    return q @ (3 * np.eye(q.shape[-1]) - adjoint(q) @ q) / 2


def values(a):
    """Singular values in extended precision: the diagonal of U* A V, which to first order nothing beside it changes."""
    u, _, vt = np.linalg.svd(wide(a).astype("complex128" if a.dtype.kind == "c" else "float64"), full_matrices=False)
    u, v = _orthonormal(wide(u)), _orthonormal(adjoint(wide(vt)))
    return np.einsum("bij,bij->bj", u.conj(), wide(a) @ v).real[..., None]


def lack(q):
    """How far the columns are from orthonormal, in units of eps and their number of elements."""
    eps = np.finfo(q.dtype).eps
    return float(norm(adjoint(wide(q)) @ wide(q) - np.eye(q.shape[-1])).max(initial=0)) / eps / max(1, *q.shape[1:])


def descend(s):
    return bool((s >= 0).all() and (np.diff(s, axis=1) <= 0).all())


def make_gesvd(rng, batch, s, f, dtype):
    m, n = s["m"], s["n"]
    k = min(m, n)
    values = np.zeros((batch, k, 1), _reals(dtype))
    vectors = {"U": np.zeros((batch, m, k), dtype), "VT": np.zeros((batch, k, n), dtype)}
    return {"A": random(rng, (batch, m, n), dtype), "S": values, **vectors}


def gesvd_error(x, y, f, v):
    """Residual, and orthogonality, as LAPACK's xBDT01 and xORT01 measure them."""
    assert descend(y["S"])
    a, u, s, vt = x["A"], wide(y["U"]), wide(y["S"]), wide(y["VT"])
    product = (u * np.swapaxes(s, 1, 2)) @ vt
    residual = difference(a, product, norm(wide(a)) * max(1, *a.shape[1:]))
    return max(residual, lack(y["U"]), lack(adjoint(y["VT"])), values_error(x, y, f, v))


def make_values(rng, batch, s, f, dtype):
    found = make_gesvd(rng, batch, s, f, dtype)
    return {"A": found["A"], "S": found["S"]}


def values_error(x, y, f, v):
    assert descend(y["S"])
    if not y["S"].size:
        return 0.0
    return difference(y["S"], values(x["A"]), norm(wide(x["A"])))


def spoil(matrix, j, kind):
    """One that is not finite."""
    matrix[0, -1] = (np.nan, np.inf, -np.inf)[kind]


ORACLES = {
    "gesvd": Oracle(make_gesvd, gesvd_error, fail=spoil),
    "gesvdvals": Oracle(make_values, values_error, fail=spoil),
}
