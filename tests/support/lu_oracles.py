"""Oracles of LU, as those of ``oracles``: pivots are arrays (batch, n) of int32."""

from __future__ import annotations

import numpy as np

from .extended import apply, spoiled, stored, wide
from .oracles import Oracle, adjoint, difference, inverse_error, norm, random, singular


def general(rng, batch, m, n, dtype):
    return random(rng, (batch, m, n), dtype)


def permuted(b, ipiv, *, backwards=False):
    """The exchanges of rows, one after another."""
    b = np.array(b)
    order = range(ipiv.shape[1])
    for lane, pivots in enumerate(ipiv):
        for i in reversed(order) if backwards else order:
            b[lane, [i, pivots[i] - 1]] = b[lane, [pivots[i] - 1, i]]
    return b


def halves(a):
    """L and U of what getrf leaves."""
    m, n = a.shape[1:]
    k = min(m, n)
    lower = np.tril(wide(a)[:, :, :k], -1) + np.eye(m, k)
    return lower, np.triu(wide(a)[:, :k])


def factored(a, ipiv):
    """P L U."""
    lower, upper = halves(a)
    return permuted(lower @ upper, ipiv, backwards=True)


def make_getrf(rng, batch, s, f, dtype):
    m, n = s["m"], s["n"]
    return {"A": general(rng, batch, m, n, dtype), "IPIV": np.zeros((batch, min(m, n)), np.int32)}


def getrf_error(x, y, f, v):
    a = wide(x["A"])
    check_pivots(y)
    return difference(factored(y["A"], y["IPIV"]).astype(y["A"].dtype), a, norm(a) * max(1, a.shape[-1]))


def check_pivots(y):
    """Each names a row that is not above its own, and L is no larger than LAPACK's."""
    m = y["A"].shape[1]
    k = y["IPIV"].shape[1]
    assert (y["IPIV"] >= np.arange(1, k + 1)).all()
    assert (y["IPIV"] <= m).all()
    lower = np.tril(y["A"][:, :, :k], -1)
    assert (np.abs(lower.real) + np.abs(lower.imag)).max(initial=0) < (2.01 if y["A"].dtype.kind == "c" else 1.01)


def factors(rng, batch, n, dtype):
    """Factors with pivots of all rows."""
    a = np.triu(general(rng, batch, n, n, dtype)) / max(1, n) + np.tril(general(rng, batch, n, n, dtype), -1) / max(
        1, n
    )
    a[:, np.arange(n), np.arange(n)] += 2
    low = np.arange(1, n + 1, dtype=np.int32)
    return {"A": a.astype(dtype), "IPIV": rng.integers(low, n + 1, (batch, n), dtype=np.int32)}


def make_getrs(rng, batch, s, f, dtype):
    return {**factors(rng, batch, s["n"], dtype), "B": random(rng, (batch, s["n"], s["nrhs"]), dtype)}


def getrs_error(x, y, f, v):
    a = apply(f["trans"], factored(x["A"], x["IPIV"]))
    product = (a @ wide(y["B"])).astype(y["B"].dtype)
    return difference(product, wide(x["B"]), norm(a) * norm(wide(y["B"])) * max(1, a.shape[-1]) + norm(x["B"]))


def make_gesv(rng, batch, s, f, dtype):
    n = {"m": s["n"], "n": s["n"]}
    return {**make_getrf(rng, batch, n, f, dtype), "B": random(rng, (batch, s["n"], s["nrhs"]), dtype)}


def gesv_error(x, y, f, v):
    solved = {"A": y["A"], "IPIV": y["IPIV"], "B": x["B"]}
    return max(getrf_error(x, y, f, v), getrs_error(solved, y, {"trans": "N"}, v))


def make_getri(rng, batch, s, f, dtype):
    return factors(rng, batch, s["n"], dtype)


def getri_error(x, y, f, v):
    a, b = factored(x["A"], x["IPIV"]), wide(y["A"])
    return inverse_error((a @ b).astype(y["A"].dtype), np.eye(a.shape[-1]), a, b)


def make_gedet(rng, batch, s, f, dtype):
    """Determinants, of which some are beyond all exponents."""
    x = factors(rng, batch, s["n"], dtype)
    scale = 10.0 ** rng.choice([-30, -2, 0, 1, 30], (batch, 1, 1))
    a = spoiled((x["A"] * scale).astype(dtype), stored((s["n"], s["n"]), "D"))
    return {"A": a, "IPIV": x["IPIV"], "R": np.zeros((batch, 1, 1), dtype)}


def make_geslogdet(rng, batch, s, f, dtype):
    return {**make_gedet(rng, batch, s, f, dtype), "E": np.zeros((batch, 1, 1), dtype)}


def determinant(x):
    """The product of the diagonal in extended precision, mantissas (batch, 1, 1) and exponents."""
    n = x["A"].shape[1]
    product, exponent = np.ones(len(x["A"]), wide(x["A"]).dtype), np.zeros(len(x["A"]), int)
    for i in range(n):
        product = product * wide(x["A"])[:, i, i] * np.where(x["IPIV"][:, i] == i + 1, 1, -1)
        power = np.frexp(abs(product))[1]
        product, exponent = product * np.longdouble(2) ** -power, exponent + power
    return product[:, None, None], exponent[:, None, None]


def gedet_error(x, y, f, v):
    """What is too large is not finite; of what is too small the last place counts that there is."""
    limits, n = np.finfo(y["R"].dtype), max(1, x["A"].shape[1])
    product, exponent = determinant(x)
    large, far = exponent > limits.maxexp + 2, exponent < limits.minexp - 100
    assert not np.isfinite(y["R"][large]).any()
    expected = np.where(large | far, 0, product * np.longdouble(2) ** np.where(large | far, 0, exponent))
    fits = abs(exponent) <= limits.maxexp - 2
    scale = np.where(fits, abs(expected) * n, np.inf) + limits.tiny
    return difference(np.where(fits | far, y["R"], 0), expected, scale[:, 0, 0])


def geslogdet_error(x, y, f, v):
    n = max(1, x["A"].shape[1])
    product, exponent = determinant(x)
    size = abs(product)
    expected = np.log(size) + exponent * np.log(np.longdouble(2))
    log = difference(y["E"], expected, np.maximum(abs(expected), n)[:, 0, 0])
    return max(log, difference(y["R"], product / size, np.full(len(size), n)))


def make_laswp(rng, batch, s, f, dtype):
    rows = s["m"] if f["side"] == "L" else s["n"]
    k = min(s["k"], rows)
    low = np.arange(1, k + 1, dtype=np.int32)
    ipiv = rng.integers(low, rows + 1, (batch, k), dtype=np.int32)
    return {"A": general(rng, batch, s["m"], s["n"], dtype), "IPIV": ipiv}


def laswp_error(x, y, f, v):
    a = x["A"] if f["side"] == "L" else adjoint(x["A"]).conj()
    expected = permuted(a, x["IPIV"], backwards=f["trans"] in "TC")
    expected = expected if f["side"] == "L" else adjoint(expected).conj()
    return 0.0 if np.array_equal(y["A"], expected) else np.inf


def trilu_error(x, y, f, v):
    lower, upper = halves(x["A"])
    product = (wide(y["A"]) @ lower).astype(y["A"].dtype)
    return difference(product, upper, norm(wide(y["A"])) * norm(lower) * max(1, upper.shape[-1]))


def make_getrfnp(rng, batch, s, f, dtype):
    """Matrices that need no pivoting, and whose largest elements often are not on the diagonal."""
    a = general(rng, batch, s["m"], s["n"], dtype) / max(1, s["m"], s["n"]) ** 0.5
    k = np.arange(min(s["m"], s["n"]))
    a[:, k, k] += 2
    return {"A": a.astype(dtype)}


def getrfnp_error(x, y, f, v):
    lower, upper = halves(y["A"])
    a = wide(x["A"])
    return difference((lower @ upper).astype(y["A"].dtype), a, norm(lower) * norm(upper) * max(1, a.shape[-1]))


def make_getrsnp(rng, batch, s, f, dtype):
    return {"A": factors(rng, batch, s["n"], dtype)["A"], "B": random(rng, (batch, s["n"], s["nrhs"]), dtype)}


def unpivoted(x):
    """With pivots that exchange nothing."""
    batch, n = x["A"].shape[0], x["A"].shape[1]
    return {**x, "IPIV": np.tile(np.arange(1, n + 1, dtype=np.int32), (batch, 1))}


def getrsnp_error(x, y, f, v):
    return getrs_error(unpivoted(x), y, f, v)


def make_gesvnp(rng, batch, s, f, dtype):
    n = {"m": s["n"], "n": s["n"]}
    return {**make_getrfnp(rng, batch, n, f, dtype), "B": random(rng, (batch, s["n"], s["nrhs"]), dtype)}


def gesvnp_error(x, y, f, v):
    solved = {"A": y["A"], "B": x["B"]}
    return max(getrfnp_error(x, y, f, v), getrsnp_error(solved, y, {"trans": "N"}, v))


def make_getrinp(rng, batch, s, f, dtype):
    return {"A": factors(rng, batch, s["n"], dtype)["A"]}


def getrinp_error(x, y, f, v):
    return getri_error(unpivoted(x), y, f, v)


def column_of_zeros(a, j, kind):
    """A factorization stops at a column that is zero."""
    a[:, j] = (0.0, -0.0, 0.0)[kind]


ORACLES = {
    "getrf": Oracle(make_getrf, getrf_error, fail=column_of_zeros),
    "getrs": Oracle(make_getrs, getrs_error),
    "gesv": Oracle(make_gesv, gesv_error, fail=column_of_zeros),
    "getri": Oracle(make_getri, getri_error, fail=singular),
    "gedet": Oracle(make_gedet, gedet_error),
    "geslogdet": Oracle(make_geslogdet, geslogdet_error),
    "getrfnp": Oracle(make_getrfnp, getrfnp_error, fail=column_of_zeros),
    "getrsnp": Oracle(make_getrsnp, getrsnp_error),
    "gesvnp": Oracle(make_gesvnp, gesvnp_error, fail=column_of_zeros),
    "getrinp": Oracle(make_getrinp, getrinp_error, fail=singular),
    "laswp": Oracle(make_laswp, laswp_error),
    "trilu": Oracle(make_getrinp, trilu_error),
}
