"""Vectors and matrices whose elements are more than 2^31 apart, in memory of which few pages are ever touched."""

from __future__ import annotations

import mmap
import os

import numpy as np
import pytest
from support.layouts import bits

import bblas_gen as bb

pytestmark = pytest.mark.thorough
BEYOND = 2**31
LAZILY = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0x4000)


def sparse(elements, dtype):
    """Zeros, for which there is no memory before they are written."""
    size = elements * np.dtype(dtype).itemsize
    try:
        memory = mmap.mmap(-1, size, flags=LAZILY)
    except (OSError, ValueError):
        pytest.skip(f"the system has no {size >> 30} GB of addresses")
    return np.frombuffer(memory, dtype, elements)


def test_vectors():
    """One of them is read from end to end; of the others elements lie apart."""
    x = sparse(BEYOND + 9, "float32")
    x[0], x[BEYOND - 1], x[-1] = 2, 4, 4
    assert bb.nrm2(x) == 6
    step = BEYOND // 99
    y = x[::step]
    y[...] = np.arange(len(y))
    z = np.ones(len(y), "float32")
    assert bb.dot(y, z) == y.sum()
    bb.axpy(z, y, alpha=2.0)
    assert y.tolist() == [i + 2 for i in range(len(y))]


def test_long_sums():
    """Every element of both is read, of a matrix with one column, too, by threads that share them."""
    x, y = sparse(BEYOND + 9, "float32"), sparse(BEYOND + 9, "float32")
    for i, value in ((3, 2), (BEYOND - 1, 3), (BEYOND + 8, 5)):
        x[i] = y[i] = value
    for threads in (1, 2):
        assert bb.dot(x, y, num_threads=threads) == 38
        assert bb.gemv(x[:, None], y, trans="T", num_threads=threads).tolist() == [38]


def test_what_is_written():
    """Updates of all elements: memory for those of one vector is needed."""
    n = BEYOND + 9
    if os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") < 5 * n:
        pytest.skip("no memory for so many elements")
    x, y = sparse(n, "float32"), sparse(n, "float32")
    for z in (x, y):
        z[[3, BEYOND - 1, BEYOND + 8]] = 2, 3, 5
    bb.axpy(x, y, alpha=2.0)
    bb.scal(y, alpha=-1.0)
    bb.ger(x, np.ones(1, "float32"), y[:, None])
    assert np.flatnonzero(y).tolist() == [3, BEYOND - 1, BEYOND + 8]
    assert y[[3, BEYOND - 1, BEYOND + 8]].tolist() == [-4, -6, -10]


def far(near):
    """The same matrix, the first and last column of which are more than 2^31 elements apart."""
    rows, cols = near.shape
    apart = BEYOND // (cols - 1) + 9
    found = sparse(cols * apart, near.dtype).reshape(cols, apart)[:, :rows].T
    found[...] = near
    return found


def matrix(rng, n, dtype):
    """Symmetric and well-conditioned, its columns neighbours."""
    a = rng.standard_normal((n, n)).astype(dtype)
    return np.asfortranarray(a + a.T + 4 * n * np.eye(n, dtype=dtype))


WAYS = {
    "potrf": (520, "float64", lambda a, b: bb.potrf(a)),
    "potri": (520, "float64", lambda a, b: bb.potri(a)),
    "getrf": (130, "complex64", lambda a, b: bb.getrf(a)[0]),
    "gesv": (130, "float64", lambda a, b: bb.gesv(a, b)),
    "trsm": (520, "float64", lambda a, b: bb.trsm(a, b)),
    "trsm_one": (520, "float64", lambda a, b: bb.trsm(a, b[:, :1].copy())),
    "trmm_one": (520, "float64", lambda a, b: bb.trmm(a, b[:, :1].copy(), uplo="U", transa="T")),
    "symm": (520, "float64", lambda a, b: bb.symm(a, b)),
    "syrk": (520, "float64", lambda a, b: np.tril(bb.syrk(a))),
    "gemm": (210, "float64", lambda a, b: bb.gemm(a, b)),
    "gemv": (210, "float64", lambda a, b: bb.gemv(a, b[:, 0])),
    "gemv_t": (210, "complex64", lambda a, b: bb.gemv(a, b[:, 0], trans="C")),
    "ger": (210, "float64", lambda a, b: bb.ger(b[:, 0], b[:, 1], a)),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("turned", [False, True])
def test_matrices(way, turned, rng):
    """The bits are those of a matrix whose columns, or rows where ``turned``, are neighbours."""
    n, dtype, call = WAYS[way]
    near, b = matrix(rng, n, dtype), np.asfortranarray(rng.standard_normal((n, 70)).astype(dtype))
    b = np.ascontiguousarray(b) if turned else b
    found = [np.array(call(x.T if turned else x, b.copy(order="K"))) for x in (far(near), near)]
    assert bits(found[0]) == bits(found[1])
