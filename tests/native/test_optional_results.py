"""Results that a caller leaves out, where beta is 0; what is said of operands of a wrong number of axes."""

from __future__ import annotations

import numpy as np
import pytest
from support.extended import random

import bblas_gen as bb

BATCH = 9
LAST = {"symm": (3, 2), "hemm": (3, 2), "syrk": (3, 3), "herk": (3, 3), "syr2k": (3, 3), "her2k": (3, 3), "gemv": (3,)}
"""The shape of a result, by operation."""
GIVEN = {"symm": [(3, 3), (3, 2)], "hemm": [(3, 3), (3, 2)], "gemv": [(3, 2), (2,)]}
RANK = {"syrk": 1, "herk": 1, "syr2k": 2, "her2k": 2}


def given(op, dtype="float64"):
    rng = np.random.default_rng(3)
    return [random(rng, (BATCH, *shape), dtype) for shape in GIVEN.get(op, [(3, 2)] * RANK.get(op, 0))]


def expected(op, dtype="float64"):
    return getattr(bb, op)(*given(op, dtype), np.zeros((BATCH, *LAST[op]), dtype))


@pytest.mark.parametrize("dtype", ["float64", "complex64"])
@pytest.mark.parametrize("op", LAST)
def test_a_new_result_has_the_bits_of_one_given(op, dtype):
    """What is not written of it is zero."""
    found = getattr(bb, op)(*given(op, dtype))
    assert type(found) is np.ndarray
    assert found.dtype == dtype
    assert np.array_equal(found, expected(op, dtype))
    assert np.array_equal(bb.plan(op, *given(op, dtype))(), found)


@pytest.mark.parametrize("op", ["symm", "syrk", "gemv"])
def test_it_is_of_the_kind_of_the_first_batch(op):
    lists = getattr(bb, op)(*map(list, given(op)))
    assert isinstance(lists, list)
    assert np.array_equal(lists, expected(op))
    blocks = getattr(bb, op)(*(bb.interleave(x if x.ndim == 3 else x[..., None]) for x in given(op)))
    assert isinstance(blocks, bb.Interleaved)
    assert np.array_equal(blocks.deinterleave().reshape(expected(op).shape), expected(op))


@pytest.mark.parametrize("op", LAST)
def test_nothing_is_scaled_that_nobody_gave(op):
    with pytest.raises(ValueError, match=rf"^beta = 0.5 without {'y' if op == 'gemv' else 'c'}: expected 0"):
        getattr(bb, op)(*given(op), beta=0.5)


def test_a_batch_of_vectors_is_told_from_one_matrix():
    a = np.tile(np.eye(4), (10, 1, 1))
    hint = r"; if b is a batch of vectors, pass b\[..., None\]$"
    with pytest.raises(ValueError, match="^b has 10 rows but a has 4 rows.*" + hint):
        bb.posv(a, np.ones((10, 4)))
    with pytest.raises(ValueError, match="^b has 10 rows but a has 4 columns.*" + hint):
        bb.gemm(a, np.ones((10, 4)))
    with pytest.raises(ValueError, match=r"^b has 9 rows but a has 4 rows: expected n = 4 of both, uplo = L$"):
        bb.posv(a, np.ones((9, 4)))


def test_one_matrix_that_would_be_overwritten():
    text = "^{0} is 2-D, one matrix for the whole batch: expected 3-D, as it is an output"
    b = np.ones((10, 4, 1))
    with pytest.raises(
        ValueError, match=text.format("a") + r"; factor it once with potrf\(a\[None\]\) and use potrs, "
    ):
        bb.posv(np.eye(4), b)
    with pytest.raises(
        ValueError, match=text.format("a") + r"; factor it once with getrf\(a\[None\]\) and use getrs, "
    ):
        bb.gesv(np.eye(4), b)
    with pytest.raises(ValueError, match=text.format("b") + r", such as b\[None\], or b\[..., None\] of vectors$"):
        bb.potrs(np.tile(np.eye(4), (10, 1, 1)), np.ones((4, 4)))


def test_more_axes_of_a_batch():
    with pytest.raises(ValueError, match=r"^a has shape \(5, 2, 4, 4\): expected .*, such as a.reshape\(-1, 4, 4\);"):
        bb.potrf(np.tile(np.eye(4), (5, 2, 1, 1)))
