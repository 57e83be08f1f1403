"""Vectors and matrices whose elements are more than 2^31 apart, in memory of which few pages are ever touched."""

from __future__ import annotations

import mmap

import numpy as np
import pytest
from support.emulated_gpu import GpuArray, large_from
from support.layouts import bits

import bblas_gen as bb
from bblas_gen.runtime import gpu

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


def far(near):
    """A copy of a batch, in which elements of a matrix are more than 2^31 apart, and matrices too."""
    count, m, n = near.shape
    apart = BEYOND // max(1, n - 1) + 9
    whole = sparse(count * n * apart, near.dtype)
    found = whole.reshape(count, n, apart)[:, :, :m].swapaxes(1, 2)
    found[...] = near
    return found


@pytest.mark.usefixtures("emulated")
@pytest.mark.parametrize("order", [3, 9, 40])
def test_on_a_gpu(order, rng):
    """Threads that each do a matrix, teams, pairs of them; also the NaN of what fails, and parts of what is large."""
    a = rng.standard_normal((3, order, order)).astype("f4")
    a = a @ a.mT + order * np.eye(order, dtype="f4")
    a[1, -1, -1] = -1
    b = rng.standard_normal((3, order, 2)).astype("f4")
    runs = {
        "gemm": lambda x, y: bb.gemm(x, x, y),
        "posv": lambda x, y: bb.posv(x, y, check="nan"),
        "getrf": lambda x, _: bb.getrf(x, check="nan"),
        "interleave": lambda x, y: bb.deinterleave(bb.interleave(x), y),
    }
    for name, run in runs.items():
        near = a.copy(), b.copy() if name == "posv" else np.zeros_like(a)
        there = [far(x) for x in near]
        for pair in (near, there):
            run(*map(GpuArray, pair))
            gpu.gpu(0).stream(None).sync()
        for x, y in zip(near, there, strict=True):
            assert bits(x) == bits(np.ascontiguousarray(y)), name


@pytest.mark.usefixtures("emulated")
@pytest.mark.parametrize("name", ["gemm", "posv", "getrf"])
def test_large_ones_on_a_gpu(name, rng, monkeypatch):
    large_from(8, monkeypatch)
    a = rng.standard_normal((2, 19, 19)).astype("f4")
    a = a @ a.mT + 19 * np.eye(19, dtype="f4")
    b = rng.standard_normal((2, 19, 5)).astype("f4")
    near, there = ([y(x) for x in (a, b)] for y in (np.copy, far))
    for x, y in (near, there):
        if name == "gemm":
            bb.gemm(GpuArray(x), GpuArray(y.copy()), GpuArray(y))
        else:
            getattr(bb, name)(*map(GpuArray, (x, y)[: 1 + (name == "posv")]), check="ignore")
        gpu.gpu(0).stream(None).sync()
    for x, y in zip(near, there, strict=True):
        assert bits(x) == bits(np.ascontiguousarray(y)), name
