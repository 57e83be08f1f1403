"""Oracles: every operation of the table in extended precision, and helpers to make operands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bblas_gen import Interleaved
from bblas_gen.ir.terms import BY_DTYPE, Trans


def wide(x: Any) -> Any:
    """``x`` in extended precision."""
    return np.asarray(x).astype(np.clongdouble if np.asarray(x).dtype.kind == "c" else np.longdouble)


def apply(letter: str, x: Any) -> Any:
    """op(x) for matrices in the last two axes."""
    flag = Trans(letter)
    x = np.swapaxes(x, -1, -2) if flag.transposes else x
    return x.conj() if flag.conjugates else x


def gemm(operands: Mapping[str, Any], flags: Mapping[str, str], scalars: Mapping[str, complex]) -> Any:
    a, b, c = (wide(operands[name]) for name in "ABC")
    alpha, beta = scalars["alpha"], scalars["beta"]
    result = np.zeros_like(c)
    if alpha != 0:
        result = result + alpha * (apply(flags["transa"], a) @ apply(flags["transb"], b))
    return result + beta * c if beta != 0 else result


def lacpy(operands: Mapping[str, Any], flags: Mapping[str, str], _: Mapping[str, complex]) -> Any:
    return apply(flags["transa"], wide(operands["A"]))


ORACLES = {"gemm": gemm, "lacpy": lacpy}


def random(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> Any:
    numbers = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        numbers = numbers + 1j * rng.standard_normal(shape)
    return numbers.astype(dtype)


def gemm_error(found: Any, a: Any, b: Any, c: Any, flags: tuple[str, str], alpha: complex, beta: complex) -> float:
    """The largest error of the batch in units of eps: ||dC|| / (sqrt(k + 2) |alpha| ||A|| ||B|| + 2 |beta| ||C||)."""
    expected = gemm(
        {"A": a, "B": b, "C": c}, dict(zip(("transa", "transb"), flags, strict=True)), {"alpha": alpha, "beta": beta}
    )

    def norm(x: Any) -> Any:
        return np.sqrt((np.abs(wide(x)) ** 2).sum(axis=(-1, -2)))

    if found.size == 0:
        return 0.0
    k = apply(flags[0], a).shape[-1]
    scale = np.sqrt(k + 2) * abs(alpha) * norm(a) * norm(b) + 2 * abs(beta) * (norm(c) if beta else 0)
    error = norm(found - expected)
    worst = np.where(error == 0, 0, error / np.where(scale == 0, 1, scale)).max()
    return float(worst) / BY_DTYPE[found.dtype.name].eps


def values(operand):
    """The matrices of an operand, read without the library's own conversions."""
    if isinstance(operand, Interleaved):
        return gathered(operand)
    return np.array(operand)


def gathered(x):
    """The matrices of interleaved storage, by the definition of the layout: (block, column, row, part, lane)."""
    numbers = x.data
    if x.data.ndim == 5:  # part by part: a sum would lose the signs of zeros
        numbers = np.empty((*x.data.shape[:3], x.nb), x.dtype)
        numbers.real, numbers.imag = x.data[..., 0, :], x.data[..., 1, :]
    batch, rows, cols = x.shape
    return numbers.transpose(0, 3, 2, 1).reshape(x.data.shape[0] * x.nb, rows, cols)[:batch].astype(x.dtype)
