"""Linear algebra in extended precision, and matrices to try kernels on."""

from __future__ import annotations

from typing import Any

import numpy as np

from bblas_gen.ir.terms import BY_DTYPE, PRECISIONS, Trans

DTYPES = [row.dtype for row in PRECISIONS.values()]
NAN = float("nan")


def is_complex(dtype: Any) -> bool:
    return np.dtype(dtype).kind == "c"


def wide(x: Any) -> Any:
    """``x`` in extended precision."""
    return np.asarray(x).astype(np.clongdouble if np.asarray(x).dtype.kind == "c" else np.longdouble)


def apply(letter: str, x: Any) -> Any:
    """op(x) for matrices in the last two axes."""
    flag = Trans(letter)
    x = np.swapaxes(x, -1, -2) if flag.transposes else x
    return x.conj() if flag.conjugates else x


def random(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> Any:
    numbers = rng.standard_normal(shape)
    if is_complex(dtype):
        numbers = numbers + 1j * rng.standard_normal(shape)
    return numbers.astype(dtype)


def adjoint(x):
    return np.swapaxes(x, -1, -2).conj()


def transposed(x):
    return np.swapaxes(x, -1, -2)


def norm(x):
    return np.sqrt((np.abs(x) ** 2).sum(axis=(-1, -2)))


def stored(shape, uplo, diag="N"):
    """Which elements of a triangle are read; "D" is the diagonal."""
    rows, cols = np.indices(shape)
    inside = {"L": rows >= cols, "U": rows <= cols, "D": rows == cols}[uplo]
    return inside & (rows != cols) if diag == "U" else inside


def triangle(a, uplo, diag="N"):
    """The triangular matrix that is stored in ``a``."""
    full = np.where(stored(a.shape[-2:], uplo, diag), wide(a), 0)
    return full + np.eye(a.shape[-1]) if diag == "U" else full


def symmetric(a, uplo, hermitian):
    """The symmetric or Hermitian matrix of which one triangle is stored in ``a``."""
    strict = np.where(stored(a.shape[-2:], uplo, "U"), wide(a), 0)
    n = a.shape[-1]
    diagonal = np.zeros_like(strict)
    values = wide(a)[..., np.arange(n), np.arange(n)]
    diagonal[..., np.arange(n), np.arange(n)] = values.real if hermitian else values
    return strict + diagonal + (adjoint(strict) if hermitian else transposed(strict))


def spoiled(a, mask):
    """``a`` with NaN where it must not be read."""
    return np.where(mask, a, NAN).astype(a.dtype)


def well(a, uplo, diag):
    """A triangular matrix that is far from singular."""
    n = a.shape[-1]
    a = a / max(1, n)
    a[..., np.arange(n), np.arange(n)] += 2
    return spoiled(a, stored((n, n), uplo, diag))


def positive(rng, batch, n, dtype):
    x = random(rng, (batch, n, n + 2), dtype)
    return (x @ adjoint(x) / (n + 2) + np.eye(n)).astype(dtype)


def hermitian_noise(a, is_complex):
    """Imaginary parts on a Hermitian diagonal, which count as zero: NaN in one matrix, infinite in the next."""
    if is_complex:
        n = np.arange(a.shape[-1])
        a.imag[::2, n, n], a.imag[1::2, n, n] = NAN, np.inf
    return a


def difference(found, expected, scale):
    """The largest error of a batch, relative to ``scale`` and eps."""
    eps = BY_DTYPE[found.dtype.name].eps
    error = norm(wide(found) - expected)
    return float(np.max(np.where(error == 0, 0, error / np.where(scale == 0, 1, scale)), initial=0.0)) / eps
