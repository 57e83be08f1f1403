"""The short way of calls that are like earlier ones: taken for any batch size, and never where something is wrong."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager

import numpy as np
import pytest

import bblas_gen as bb
from bblas_gen.runtime import kernels

N = 2
SHARED = np.arange(1.0, 5.0).reshape(N, N)
STEPS = [bb.step("potrf", "A"), bb.step("trsm", "A", "B")]


@pytest.fixture(autouse=True)
def forget():
    kernels.reset()
    yield
    kernels.reset()


def ones(batch, *shape):
    return np.ones((batch, *(shape or (N, N))))


def identities(batch):
    return np.broadcast_to(np.eye(N), (batch, N, N)).copy()


def full(batch):
    return bb.interleave(ones(batch), nb="full")


CALLS: dict[str, Callable[[int], object]] = {
    "gemm": lambda batch: bb.gemm(ones(batch), ones(batch), ones(batch)),
    "gemm, new": lambda batch: bb.gemm(ones(batch), ones(batch)),
    "gemm, one matrix for all": lambda batch: bb.gemm(SHARED, ones(batch), ones(batch)),
    "gemm, views": lambda batch: bb.gemm(ones(batch, N, 9)[:, :, ::4][:, :, :N], ones(batch), ones(batch, 5, N)[:, :N]),
    "gemm, complex": lambda batch: bb.gemm(ones(batch) * 1j, ones(batch) * 1j, alpha=2j),
    "gemm, bi": lambda batch: bb.gemm(bb.interleave(ones(batch)), bb.interleave(ones(batch))),
    "gemm, il": lambda batch: bb.gemm(full(batch), full(batch), full(batch)),
    "gemm, il and st": lambda batch: bb.gemm(full(batch), ones(batch), full(batch)),
    "gemv": lambda batch: bb.gemv(SHARED, ones(batch, N), ones(batch, N)),
    "axpy": lambda batch: bb.axpy(ones(batch, N), ones(batch, N)),
    "dot": lambda batch: bb.dot(np.ones(N), ones(batch, N)),
    "dot, bi": lambda batch: bb.dot(bb.interleave(ones(batch, N, 1)), ones(batch, N)),
    "posv": lambda batch: bb.posv(identities(batch), ones(batch)),
    "posv, out": lambda batch: bb.posv(identities(batch), ones(batch), out=ones(batch)),
    "gesv": lambda batch: bb.gesv(identities(batch), ones(batch)),
    "getrf, bi": lambda batch: bb.getrf(bb.interleave(identities(batch))),
    "sequence": lambda batch: bb.sequence(STEPS)(A=identities(batch), B=ones(batch)),
    "interleave": lambda batch: bb.interleave(ones(batch)),
}


def plain(value):
    """All numbers of a result."""
    if isinstance(value, tuple):
        return np.concatenate([plain(x).ravel() for x in value])
    return value.deinterleave() if isinstance(value, bb.Interleaved) else np.asarray(value)


@pytest.mark.parametrize("name", CALLS)
def test_the_long_way_is_taken_once_for_all_batch_sizes(name, long_ways, monkeypatch):
    # A sequence that is made anew for each call is another one.
    made = bb.sequence(STEPS)
    monkeypatch.setattr(bb, "sequence", lambda _: made)
    for batch in (9, 17):  # both: what is C-contiguous may be so for one matrix only
        CALLS[name](batch)
    known = len(long_ways)
    found = {batch: CALLS[name](batch) for batch in (8, 11, 30)}
    assert long_ways[known:] == []
    for batch, result in found.items():
        kernels.reset()
        np.testing.assert_array_equal(plain(result), plain(CALLS[name](batch)))


def test_an_empty_part_of_a_batch_takes_the_short_way(long_ways):
    a, factors = ones(5), identities(5)
    bb.gemm(a, a)
    bb.potrf(factors, return_info=True)
    known = len(long_ways)
    assert bb.gemm(a[2:2], a[5:]).shape == (0, N, N)
    factor, info = bb.potrf(factors[1:1], return_info=True)
    assert (factor.shape, info.shape) == ((0, N, N), (0,))
    assert long_ways[known:] == []


def test_the_count_sees_a_long_way(long_ways):
    bb.gemm(ones(3), ones(3))
    bb.gemm(ones(3), ones(3), transa="T")
    assert long_ways == ["gemm", "gemm"]


@contextmanager
def refused(kind, text, *untouched):
    before = [np.array(x) for x in untouched]
    with pytest.raises(kind, match=text):
        yield
    for old, new in zip(before, untouched, strict=True):
        np.testing.assert_array_equal(old, new)


def test_what_is_wrong_is_refused_after_a_call_that_was_right():
    a, b, c = ones(3), ones(3), ones(3)
    bb.gemm(a, b, c)
    bb.gemm(SHARED, b, c)
    bb.gemm(a, b)
    raw = np.zeros(8 * 12 + 1, np.uint8)[1:].view(float).reshape(3, N, N)
    bb.gemm(raw, b, c)  # is not aligned, so copied
    np.testing.assert_array_equal(c, 0)
    with refused(ValueError, "b is a batch of 4 but a is one of 3", c):
        bb.gemm(a, ones(4), c)
    with refused(ValueError, "c is a batch of 2 but a is one of 3", c):
        bb.gemm(a, b, c[:2])
    with refused(ValueError, "a has 3 rows but c has 2 rows|c has 2 rows but a has 3 rows", c):
        bb.gemm(np.ones((3, N)), b, c)
    with refused(ValueError, "beta = 1.0 without c"):
        bb.gemm(a, b, beta=1.0)
    with refused(TypeError, "alpha = 'x'", c):
        bb.gemm(a, b, c, alpha="x")
    with refused(ValueError, "transa", c):
        bb.gemm(a, b, c, transa=["N"])
    with refused(ValueError, "b has 1 rows but a has"):
        bb.gemm(a[0], b[0, :1])
    assert bb.gemm(a[:0], b[:0]).shape == (0, N, N)


def test_an_output_may_overlap_itself_in_a_larger_batch():
    """What was found of one matrix does not hold for two, even where they lie alike: with gaps between rows."""
    storage = np.zeros((N, 2 * N))
    for batch, right in ((1, True), (2, False), (1, True)):
        c = np.lib.stride_tricks.as_strided(storage, (batch, N, N), (0, 16 * N, 8))
        if right:
            bb.gemm(ones(batch), ones(batch), c)
            np.testing.assert_array_equal(storage, [[N] * N + [0] * N] * N)
        else:
            with refused(ValueError, "c overlaps itself", storage):
                bb.gemm(ones(batch), ones(batch), c)


def test_a_dropped_sequence_lends_its_name_to_no_other():
    """Calls are remembered by the identity of an operation, which must not go to another one."""
    a = ones(3)
    for factor in range(20):
        steps = [bb.step("lacpy", "A", "C"), bb.step("gemm", "A", "A", "C", alpha=factor % 3, beta=1)]
        np.testing.assert_array_equal(bb.sequence(steps)(A=a), a + factor % 3 * a @ a)
