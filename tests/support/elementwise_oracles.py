"""Oracles of what is done with every element by itself, or with the diagonal, as those of ``oracles``."""

from __future__ import annotations

from decimal import Decimal, localcontext
from math import factorial

import numpy as np

from bblas_gen.ir.terms import BY_DTYPE

from .extended import adjoint, apply, difference, hermitian_noise, norm, random, spoiled, stored, transposed, wide
from .oracles import Oracle, combined


def make_geadd(rng, batch, s, f, dtype):
    a = random(rng, (batch, s["m"], s["n"]), dtype)
    return {"A": transposed(a) if f["transa"] in "TC" else a, "B": random(rng, (batch, s["m"], s["n"]), dtype)}


def geadd_error(x, y, f, v):
    a = apply(f["transa"], wide(x["A"]))
    scale = abs(v["alpha"]) * norm(a) + abs(v["beta"]) * norm(x["B"])
    return difference(y["B"], combined(a, v["alpha"], v["beta"], x["B"]), scale)


def make_lascl(rng, batch, s, f, dtype):
    return {"A": random(rng, (batch, s["m"], s["n"]), dtype)}


def lascl_error(x, y, f, v):
    return difference(y["A"], combined(wide(x["A"]), v["alpha"], 0, x["A"]), abs(v["alpha"]) * norm(x["A"]))


def make_diagonal(rng, batch, s, f, dtype):
    """Square matrices of which the diagonal alone is a number."""
    return {"A": spoiled(random(rng, (batch, s["n"], s["n"]), dtype), stored((s["n"], s["n"]), "D"))}


def diagonal(a):
    return np.diagonal(a, axis1=1, axis2=2)[..., None]


def adddiag_error(x, y, f, v):
    before, after = diagonal(x["A"]), np.array(diagonal(y["A"]))
    return difference(after, wide(before) + v["alpha"], np.sqrt(before.shape[1]) * abs(v["alpha"]) + norm(before))


def make_logdet(rng, batch, s, f, dtype):
    a = hermitian_noise(make_diagonal(rng, batch, s, f, dtype)["A"], np.dtype(dtype).kind == "c")
    return {"A": a, "R": np.zeros((batch, 1, 1), dtype)}


def exact_logdet(diagonals):
    """Of rows of numbers, in extended precision."""
    with localcontext() as context:
        context.prec = 60
        sums = [2 * sum((abs(Decimal(float(x))).ln() for x in row), Decimal(0)) for row in diagonals]
        return np.array([np.longdouble(str(x)) for x in sums]).reshape(-1, 1, 1)


def logdet_error(x, y, f, v):
    """In units of eps times the logarithm, or of (n eps)^2 where that is more."""
    expected = exact_logdet(np.real(diagonal(x["A"])[..., 0]))
    eps, n = BY_DTYPE[y["R"].dtype.name].eps, x["A"].shape[1]
    assert not y["R"].imag.any()
    return difference(y["R"], expected, np.maximum(abs(expected), n**2 * eps)[:, 0, 0])


def make_halve(rng, batch, s, f, dtype):
    """Norms up to some thousands, some of graded matrices."""
    a = random(rng, (batch, s["n"], s["n"]), dtype) * 10.0 ** rng.integers(-2, 4, (batch, 1, 1))
    d = 10.0 ** (rng.integers(-3, 4, (batch, s["n"], 1)) * (rng.random((batch, 1, 1)) < 0.5))
    zeros = {name: np.zeros((batch, *shape), dtype) for name, shape in (("S", (1, 1)), ("D", (s["n"], 1)))}
    return {"A": (a * d / d.swapaxes(1, 2)).astype(dtype), "B": np.zeros_like(a, dtype), **zeros}


def halve_error(x, y, f, v):
    """B is exactly D^-1 A D / 2^S; S is right but where rounding decides."""
    alpha, times = np.real(v["alpha"]), y["S"].real.astype(np.longdouble)
    d = y["D"].real.astype(np.longdouble)
    a = wide(x["A"]) * d.swapaxes(1, 2) / d
    assert (times >= 0).all()
    assert not y["S"].imag.any()
    assert not y["D"].imag.any()
    assert (np.frexp(d)[0] == 0.5).all()
    assert np.array_equal(wide(y["B"]), a * 2**-times)
    norm, first = one_norm(a), one_norm(wide(x["A"]))
    assert ((norm < first) | ((d == 1).all(axis=1, keepdims=True) & (norm == first))).all()
    if alpha <= 0:
        return np.inf if times.any() else 0.0
    slack = 1 + 4 * (1 + x["A"].shape[1]) * BY_DTYPE[y["S"].dtype.name].eps
    right = (norm * 2**-times <= alpha * slack) & ((times == 0) | (norm * 2 ** (1 - times) > alpha / slack))
    return 0.0 if right.all() else np.inf


def make_similar(rng, batch, s, f, dtype):
    a = random(rng, (batch, s["n"], s["n"]), dtype)
    d = 2.0 ** (rng.integers(-3, 4, (batch, s["n"], 1)) * (rng.random((batch, 1, 1)) < 0.5))
    return {"A": a, "D": d.astype(dtype)}


def similar_error(x, y, f, v):
    d = x["D"].real.astype(np.longdouble)
    return 0.0 if np.array_equal(wide(y["A"]), wide(x["A"]) * d / d.swapaxes(1, 2)) else np.inf


def make_gepade(rng, batch, s, f, dtype):
    n = s["n"]
    a = random(rng, (batch, n, n), dtype) / max(1, n)
    return {"A": a.astype(dtype), "X": np.zeros_like(a, dtype), "V": np.zeros_like(a, dtype)}


def gepade_error(degree, x, y):
    """The polynomials by Horner's rule, P(A) and P(-A) = Q(A)."""
    a = wide(x["A"])
    c = [factorial(2 * degree - k) // (factorial(degree - k) * factorial(k)) for k in range(degree + 1)]
    error = 0.0
    for sign, name in ((1, "X"), (-1, "V")):
        sum_ = np.zeros_like(a)
        for one in reversed(c):
            sum_ = sign * a @ sum_ + np.eye(a.shape[-1]) * np.longdouble(one // c[-1])
        scale = np.sqrt(max(1, a.shape[-1])) * (c[0] // c[-1]) * np.exp(norm(a))
        error = max(error, difference(y[name], sum_, scale))
    return error


def make_getaylor(rng, batch, s, f, dtype):
    """Norms up to some dozens, of which some have a large trace, and some rows that are larger than columns."""
    n = s["n"]
    a = random(rng, (batch, n, n), dtype) * 10.0 ** rng.integers(-2, 2, (batch, 1, 1))
    a = a + np.eye(n) * rng.integers(-1, 2, (batch, 1, 1)) * 5
    d = 2.0 ** (rng.integers(-3, 4, (batch, n, 1)) * rng.integers(0, 2, (batch, 1, 1)))
    a = a * d / d.swapaxes(1, 2)
    return {"A": a.astype(dtype), "X": np.zeros_like(a, dtype), "S": np.zeros((batch, 1, 1), dtype)}


def exact_exponential(a):
    """By a long Taylor polynomial of A / 2^s, and squarings, in extended precision."""
    s = 4 + max(0, int(np.ceil(np.log2(norm(a).max(initial=1)))))
    one = np.eye(a.shape[-1])
    b, x = a * np.longdouble(2) ** -s, np.zeros_like(a) + one
    for k in range(24, 0, -1):
        x = one + b @ x / k
    for _ in range(s):
        x = x @ x
    return x


def getaylor_error(x, y, f, v):
    """S is right but where rounding decides; X is the exponential of A / 2^S."""
    n, times = x["A"].shape[1], y["S"].real.astype(np.longdouble)
    assert not y["S"].imag.any()
    a = wide(x["A"])
    centred = a - np.eye(n) * a.real.trace(axis1=1, axis2=2)[:, None, None] / max(1, n)
    slack = 1 + 8 * (1 + n) * BY_DTYPE[y["S"].dtype.name].eps
    balanced = (one_norm(centred) > 18 / slack) & (spectral_radius(centred) <= 3 * slack * 2**times)
    assert (balanced | (fewest_halvings(centred, 3 * slack) <= times)).all()
    assert (times <= halvings(centred, 3 / slack)).all()
    expected = exact_exponential(a * 2**-times)
    return difference(y["X"], expected, np.maximum(1, norm(centred * 2**-times)) * norm(expected))


def one_norm(a):
    """Of parts of complex numbers."""
    return (abs(a.real) + abs(a.imag)).sum(axis=1).max(axis=1, initial=0)[:, None, None]


def spectral_radius(a):
    """A lower bound of the norms of all matrices that are similar."""
    return abs(np.linalg.eigvals(a.astype(np.complex128))).max(axis=1, initial=0)[:, None, None]


def halvings(a, reach):
    """Until the norm is at most so much."""
    return np.maximum(0, np.ceil(np.log2(np.maximum(one_norm(a), reach) / reach)))


def fewest_halvings(a, reach):
    """Or one less where the root of the norm of a power is: known orders 3 to 8 have one."""
    times = halvings(a, reach)
    last = {3: 2, 4: 3, 5: 3, 6: 3, 7: 4, 8: 4}.get(a.shape[-1])
    if not last:
        return times
    power = np.linalg.matrix_power(a * 2 ** (1 - times), last)
    return times - ((times > 0) & (one_norm(power) <= reach**last))


def make_squaring(rng, batch, s, f, dtype):
    a = random(rng, (batch, s["n"], s["n"]), dtype)
    return {"A": a, "S": rng.integers(0, 4, (batch, 1, 1)).astype(dtype)}


def squaring_error(x, y, f, v):
    a, n = wide(x["A"]), max(1, x["A"].shape[1])
    times = x["S"].real[:, 0, 0].astype(int)
    size = norm(a)
    for k in range(int(times.max(initial=0))):
        a = np.where((times > k)[:, None, None], a @ a, a)
    return difference(y["A"], a, size ** (2.0**times) * n)


def make_posqrt(rng, batch, s, f, dtype):
    """Factors of positive definite matrices, of which rows are graded by powers of two."""
    n = s["n"]
    d = 2.0 ** rng.integers(-12, 13, (batch, n, 1))
    a = np.tril(random(rng, (batch, n, n), dtype), -1) / max(1, n) ** 0.5 + np.eye(n) * (1 + rng.random((batch, n, 1)))
    return {"A": (a * d).astype(dtype), "X": np.zeros((batch, n, n), dtype)}


def nearly_zero(a, j, kind):
    """A pivot that is as good as zero beside its row, NaN or zero."""
    a[j, :j] = 1
    a[j, j] = (1e-30 * (j > 0), np.nan, 0)[kind]


def posqrt_error(x, y, f, v):
    """Of X X - L L*, beside the diagonal of L L*, which tells of each place; X is Hermitian."""
    a, found = wide(x["A"]), wide(y["X"])
    assert np.array_equal(found, adjoint(found))
    size = np.sqrt((a * a.conj()).real.sum(axis=2, keepdims=True))
    ratios = size * transposed(size)
    expected, scale = a @ adjoint(a) / ratios, np.full(len(a), max(1, a.shape[-1]))
    return difference((found @ found / ratios).astype(y["X"].dtype), expected, scale)


ORACLES = {
    "geadd": Oracle(make_geadd, geadd_error, bound=2),
    "lascl": Oracle(make_lascl, lascl_error, bound=2, scaled="A"),
    "adddiag": Oracle(make_diagonal, adddiag_error, lambda _: {"A": ("D", "N")}, bound=1),
    "logdet": Oracle(make_logdet, logdet_error, bound=1),
    "similar": Oracle(make_similar, similar_error, bound=0),
    "halve": Oracle(make_halve, halve_error, bound=0),
    "gepade13": Oracle(make_gepade, lambda x, y, f, v: gepade_error(13, x, y)),
    "gepade7": Oracle(make_gepade, lambda x, y, f, v: gepade_error(7, x, y)),
    "getaylor": Oracle(make_getaylor, getaylor_error),
    "squaring": Oracle(make_squaring, squaring_error),
    "posqrt": Oracle(make_posqrt, posqrt_error, fail=nearly_zero),
}
