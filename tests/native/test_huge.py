"""Vectors and matrices whose elements are more than 2^31 apart, in memory of which few pages are ever touched."""

from __future__ import annotations

import mmap

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


@pytest.mark.parametrize(("name", "n", "dtype"), [("potrf", 520, "float64"), ("getrf", 130, "complex64")])
def test_matrices(name, n, dtype, rng):
    """The bits are those of a matrix whose columns are neighbours."""
    apart = BEYOND // (n - 1) + 9
    whole = sparse(n * apart, dtype)
    a = whole.reshape(n, apart)[:, :n].T
    near = np.asfortranarray(rng.standard_normal((n, n)).astype(dtype) + n * np.eye(n, dtype=dtype))
    a[...] = near
    function = getattr(bb, name)
    for x in (a, near):
        function(x)
    assert bits(np.asfortranarray(a)) == bits(near)


def test_products(rng):
    m, n, k = 210, 205, 230
    apart = BEYOND // (k - 1) + 9
    a, b = rng.standard_normal((k, m)), rng.standard_normal((n, k))
    far = sparse(k * apart, "float64").reshape(k, apart)[:, :m]
    far[...] = a
    assert bits(bb.gemm(far.T, b.T)) == bits(bb.gemm(a.T, b.T))
