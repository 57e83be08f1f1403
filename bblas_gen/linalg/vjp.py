"""Reverse-mode derivatives (vector-Jacobian products), for frameworks that differentiate.

A rule goes from the cotangents of results to those of operands. A cotangent x' of x says how a real loss changes: by
the real part of sum(conj(x') dx). Each rule takes results as the function of its name in ``bblas_gen.linalg`` returned
them, for stacks. All operands of a rule have the same leading axes; if an operand was broadcast, sum its cotangent over
the added axes. A rule is a sequence, which is one kernel; that of ``eigh`` is two kernels, and what NumPy does between
them.

Giles, An extended collection of matrix derivative results for forward and reverse mode algorithmic differentiation,
Oxford 2008; for Cholesky factors Murray, arXiv:1602.07527.
"""

from __future__ import annotations

from math import prod
from reprlib import repr as short
from typing import Any

import numpy as np

from ..arguments import check_flag
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
    """The cotangents of A and B, where X = A^-1 B was ``solve(a, b)``: B' = A^-* X', and A' = -B' X*.

    Shapes: ``a`` (..., n, n), ``x`` and ``cotangent`` (..., n, nrhs). One LU factorization, one solve and one product.

    ``num_threads``: as many as make it faster by default. TypeError and ValueError name an operand of another dtype or
    shape.
    """
    stacks = _stacks(a=(a, "n n"), x=(x, "n nrhs"), cotangent=(cotangent, "n nrhs"))
    made = {"DB": np.empty_like(stacks.batches[2])}
    of_a = _run(SOLVE, stacks, "A X DX", num_threads, made=made)
    return of_a, _shaped(stacks, made["DB"])


def inv(x: Any, cotangent: Any, *, num_threads: int | None = None) -> Array:
    """The cotangent of A, where X = A^-1 was ``inv(a)``: A' = -X* X' X*.

    Shapes: ``x`` and ``cotangent`` (..., n, n). Two products.

    ``num_threads``: as many as make it faster by default. TypeError and ValueError name an operand of another dtype or
    shape.
    """
    stacks = _stacks(x=(x, "n n"), cotangent=(cotangent, "n n"))
    return _run(INV, stacks, "X DX", num_threads)


def det(a: Any, value: Any, cotangent: Any, *, num_threads: int | None = None) -> Array:
    """The cotangent of A, where ``value`` was ``det(a)``: A' = conj(det) det' A^-*; NaN for singular A.

    Shapes: ``a`` (..., n, n), ``value`` and ``cotangent`` (...). One LU factorization and one solve.

    ``num_threads``: as many as make it faster by default. TypeError and ValueError name an operand of another dtype or
    shape.
    """
    a, value, cotangent = _arrays(a=(a, "n n"), value=(value, ""), cotangent=(cotangent, ""))
    return slogdet(a, value.conj() * cotangent, num_threads=num_threads)


def slogdet(a: Any, cotangent: Any, *, num_threads: int | None = None) -> Array:
    """The cotangent of A, from ``cotangent`` of the logarithm in ``slogdet(a)``: A' = logdet' A^-*. The sign has none.

    Shapes: ``a`` (..., n, n), ``cotangent`` (...). One LU factorization and one solve.

    ``num_threads``: as many as make it faster by default. TypeError and ValueError name an operand of another dtype or
    shape.
    """
    a, cotangent = _arrays(a=(a, "n n"), cotangent=(cotangent, ""))
    multiples = cotangent[..., None, None] * np.eye(a.shape[-1], dtype=bool)  # of its own precision
    return _run(SLOGDET, _stacks(a=(a, "n n"), multiples=(multiples, "n n")), "A E", num_threads)


def cholesky(factor: Any, cotangent: Any, *, upper: bool = False, num_threads: int | None = None) -> Array:
    """The cotangent of A, where L was ``cholesky(a)``: A' = L^-* S L^-1 / 2. S is Hermitian, with the lower triangle of
    L* L'. With ``upper``, U was ``cholesky(a, upper=True)``.

    Shapes: ``factor`` and ``cotangent`` (..., n, n); of the latter one triangle is read. A' is Hermitian. One
    triangular product, two solves.

    ``num_threads``: as many as make it faster by default. TypeError and ValueError name an operand of another dtype or
    shape.
    """
    factor, cotangent = _arrays(factor=(factor, "n n"), cotangent=(cotangent, "n n"))
    if check_flag("upper", upper):
        factor, cotangent = (x.conj().swapaxes(-1, -2) for x in (factor, cotangent))
    return _run(CHOLESKY, _stacks(factor=(factor, "n n"), cotangent=(cotangent, "n n")), "L DL", num_threads)


def eigh(values: Any, vectors: Any, of_values: Any, of_vectors: Any, *, num_threads: int | None = None) -> Array:
    """The cotangent of A, where w and V were ``eigh(a)``: A' = V (diag(w') + F) V*. F_ij is
    (P - P*)_ij / (2 (w_j - w_i)) with P = V* V', and 0 on the diagonal.

    Shapes: ``values`` and ``of_values`` (..., n), ``vectors`` and ``of_vectors`` (..., n, n). A' is Hermitian; infinite
    or NaN where values are equal and V' is not zero. Three products.

    ``num_threads``: as many as make it faster by default. TypeError and ValueError name an operand of another dtype or
    shape.
    """
    given = {"values": (values, "n"), "vectors": (vectors, "n n")}
    given |= {"of_values": (of_values, "n"), "of_vectors": (of_vectors, "n n")}
    w, v, dw, dv = _arrays(**given)
    p = _run(PROJECTION, _stacks(vectors=(v, "n n"), of_vectors=(dv, "n n")), "V DV", num_threads)
    w = w.real.astype(np.result_type(w.real, np.float32), copy=False)
    gaps = w[..., None, :] - w[..., :, None]
    place = np.arange(w.shape[-1])
    gaps[..., place, place] = np.inf
    core = (p - np.conj(p).swapaxes(-1, -2)) / (2 * gaps)
    core[..., place, place] = dw.real
    return _run(SIMILARITY, _stacks(vectors=(v, "n n"), core=(core, "n n")), "V F", num_threads)


def _arrays(**given: tuple[Any, str]) -> list[Array]:
    """Operands with the names of their sizes, as arrays that share these and their leading axes."""
    arrays = {name: _array(name, x) for name, (x, _) in given.items()}
    extents: dict[str, Any] = {}
    for name, (_, text) in given.items():
        x, sizes = arrays[name], text.split()
        first = max(0, x.ndim - len(sizes))
        own = [("...", x.shape[:first]), *zip(sizes, x.shape[first:], strict=False)]
        if x.ndim < len(sizes) or any(extents.setdefault(size, value) != value for size, value in own):
            shapes = ", ".join(f"{other} ({', '.join(['...', *sides.split()])})" for other, (_, sides) in given.items())
            found = ", ".join(f"{other} {y.shape}" for other, y in arrays.items() if other != name)
            raise ValueError(f"{name} has shape {x.shape} beside {found}: expected {shapes}")
    return [*arrays.values()]


def _array(name: str, value: Any) -> Array:
    try:
        x = np.asarray(value)
    except ValueError:  # of lists that are not alike
        raise TypeError(f"{name} = {short(value)}: expected an array of numbers") from None
    if x.dtype.kind not in "biufc" or x.dtype.char in "gG":
        raise TypeError(f"{name} has dtype {x.dtype}: expected float32, float64, complex64 or complex128")
    return x


def _stacks(**given: tuple[Any, str]) -> Stacks:
    """Matrices in one precision, as batches; see _arrays."""
    arrays = _arrays(**given)
    dtype = np.result_type(*arrays, np.float32)
    leading = arrays[0].shape[:-2]
    return Stacks([native(x, dtype).reshape(prod(leading), *x.shape[-2:]) for x in arrays], leading)


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
