"""Outputs that overlap: refused, remembered call or not, and tiles of one matrix, which do not."""

from __future__ import annotations

import numpy as np
import pytest

import bblas_gen as bb


def test_a_remembered_call_is_checked_again():
    a, b, c = np.ones((3, 4, 4)), np.ones((3, 4, 4)), np.zeros((3, 4, 4))
    bb.gemm(a, b, c)
    locked = np.zeros((3, 4, 4))
    locked.flags.writeable = False
    with pytest.raises(ValueError, match="c is read-only"):
        bb.gemm(a, b, locked)
    with pytest.raises(ValueError, match="c overlaps a"):
        bb.gemm(a, b, a)
    with pytest.raises(ValueError, match="c overlaps b"):
        bb.gemm(a, b, b[:])
    with pytest.raises(ValueError, match="beta = nan"):
        bb.gemm(a, b, c, beta=float("nan"))
    with pytest.raises(TypeError, match="num_threads"):
        bb.gemm(a, b, c, num_threads="2")
    assert (a == 1).all()
    assert (b == 1).all()
    assert (c == 4).all()


def test_partial_overlap_is_refused_and_none_is_not():
    storage = np.ones((3, 5, 5))
    part = storage[:, :, :2]
    with pytest.raises(ValueError, match="c overlaps a"):
        bb.gemm(storage, np.ones((3, 5, 2)), part)
    assert (storage == 1).all()
    columns = np.ones((3, 4, 8))
    bb.gemm(columns[:, :, ::2], np.ones((3, 4, 4)), columns[:, :, 1::2])
    assert (columns[:, :, 1::2] == 4).all()
    assert (columns[:, :, ::2] == 1).all()


def test_tiles_of_one_matrix_are_no_overlap():
    big = np.ones((12, 12))
    tiles = [big[i : i + 4, j : j + 4] for i in (0, 4, 8) for j in (0, 4, 8)]
    a = [np.full((4, 4), float(i)) for i in range(9)]
    bb.gemm(a, [np.eye(4)] * 9, tiles)
    assert np.array_equal(big[::4, ::4].ravel(), np.arange(9.0))
    with pytest.raises(ValueError, match="c overlaps itself"):
        bb.gemm(a, [np.eye(4)] * 9, [*tiles[:8], big[3:7, 0:4]])
    with pytest.raises(ValueError, match="c overlaps b"):
        bb.gemm(a, [big[1:5, 1:5]] * 9, tiles)
