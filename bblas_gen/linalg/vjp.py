"""Derivatives backwards, for frameworks that differentiate: from the cotangents of results to those of operands.

A cotangent x' of x says how a real loss changes: by the real part of sum(conj(x') dx). Each rule takes results as the
function of its name in ``bblas_gen.linalg`` returned them, for stacks of any leading axes, which all operands of a rule
share: who broadcast an operand sums its cotangent over these axes. A rule is a sequence, which is one kernel; that of
``eigh`` is two, and what NumPy does between them.

Giles, An extended collection of matrix derivative results for forward and reverse mode algorithmic differentiation,
Oxford 2008; for Cholesky factors Murray, arXiv:1602.07527.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ..arrays.host import Array
from ..ir.sequence import step
from ..sequences import OperationSequence, sequence
from .stacks import Stacks, native

SOLVE = sequence(
    [
        step("lacpy", "A", "W"),
        step("lacpy", "DX", "DB"),
        step("getrf", "W", "IPIV"),
        step("getrs", "W", "IPIV", "DB", trans="C"),
        step("gemm", "DB", "X", "DA", transb="C", alpha=-1),
    ],
    name="vjpsolve",
    scratch=["W", "IPIV"],
)
INV = sequence(
    [step("gemm", "X", "DX", "W", transa="C"), step("gemm", "W", "X", "DA", transb="C", alpha=-1)],
    name="vjpinv",
    scratch="W",
)
SLOGDET = sequence(
    [
        step("lacpy", "A", "W"),
        step("lacpy", "E", "DA"),
        step("getrf", "W", "IPIV"),
        step("getrs", "W", "IPIV", "DA", trans="C"),
    ],
    name="vjpslogdet",
    scratch=["W", "IPIV"],
)
CHOLESKY = sequence(
    [
        step("lacpy", "DL", "DA"),
        step("trmm", "L", "DA", transa="C"),
        step("lasym", "DA"),
        step("lacpy", "DA", "W"),
        step("geadd", "W", "DA", transa="C", alpha=0.25, beta=0.25),  # the diagonal gets real
        step("trsm", "L", "DA", transa="C"),
        step("trsm", "L", "DA", side="R"),
    ],
    name="vjpcholesky",
    scratch="W",
)
PROJECTION = sequence([step("gemm", "V", "DV", "P", transa="C")], name="vjpprojection")
SIMILARITY = sequence(
    [step("gemm", "V", "F", "W"), step("gemm", "W", "V", "DA", transb="C")], name="vjpsimilarity", scratch="W"
)


def solve(a: Any, x: Any, cotangent: Any, *, num_threads: int | None = None) -> tuple[Array, Array]:
    """Of A and B, where X = A^-1 B was ``solve(a, b)``: B' = A^-* X', and A' = -B' X*.

    Shapes: ``a`` (..., n, n), ``x`` and ``cotangent`` (..., n, nrhs). One LU factorization, one solve and one product.
    """
    stacks = _stacks(a, x, cotangent)
    _check_alike("x", x, cotangent)
    made = {"DB": np.empty_like(stacks.batches[2])}
    of_a = _run(SOLVE, stacks, "A X DX", num_threads, made=made)
    return of_a, _shaped(stacks, made["DB"])


def inv(x: Any, cotangent: Any, *, num_threads: int | None = None) -> Array:
    """Of A, where X = A^-1 was ``inv(a)``: A' = -X* X' X*. Shapes (..., n, n); two products."""
    stacks = _stacks(x, cotangent)
    _check_alike("x", x, cotangent, square=True)
    return _run(INV, stacks, "X DX", num_threads)


def det(a: Any, value: Any, cotangent: Any, *, num_threads: int | None = None) -> Array:
    """Of A, where ``value`` was ``det(a)``: A' = conj(det) det' A^-*, for regular A; NaN for singular ones.

    Shapes: ``a`` (..., n, n), ``value`` and ``cotangent`` (...). One LU factorization and one solve.
    """
    return slogdet(a, np.conj(value) * np.asarray(cotangent), num_threads=num_threads)


def slogdet(a: Any, cotangent: Any, *, num_threads: int | None = None) -> Array:
    """Of A, where ``cotangent`` is that of the logarithm in ``slogdet(a)``, whose sign has none: A' = logdet' A^-*.

    Shapes: ``a`` (..., n, n), ``cotangent`` (...). One LU factorization and one solve.
    """
    multiples = np.asarray(cotangent)[..., None, None] * np.eye(np.shape(a)[-1], dtype=bool)  # of its own precision
    return _run(SLOGDET, _stacks(a, multiples), "A E", num_threads)


def cholesky(factor: Any, cotangent: Any, *, upper: bool = False, num_threads: int | None = None) -> Array:
    """Of A, where L was ``cholesky(a)``: A' = L^-* S L^-1 / 2, S Hermitian with the lower triangle of L* L'. With
    ``upper``, U was ``cholesky(a, upper=True)``.

    Shapes (..., n, n); of ``cotangent`` one triangle is read. A' is Hermitian. One triangular product, two solves.
    """
    _check_alike("factor", factor, cotangent, square=True)
    if upper:
        factor, cotangent = (np.conj(x).swapaxes(-1, -2) for x in (factor, cotangent))
    return _run(CHOLESKY, _stacks(factor, cotangent), "L DL", num_threads)


def eigh(values: Any, vectors: Any, of_values: Any, of_vectors: Any, *, num_threads: int | None = None) -> Array:
    """Of A, where w and V were ``eigh(a)``: A' = V (diag(w') + F) V*, with F_ij = (P - P*)_ij / (2 (w_j - w_i)) and
    P = V* V'; zeros on the diagonal of F.

    Shapes: ``values`` and ``of_values`` (..., n), ``vectors`` and ``of_vectors`` (..., n, n). A' is Hermitian; infinite
    or NaN where values are equal and V' is not zero. Three products.
    """
    stacks = _stacks(vectors, of_vectors)
    p = _run(PROJECTION, stacks, "V DV", num_threads)
    w = np.asarray(values)
    gaps = w[..., None, :] - w[..., :, None]
    place = np.arange(w.shape[-1])
    gaps[..., place, place] = np.inf
    core = (p - np.conj(p).swapaxes(-1, -2)) / (2 * gaps)
    core[..., place, place] = of_values
    return _run(SIMILARITY, _stacks(vectors, core), "V F", num_threads)


def _stacks(*operands: Any) -> Stacks:
    """Operands in one precision, as batches."""
    arrays = [np.asarray(x) for x in operands]
    dtype = np.result_type(*arrays, np.float32)
    if dtype.char not in "fdFD":
        raise TypeError(f"dtype of operands = {dtype}: expected float32, float64, complex64 or complex128")
    if len(shapes := {x.shape[:-2] for x in arrays}) > 1 or any(x.ndim < 2 for x in arrays):
        found = ", ".join(str(x.shape) for x in arrays)
        raise ValueError(f"shapes of operands = {found}: expected matrices (..., m, n) with the same leading axes")
    (leading,) = shapes
    return Stacks([native(x, dtype).reshape(prod(leading), *x.shape[-2:]) for x in arrays], leading)


def _check_alike(name: str, x: Any, cotangent: Any, *, square: bool = False) -> None:
    """Refuse a cotangent that is not one of ``x``."""
    shape, other = np.shape(x), np.shape(cotangent)
    if shape != other or (square and shape[-1:] != shape[-2:-1]):
        expected = "square matrices" if square else "matrices"
        raise ValueError(f"{name} is {shape}, cotangent is {other}: expected {expected} (..., m, n) of one shape")


def _run(
    steps: OperationSequence,
    stacks: Stacks,
    names: str,
    num_threads: int | None,
    made: dict[str, Any] | None = None,
) -> Array:
    given: dict[str, Any] = dict(zip(names.split(), stacks.batches, strict=True)) | (made or {})
    return _shaped(stacks, steps(num_threads=num_threads, check="nan", **given))


def _shaped(stacks: Stacks, x: Array) -> Array:
    return x.reshape(stacks.shape + x.shape[1:])
