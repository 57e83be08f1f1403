"""Matrices on an emulated GPU whose elements are more than 2^31 apart."""

from __future__ import annotations

import numpy as np
import pytest
from support.emulated_gpu import GpuArray, large_from
from support.layouts import bits
from support.sparse import BEYOND, sparse

import bblas_gen as bb
from bblas_gen.runtime import gpu

pytest.importorskip("cuda.core", reason="cuda-core is not installed")
pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("emulated")]


def far(near):
    """A copy of a batch, in which elements of a matrix are more than 2^31 apart, and matrices too."""
    count, m, n = near.shape
    apart = BEYOND // max(1, n - 1) + 9
    whole = sparse(count * n * apart, near.dtype)
    found = whole.reshape(count, n, apart)[:, :, :m].swapaxes(1, 2)
    found[...] = near
    return found


@pytest.mark.parametrize("order", [3, 9, 40])
def test_small_ones(order, rng):
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


@pytest.mark.parametrize("name", ["gemm", "posv", "getrf"])
def test_large_ones(name, rng, monkeypatch):
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
