"""The operations that are measured on single operands, and how each result is checked.

Matrices are checked by what they do to a random vector, so a check costs little beside the call.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...ir.catalog import OPS
from .problem import ADD_TO, MATRIX, READ, READ_TWO, UPDATE, Arrays, Found, Problem, Row


def _off_diagonal(x: Any) -> None:
    """Small numbers, and 2 on the diagonal: whatever is solved with it is well-conditioned."""
    x /= len(x)
    np.fill_diagonal(x, 2)


def _positive(x: Any) -> None:
    _off_diagonal(x)
    for k in range(len(x)):
        x[k, k + 1 :] = x[k + 1 :, k].conj()


def _norm(*arrays: Any) -> float:
    return float(np.prod([np.linalg.norm(x) for x in arrays]))


def _vector(n: int) -> Any:
    return np.random.default_rng(n).uniform(-1, 1, n)


def _op(problem: Problem, flag: str, x: Any) -> Any:
    """op(X) by the letter of a flag."""
    return {"N": lambda: x, "T": lambda: x.T, "C": lambda: x.conj().T}[problem.flags[flag]]()


def _triangle(problem: Problem, x: Any) -> Any:
    return np.tril(x) if problem.flags["uplo"] == "L" else np.triu(x)


def _mirrored(problem: Problem, x: Any, *, conjugate: bool = True) -> Any:
    """All of a matrix of which one triangle is there."""
    half = _triangle(problem, x)
    other = half.conj().T if conjugate else half.T
    return half + other - np.diag(np.diag(other))


def _gemm(problem: Problem, x: Arrays, y: Arrays) -> Found:
    a, b = _op(problem, "transa", x["A"]), _op(problem, "transb", x["B"])
    v = _vector(b.shape[1])
    return y["C"] @ v - a @ (b @ v), _norm(a, b)


def _symm(problem: Problem, x: Arrays, y: Arrays) -> Found:
    """A B, A symmetric or Hermitian."""
    a, v = _mirrored(problem, x["A"], conjugate=OPS[problem.op].hermitian), _vector(x["B"].shape[1])
    return y["C"] @ v - a @ (x["B"] @ v), _norm(a, x["B"])


def _rank(problem: Problem, x: Arrays, y: Arrays) -> Found:
    """A A' or A B' + B A', * in the place of ' where the operation is Hermitian."""
    conjugate = OPS[problem.op].hermitian
    a, v = x["A"], _vector(len(x["A"]))
    pairs = [(a, x["B"]), (x["B"], a)] if "B" in x else [(a, a)]
    product = sum(one @ ((other.conj() if conjugate else other).T @ v) for one, other in pairs)
    return _mirrored(problem, y["C"], conjugate=conjugate) @ v - product, _norm(*pairs[0])


def _sided(problem: Problem, x: Arrays, b: Any, v: Any) -> Any:
    """op(A) B v, or B op(A) v with side "R"."""
    a = _op(problem, "transa", _triangle(problem, x["A"]))
    return a @ (b @ v) if problem.flags["side"] == "L" else b @ (a @ v)


def _trmm(problem: Problem, x: Arrays, y: Arrays) -> Found:
    v = _vector(x["B"].shape[1])
    return y["B"] @ v - _sided(problem, x, x["B"], v), _norm(x["A"], x["B"])


def _trsm(problem: Problem, x: Arrays, y: Arrays) -> Found:
    v = _vector(x["B"].shape[1])
    return _sided(problem, x, y["B"], v) - x["B"] @ v, _norm(x["A"], y["B"])


def _potrf(problem: Problem, x: Arrays, y: Arrays) -> Found:
    factor, v = np.tril(y["A"]), _vector(len(x["A"]))
    return factor @ (factor.conj().T @ v) - x["A"] @ v, _norm(x["A"], v)


def _potri(problem: Problem, x: Arrays, y: Arrays) -> Found:
    factor, v = np.tril(x["A"]), _vector(len(x["A"]))
    product = factor @ (factor.conj().T @ v)
    return _mirrored(problem, y["A"]) @ product - v, _norm(x["A"], x["A"], v)


def _lauum(problem: Problem, x: Arrays, y: Arrays) -> Found:
    factor, v = np.tril(x["A"]), _vector(len(x["A"]))
    return _mirrored(problem, y["A"]) @ v - factor.conj().T @ (factor @ v), _norm(x["A"], x["A"], v)


def _trtri(problem: Problem, x: Arrays, y: Arrays) -> Found:
    v = _vector(len(x["A"]))
    return np.tril(y["A"]) @ (np.tril(x["A"]) @ v) - v, _norm(x["A"], y["A"], v)


def _potrs(problem: Problem, x: Arrays, y: Arrays) -> Found:
    factor = np.tril(x["A"])
    return factor @ (factor.conj().T @ y["B"]) - x["B"], _norm(x["A"], x["A"], y["B"])


def _product(a: Any, b: Any) -> Any:
    """L (U b) of factors of LU in one matrix, without exchanges."""
    upper = np.triu(a) @ b
    return np.tril(a, -1) @ upper + upper


def _getrs(problem: Problem, x: Arrays, y: Arrays) -> Found:
    return _product(x["A"], y["B"]) - x["B"], _norm(x["A"], x["A"], y["B"])


def _getri(problem: Problem, x: Arrays, y: Arrays) -> Found:
    v = _vector(len(x["A"]))
    return y["A"] @ _product(x["A"], v) - v, _norm(x["A"], y["A"], v)


def _solved(problem: Problem, x: Arrays, y: Arrays) -> Found:
    return x["A"] @ y["B"] - x["B"], _norm(x["A"], y["B"]) * len(x["A"])


def _getrf(problem: Problem, x: Arrays, y: Arrays) -> Found:
    v = _vector(len(x["A"]))
    product = _product(y["A"], v)
    for k in reversed(range(len(v))):
        product[[k, y["IPIV"][k] - 1]] = product[[y["IPIV"][k] - 1, k]]
    return product - x["A"] @ v, _norm(x["A"], v) * len(v)


def _dot(problem: Problem, x: Arrays, y: Arrays) -> Found:
    return y["R"] - x["X"].astype(np.longdouble) @ x["Y"], _norm(x["X"], x["Y"]) * len(x["X"]) ** 0.5


def _nrm2(problem: Problem, x: Arrays, y: Arrays) -> Found:
    exact = np.sqrt((x["X"].astype(np.longdouble) ** 2).sum())
    return y["R"] - exact, exact * len(x["X"]) ** 0.5


def _axpy(problem: Problem, x: Arrays, y: Arrays) -> Found:
    return y["Y"] - (x["Y"] + AGAIN["alpha"] * x["X"]), _norm(x["X"]) + _norm(x["Y"])


def _scal(problem: Problem, x: Arrays, y: Arrays) -> Found:
    return y["X"] - problem.scalars["alpha"] * x["X"], _norm(x["X"])


def _ger(problem: Problem, x: Arrays, y: Arrays) -> Found:
    v = _vector(x["A"].shape[1])
    return y["A"] @ v - (x["A"] @ v + AGAIN["alpha"] * x["X"] * (x["Y"] @ v)), _norm(x["A"], v)


def _gemv(problem: Problem, x: Arrays, y: Arrays) -> Found:
    a = _op(problem, "trans", x["A"])
    return y["Y"] - a @ x["X"], _norm(a, x["X"])


def _numpy_axpy(x: Arrays, problem: Problem) -> Callable[[], Any]:
    scaled, alpha = np.empty_like(x["X"]), AGAIN["alpha"]
    return lambda: np.add(np.multiply(x["X"], alpha, out=scaled), x["Y"], out=x["Y"])


def _numpy_ger(x: Arrays, problem: Problem) -> Callable[[], Any]:
    product, alpha = np.empty_like(x["A"]), AGAIN["alpha"]
    return lambda: np.add(np.multiply((alpha * x["X"])[:, None], x["Y"], out=product), x["A"], out=x["A"])


AGAIN = {"alpha": 1e-3}
"""For what is added to again and again."""
FIRST = {"A": _off_diagonal}
PRODUCT = "transa transb m n k one A lA B lB zero C lC"
TRIANGULAR = "side uplo transa diag m n one A lA B lB"
SYMMETRIC = "side uplo m n one A lA B lB zero C lC"
RANK_K, RANK_2K = "uplo trans n k one A lA zero C lC", "uplo trans n k one A lA B lB zero C lC"
ROWS = {
    row.op: row
    for row in (
        Row(
            "gemm",
            "C := op(A) op(B)",
            PRODUCT,
            _gemm,
            lambda x, p: partial(np.matmul, _op(p, "transa", x["A"]), _op(p, "transb", x["B"]), out=x["C"]),
        ),
        Row("trmm", "B := op(A) B or B op(A)", TRIANGULAR, _trmm, fills=FIRST),
        Row("trsm", "op(A) X = B or X op(A) = B", TRIANGULAR, _trsm, fills=FIRST),
        Row("syrk", "C := A A', one triangle", RANK_K, _rank),
        Row("syr2k", "C := A B' + B A', one triangle", RANK_2K, _rank),
        Row("herk", "C := A A*, one triangle", RANK_K, _rank),
        Row("her2k", "C := A B* + B A*, one triangle", RANK_2K, _rank),
        Row("symm", "C := A B, A symmetric", SYMMETRIC, _symm),
        Row("hemm", "C := A B, A Hermitian", SYMMETRIC, _symm, fills=FIRST),
        Row(
            "potrf",
            "A = L L*",
            "uplo n A lA info",
            _potrf,
            lambda x, p: partial(np.linalg.cholesky, x["A"]),
            fills={"A": _positive},
        ),
        Row(
            "posv",
            "A X = B, A positive definite",
            "uplo n nrhs A lA B lB info",
            _solved,
            fills={"A": _positive},
        ),
        Row("potri", "A^-1 from the factor of potrf", "uplo n A lA info", _potri, fills=FIRST),
        Row("potrs", "A X = B from the factor of potrf", "uplo n nrhs A lA B lB info", _potrs, fills=FIRST),
        Row("lauum", "L* L", "uplo n A lA info", _lauum, fills=FIRST),
        Row("trtri", "L^-1", "uplo diag n A lA info", _trtri, fills=FIRST),
        Row("getrf", "A = P L U", "m n A lA IPIV info", _getrf),
        Row("getrs", "A X = B from the factors of getrf", "trans n nrhs A lA IPIV B lB info", _getrs, fills=FIRST),
        Row("getri", "A^-1 from the factors of getrf", "n A lA IPIV work lwork info", _getri, fills=FIRST),
        Row(
            "gesv",
            "A X = B by LU",
            "n nrhs A lA IPIV B lB info",
            _solved,
        ),
        Row("dot", "x' y", "n X inc Y inc", _dot, lambda x, p: partial(np.dot, x["X"], x["Y"]), stream=READ_TWO),
        Row("nrm2", "||x||", "n X inc", _nrm2, lambda x, p: partial(np.linalg.norm, x["X"]), stream=READ),
        Row("axpy", "y := alpha x + y", "n alpha X inc Y inc", _axpy, _numpy_axpy, scalars=AGAIN, stream=ADD_TO),
        Row(
            "scal",
            "x := alpha x",
            "n alpha X inc",
            _scal,
            lambda x, p: partial(np.multiply, x["X"], -1.0, out=x["X"]),
            scalars={"alpha": -1.0},
            stream=UPDATE,
        ),
        Row("ger", "A := alpha x y' + A", "m n alpha X inc Y inc A lA", _ger, _numpy_ger, scalars=AGAIN, stream=MATRIX),
        Row(
            "gemv",
            "y := op(A) x",
            "trans rA cA one A lA X inc zero Y inc",
            _gemv,
            lambda x, p: partial(np.matmul, _op(p, "trans", x["A"]), x["X"], out=x["Y"]),
            stream=MATRIX,
        ),
    )
}
