"""The oracle of every operation of the table. An operation without one is a failing test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .extended import (
    NAN,
    adjoint,
    apply,
    difference,
    hermitian_noise,
    norm,
    positive,
    random,
    spoiled,
    stored,
    symmetric,
    transposed,
    triangle,
    well,
    wide,
)


@dataclass(frozen=True)
class Oracle:
    """One operation: operands to try it on, in which what is never read is NaN, and how wrong a result is.

    ``make(rng, batch, sizes, flags, dtype)`` gives operands by name in table order; each has a dtype of its own kind.
    ``error(before, after, flags, scalars)`` is the largest residual of the batch in units of eps times sizes and norms,
    as the LAPACK test programs measure it; ``bound`` is what it may be. ``written(flags)`` gives by name of output the
    triangle and diagonal that may change, where not all may. ``scaled`` names the operand whose values a zero alpha
    replaces by zeros unread. ``real`` names the Hermitian operand whose diagonal is real after a call, whatever its
    imaginary parts before. ``fail(matrix, j, kind)`` makes a matrix of the first operand one that is reported in
    step j, in one of three ways.
    """

    make: Callable[..., dict[str, Any]]
    error: Callable[..., float]
    written: Callable[[dict[str, str]], dict[str, tuple[str, str]]] = lambda _: {}
    bound: float = 30
    scaled: str = ""
    real: str = ""
    fail: Callable[[Any, int, int], None] | None = None


def order(sizes, flags):
    return sizes["m"] if flags["side"] == "L" else sizes["n"]


def times(side, a, b):
    return a @ b if side == "L" else b @ a


def combined(product, alpha, beta, c):
    result = alpha * product if alpha != 0 else np.zeros_like(product)
    return result + beta * wide(c) if beta != 0 else result


def two_sided(hermitian):
    def make(rng, batch, s, f, dtype):
        ka = order(s, f)
        a = spoiled(random(rng, (batch, ka, ka), dtype), stored((ka, ka), f["uplo"]))
        a = hermitian_noise(a, hermitian and np.dtype(dtype).kind == "c")
        shape = (batch, s["m"], s["n"])
        return {"A": a, "B": random(rng, shape, dtype), "C": random(rng, shape, dtype)}

    def error(x, y, f, v):
        a = symmetric(x["A"], f["uplo"], hermitian)
        expected = combined(times(f["side"], a, wide(x["B"])), v["alpha"], v["beta"], x["C"])
        scale = np.sqrt(a.shape[-1] + 2) * abs(v["alpha"]) * norm(a) * norm(x["B"]) + 2 * abs(v["beta"]) * norm(x["C"])
        return difference(y["C"], expected, scale)

    return Oracle(make, error)


def rank_update(hermitian, two):
    def make(rng, batch, s, f, dtype):
        shape = (batch, s["n"], s["k"])
        factor = [random(rng, shape, dtype) for _ in range(1 + two)]
        factor = [transposed(x) if f["trans"] in "TC" else x for x in factor]
        c = random(rng, (batch, s["n"], s["n"]), dtype)
        c = hermitian_noise(spoiled(c, stored(c.shape[1:], f["uplo"])), hermitian and np.dtype(dtype).kind == "c")
        return dict(zip("ABC" if two else "AC", [*factor, c], strict=True))

    def error(x, y, f, v):
        a = apply(f["trans"], wide(x["A"]))
        b = apply(f["trans"], wide(x["B"])) if two else a
        other = adjoint if hermitian else transposed
        c = np.where(stored(x["C"].shape[1:], f["uplo"]), x["C"], 0)
        c = symmetric(c, f["uplo"], hermitian) if hermitian else c
        alpha, beta = v["alpha"], v["beta"]
        product = alpha * (a @ other(b)) if alpha != 0 else np.zeros_like(a @ other(b))
        if two and alpha != 0:
            product = product + (np.conj(alpha) if hermitian else alpha) * (b @ other(a))
        expected = np.where(stored(c.shape[1:], f["uplo"]), combined(product, 1, beta, c), 0)
        found = np.where(stored(c.shape[1:], f["uplo"]), y["C"], 0).astype(y["C"].dtype)
        if hermitian and y["C"].dtype.kind == "c":
            assert (np.diagonal(found, axis1=1, axis2=2).imag == 0).all()
        scale = np.sqrt(a.shape[-1] + 2) * abs(alpha) * norm(a) * norm(b) * (1 + two) + 2 * abs(beta) * norm(c)
        return difference(found, expected, scale)

    return Oracle(make, error, lambda f: {"C": (f["uplo"], "N")}, real="C" if hermitian else "")


def make_triangular(rng, batch, s, f, dtype):
    ka = order(s, f)
    a = well(random(rng, (batch, ka, ka), dtype), f["uplo"], f["diag"])
    return {"A": a, "B": random(rng, (batch, s["m"], s["n"]), dtype)}


def trmm_error(x, y, f, v):
    a = apply(f["transa"], triangle(x["A"], f["uplo"], f["diag"]))
    expected = combined(times(f["side"], a, wide(x["B"])), v["alpha"], 0, x["B"])
    return difference(y["B"], expected, np.sqrt(a.shape[-1] + 2) * abs(v["alpha"]) * norm(a) * norm(x["B"]))


def trsm_error(x, y, f, v):
    a = apply(f["transa"], triangle(x["A"], f["uplo"], f["diag"]))
    b = combined(wide(x["B"]), v["alpha"], 0, x["B"])
    product = times(f["side"], a, wide(y["B"]))
    return difference(product.astype(y["B"].dtype), b, norm(a) * norm(wide(y["B"])) * max(1, a.shape[-1]) + norm(b))


def vectors(**names):
    def make(rng, batch, s, f, dtype):
        return {name: random(rng, (batch, s.get(size, 1), 1), dtype) for name, size in names.items()}

    return make


def dot_error(conjugates):
    def error(x, y, f, v):
        a = wide(x["X"]).conj() if conjugates else wide(x["X"])
        expected = (a * wide(x["Y"])).sum(axis=1, keepdims=True)
        return difference(
            y["R"], expected, (np.abs(a) * np.abs(wide(x["Y"]))).sum(axis=(1, 2)) * np.sqrt(a.shape[1] + 2)
        )

    return error


def ger_error(conjugates):
    def error(x, y, f, v):
        b = transposed(wide(x["Y"]))
        product = wide(x["X"]) @ (b.conj() if conjugates else b)
        scale = abs(v["alpha"]) * norm(product) + 2 * norm(x["A"])
        return difference(y["A"], combined(product, v["alpha"], 1, x["A"]), scale)

    return error


def make_ger(rng, batch, s, f, dtype):
    shapes = {"X": (s["m"], 1), "Y": (s["n"], 1), "A": (s["m"], s["n"])}
    return {name: random(rng, (batch, *shape), dtype) for name, shape in shapes.items()}


def axpy_error(x, y, f, v):
    expected = combined(wide(x["X"]), v["alpha"], 1, x["Y"])
    return difference(y["Y"], expected, abs(v["alpha"]) * norm(x["X"]) + norm(x["Y"]))


def scal_error(x, y, f, v):
    return difference(y["X"], combined(wide(x["X"]), v["alpha"], 0, x["X"]), abs(v["alpha"]) * norm(x["X"]))


def nrm2_error(x, y, f, v):
    expected = norm(wide(x["X"]))[:, None, None]
    return difference(y["R"], expected, expected[:, 0, 0] * max(1, np.sqrt(x["X"].shape[1])))


def make_gemv(rng, batch, s, f, dtype):
    a = random(rng, (batch, s["m"], s["n"]), dtype)
    a = transposed(a) if f["trans"] in "TC" else a
    return {"A": a, **vectors(X="n", Y="m")(rng, batch, s, f, dtype)}


def gemv_error(x, y, f, v):
    a = apply(f["trans"], wide(x["A"]))
    expected = combined(a @ wide(x["X"]), v["alpha"], v["beta"], x["Y"])
    scale = np.sqrt(a.shape[-1] + 2) * abs(v["alpha"]) * norm(a) * norm(x["X"]) + 2 * abs(v["beta"]) * norm(x["Y"])
    return difference(y["Y"], expected, scale)


def make_trsv(rng, batch, s, f, dtype):
    a = well(random(rng, (batch, s["n"], s["n"]), dtype), f["uplo"], f["diag"])
    return {"A": a, "X": random(rng, (batch, s["n"], 1), dtype)}


def trsv_error(x, y, f, v):
    flags = {"side": "L", "uplo": f["uplo"], "transa": f["trans"], "diag": f["diag"]}
    return trsm_error({"A": x["A"], "B": x["X"]}, {"B": y["X"]}, flags, {"alpha": 1})


def make_positive(rng, batch, s, f, dtype):
    a = hermitian_noise(positive(rng, batch, s["n"], dtype), np.dtype(dtype).kind == "c")
    return {"A": spoiled(a, stored(a.shape[1:], f["uplo"]))}


def factor(a, uplo):
    """L L* or U* U."""
    t = triangle(a, uplo)
    return t @ adjoint(t) if uplo == "L" else adjoint(t) @ t


def potrf_error(x, y, f, v):
    a = symmetric(x["A"], f["uplo"], True)
    return difference(factor(y["A"], f["uplo"]).astype(y["A"].dtype), a, norm(a) * max(1, a.shape[-1]))


def make_potrs(rng, batch, s, f, dtype):
    a = well(random(rng, (batch, s["n"], s["n"]), dtype), f["uplo"], "N")
    return {"A": a, "B": random(rng, (batch, s["n"], s["nrhs"]), dtype)}


def potrs_error(x, y, f, v):
    a = factor(x["A"], f["uplo"])
    product = (a @ wide(y["B"])).astype(y["B"].dtype)
    return difference(product, wide(x["B"]), norm(a) * norm(wide(y["B"])) * max(1, a.shape[-1]) + norm(x["B"]))


def make_posv(rng, batch, s, f, dtype):
    return {**make_positive(rng, batch, s, f, dtype), "B": random(rng, (batch, s["n"], s["nrhs"]), dtype)}


def posv_error(x, y, f, v):
    solved = potrs_error({"A": np.nan_to_num(y["A"]), "B": x["B"]}, y, f, v)
    return max(solved, potrf_error(x, y, f, v))


def make_factor(rng, batch, s, f, dtype):
    return {"A": well(random(rng, (batch, s["n"], s["n"]), dtype), f["uplo"], f.get("diag", "N"))}


def inverse_error(product, expected, a, b):
    return difference(product, expected, norm(a) * norm(b) * max(1, a.shape[-1]))


def trtri_error(x, y, f, v):
    a, b = (triangle(z["A"], f["uplo"], f["diag"]) for z in (x, y))
    return inverse_error((a @ b).astype(y["A"].dtype), np.eye(a.shape[-1]), a, b)


def potri_error(x, y, f, v):
    a, b = factor(x["A"], f["uplo"]), symmetric(y["A"], f["uplo"], True)
    return inverse_error((a @ b).astype(y["A"].dtype), np.eye(a.shape[-1]), a, b)


def lauum_error(x, y, f, v):
    t = triangle(x["A"], f["uplo"])
    expected = adjoint(t) @ t if f["uplo"] == "L" else t @ adjoint(t)
    mask = stored(t.shape[1:], f["uplo"])
    found = np.where(mask, y["A"], 0).astype(y["A"].dtype)
    return difference(found, np.where(mask, expected, 0), norm(t) ** 2 * max(1, t.shape[-1]))


def own_triangle(f):
    return {"A": (f["uplo"], f.get("diag", "N"))}


def make_gemm(rng, batch, s, f, dtype):
    a, b = random(rng, (batch, s["m"], s["k"]), dtype), random(rng, (batch, s["k"], s["n"]), dtype)
    a, b = (transposed(x) if f[name] in "TC" else x for x, name in ((a, "transa"), (b, "transb")))
    return {"A": a, "B": b, "C": random(rng, (batch, s["m"], s["n"]), dtype)}


def gemm_error(x, y, f, v):
    """||dC|| / (sqrt(k + 2) |alpha| ||A|| ||B|| + 2 |beta| ||C||)."""
    a, b = apply(f["transa"], wide(x["A"])), apply(f["transb"], wide(x["B"]))
    product = a @ b if v["alpha"] != 0 else np.zeros_like(wide(x["C"]))
    size = norm(a) * norm(b) if v["alpha"] != 0 else np.zeros(len(product))
    scale = np.sqrt(a.shape[-1] + 2) * abs(v["alpha"]) * size
    if v["beta"] != 0:
        scale = scale + 2 * abs(v["beta"]) * norm(x["C"])
    return difference(y["C"], combined(product, v["alpha"], v["beta"], x["C"]), scale)


def make_lacpy(rng, batch, s, f, dtype):
    a = random(rng, (batch, s["m"], s["n"]), dtype)
    return {"A": transposed(a) if f["transa"] in "TC" else a, "B": np.full((batch, s["m"], s["n"]), NAN, dtype)}


def lacpy_error(x, y, f, v):
    return 0.0 if np.array_equal(y["B"], apply(f["transa"], x["A"])) else np.inf


def not_positive(a, j, kind):
    """A pivot that is negative, NaN or zero."""
    a[j, j] = (-1, NAN, 0 if j == 0 else -1e-3)[kind]


def singular(a, j, kind):
    a[j, j] = (0.0, -0.0, 0.0)[kind]


ORACLES = {
    "gemm": Oracle(make_gemm, gemm_error, bound=3),
    "lacpy": Oracle(make_lacpy, lacpy_error),
    "symm": two_sided(False),
    "hemm": two_sided(True),
    "syrk": rank_update(False, False),
    "herk": rank_update(True, False),
    "syr2k": rank_update(False, True),
    "her2k": rank_update(True, True),
    "trmm": Oracle(make_triangular, trmm_error, scaled="B"),
    "trsm": Oracle(make_triangular, trsm_error, scaled="B"),
    "dot": Oracle(vectors(X="n", Y="n", R="1"), dot_error(False)),
    "dotc": Oracle(vectors(X="n", Y="n", R="1"), dot_error(True)),
    "axpy": Oracle(vectors(X="n", Y="n"), axpy_error),
    "scal": Oracle(vectors(X="n"), scal_error, scaled="X"),
    "nrm2": Oracle(vectors(X="n", R="1"), nrm2_error),
    "ger": Oracle(make_ger, ger_error(False)),
    "gerc": Oracle(make_ger, ger_error(True)),
    "gemv": Oracle(make_gemv, gemv_error),
    "trsv": Oracle(make_trsv, trsv_error),
    "potrf": Oracle(make_positive, potrf_error, own_triangle, real="A", fail=not_positive),
    "potrs": Oracle(make_potrs, potrs_error),
    "posv": Oracle(make_posv, posv_error, own_triangle, real="A", fail=not_positive),
    "potri": Oracle(make_factor, potri_error, own_triangle, fail=singular),
    "trtri": Oracle(make_factor, trtri_error, own_triangle, fail=singular),
    "lauum": Oracle(make_factor, lauum_error, own_triangle),
    "trti2": Oracle(make_factor, trtri_error, own_triangle),
}
