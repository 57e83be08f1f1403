"""Interleaved storage and the conversions."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from support.covering import covering
from support.extended import random

import bblas_gen as bb
from bblas_gen.ir.terms import PRECISIONS

DTYPES = [row.dtype for row in PRECISIONS.values()]


SHAPES = [(21, 5, 3), (4, 1, 9), (75, 2, 2), (1, 8, 8)]
BLOCKS = [None, 1, 3, 4, 8, 72, "full"]
PAIRS = covering(1, DTYPES, BLOCKS, SHAPES)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("nb", BLOCKS)
def test_there_and_back(dtype, nb, rng):
    for batch, rows, cols in (shape for *some, shape in PAIRS if some == [dtype, nb]):
        a = random(rng, (batch, rows, cols), dtype)
        x = bb.interleave(a, nb=nb)
        assert x.shape == a.shape
        assert len(x) == batch
        assert x.dtype == a.dtype
        assert (x.data.ctypes.data % 64) == 0
        stored = x.lanes.reshape(-1, *x.lanes.shape[2:])[:batch]
        stored = stored[..., 0] + 1j * stored[..., 1] if x.data.ndim == 5 else stored
        assert np.array_equal(stored, a)
        assert np.array_equal(x.deinterleave(), a)
        for index in (0, batch - 1, -1):
            assert np.array_equal(x[index], a[index])


@pytest.mark.parametrize("dtype", DTYPES)
def test_any_strides_and_given_storage(dtype, rng):
    a = random(rng, (13, 6, 7), dtype)
    big = random(rng, (26, 14, 8), dtype)
    out = bb.Interleaved.empty((13, 6, 7), dtype, nb=4)
    for source in (
        a,
        np.asfortranarray(a),
        a[::-1, ::-1],
        big[::2, 1:13:2, :7],
        a.swapaxes(1, 2).copy().swapaxes(1, 2),
    ):
        assert bb.interleave(source, out) is out
        assert np.array_equal(out.deinterleave(), source)
        target = np.zeros_like(source)
        assert bb.deinterleave(out, target) is target
        assert np.array_equal(target, source)
    assert np.array_equal(bb.interleave(list(a)).deinterleave(), a)
    pieces = [np.zeros((6, 7), dtype, order="F") for _ in range(13)]
    bb.interleave(a).deinterleave(pieces)
    assert np.array_equal(np.array(pieces), a)


def test_large_matrices_are_copied_in_place(rng):
    a = random(rng, (3, 150, 90), "complex128")
    assert np.array_equal(bb.interleave(a).deinterleave(), a)


def test_what_it_says_of_itself(rng):
    x = bb.interleave(random(rng, (21, 5, 3), "float64"))
    assert repr(x) == "Interleaved(shape=(21, 5, 3), dtype=float64, layout='bi', nb=8, padding=3)"
    y = bb.interleave(random(rng, (21, 5, 3), "complex64"), nb="full")
    assert repr(y) == "Interleaved(shape=(21, 5, 3), dtype=complex64, layout='il', nb=32, padding=11)"
    assert x.ndim == 3
    assert x.nbytes == x.data.nbytes == 3 * 15 * 8 * 8


@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_indexing_copies_out_and_assignment_writes_in(dtype, rng):
    a = random(rng, (10, 3, 4), dtype)
    x = bb.interleave(a)
    matrix = x[7]
    with pytest.raises(ValueError, match="read-only"):
        matrix[0, 0] = 1
    x[7] = a[2]
    assert np.array_equal(x[7], a[2])
    assert np.array_equal(x[6], a[6])
    x[-1] = 5
    assert (x[9] == 5).all()
    with pytest.raises(IndexError, match="index 10 is out of bounds for a batch of 10"):
        x[10]
    with pytest.raises(TypeError, match="index is 'a'"):
        x["a"]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles(protocol, rng):
    for x in (bb.interleave(random(rng, (9, 3, 2), "complex64")), bb.interleave(np.ones((3, 4, 4)), triangle="U")):
        y = pickle.loads(pickle.dumps(x, protocol))
        assert (y.shape, y.layout, y.nb, y.dtype) == (x.shape, x.layout, x.nb, x.dtype)
        assert np.array_equal(y.data, x.data)
    assert copy.copy(x).data is x.data
    assert copy.deepcopy(x).data is not x.data


def test_nothing_is_copied_silently(rng):
    storage = rng.standard_normal((2, 4, 3, 8))
    x = bb.Interleaved(storage, 13)
    assert x.data is storage
    assert np.shares_memory(x.lanes, storage)
    assert x[9][2, 1] == storage[1, 1, 2, 1]
    with pytest.raises(TypeError, match=r"not converted silently: use \.deinterleave"):
        np.asarray(x)


@pytest.mark.parametrize(
    ("data", "batch", "layout", "error", "text"),
    [
        ([1.0], 1, "bi", TypeError, "data is a list"),
        (np.ones((1, 2, 2, 8), int), 8, "bi", TypeError, "data has dtype int64"),
        (np.ones((1, 2, 2, 8), complex), 8, "bi", ValueError, "data has dtype complex128 and shape"),
        (np.ones((1, 2, 8)), 8, "bi", ValueError, "expected reals of shape"),
        (np.ones((1, 2, 2, 3, 8)), 8, "bi", ValueError, "expected reals of shape"),
        (np.ones((1, 2, 2, 16))[..., ::2], 8, "bi", ValueError, "not C-contiguous"),
        (np.ones((1, 2, 2, 8)), 9, "bi", ValueError, "batch = 9 does not fit 1 block"),
        (np.ones((2, 2, 2, 8)), 8, "bi", ValueError, "batch = 8 does not fit 2 block"),
        (np.ones((1, 2, 2, 8)), -1, "bi", ValueError, "batch = -1 does not fit"),
        (np.ones((2, 2, 2, 8)), 9, "il", ValueError, "data has 2 blocks: expected one in layout il"),
        (np.ones((1, 2, 2, 8)), 8, "st", ValueError, "layout = 'st' is not interleaved"),
        (np.ones((1, 2, 2, 8)), 3.0, "bi", TypeError, r"batch = 3\.0: expected an int"),
        (np.ones((1, 2, 2, 8)), "3", "bi", TypeError, "batch = '3': expected an int"),
        (np.ones((1, 2, 2, 8)), True, "bi", TypeError, "batch = True: expected an int"),
        (np.ma.array(np.ones((1, 2, 2, 8))), 8, "bi", TypeError, "data is a masked array"),
    ],
)
def test_bad_storage(data, batch, layout, error, text):
    with pytest.raises(error, match=text):
        bb.Interleaved(data, batch, layout=layout)


def test_bad_shapes():
    with pytest.raises(TypeError, match=r"shape = \(3\.0, 2, 2\): expected ints"):
        bb.Interleaved.empty((3.0, 2, 2))
    with pytest.raises(ValueError, match=r"shape = \(3, 2\): expected \(batch, rows, columns\)"):
        bb.Interleaved.empty((3, 2))


def test_storage_without_lanes():
    with pytest.raises(ValueError, match=r"data has shape \(0, 2, 2, 0\): expected blocks of 1 lane or more"):
        bb.Interleaved(np.zeros((0, 2, 2, 0)), 0)


@pytest.mark.parametrize("nb", [0, -1, 2.0, "half", 2**17, True])
def test_bad_block_sizes(nb):
    with pytest.raises(ValueError, match=r"nb = .* is not a block size: expected an int from 1 to 65536 or 'full'"):
        bb.interleave(np.ones((3, 2, 2)), nb=nb)


def test_bad_conversions():
    a = np.ones((3, 2, 2))
    x = bb.interleave(a)
    with pytest.raises(TypeError, match="out is a ndarray: expected an Interleaved"):
        bb.interleave(a, np.ones((3, 2, 2)))
    with pytest.raises(ValueError, match="nb = 8 given with out"):
        bb.interleave(a, x, nb=8)
    with pytest.raises(TypeError, match="a is a ndarray: expected an Interleaved"):
        bb.deinterleave(a)
    with pytest.raises(ValueError, match="out has 5 rows but a has 2 rows"):
        x.deinterleave(np.ones((3, 5, 2)))
    pivots = bb.Interleaved(np.zeros((1, 1, 4, 8), np.int32), 5)
    for out, error, expected in (
        (np.ones((5, 4, 1)), TypeError, "out has dtype float64: expected an array of int32"),
        ([np.ones((4, 1), np.int32)] * 5, TypeError, "out is a list: expected an array of int32"),
        (np.ones((2, 5, 4, 1), np.int32), ValueError, r"out has shape \(2, 5, 4, 1\): expected \(5, 4, 1\)"),
    ):
        with pytest.raises(error, match=expected):
            pivots.deinterleave(out)
    with pytest.raises(ValueError, match="out is a batch of 4 but a is one of 3"):
        x.deinterleave(np.ones((4, 2, 2)))
    with pytest.raises(ValueError, match="negative dimensions"):
        bb.Interleaved.empty((3, -1, 2))
    with pytest.raises(ValueError, match=r"expected \(batch, rows, columns\)"):
        bb.Interleaved.empty((3, 2))
    with pytest.raises(TypeError, match="dtype has dtype int64"):
        bb.Interleaved.empty((3, 2, 2), int)


@pytest.mark.parametrize("nb", [4, "full"])
@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_slices_are_views(dtype, nb, rng):
    a = random(rng, (10, 3, 3), dtype)
    x = bb.interleave(a, nb=nb)
    starts = (0, 4, 8) if nb == 4 else (0,)
    for start in starts:
        for stop in (start, start + 1, start + 4, start + 5, 10, -1):
            view = x[start:stop]
            assert np.array_equal(view.deinterleave(), a[start:stop])
            assert (view.layout, view.nb) == (x.layout, x.nb)
            assert np.shares_memory(view.data, x.data) or not len(view)
    assert len(x[7:2]) == len(x[10:]) == 0


@pytest.mark.parametrize("nb", [4, "full"])
def test_operations_on_a_view_leave_the_others_alone(nb, rng):
    a = random(rng, (10, 3, 3), "float64")
    x = bb.interleave(a, nb=nb)
    part = np.s_[4:9] if nb == 4 else np.s_[:7]
    bb.gemm(a[part], a[part], x[part])
    expected = a.copy()
    expected[part] = bb.gemm(a[part], a[part])
    assert np.array_equal(x.deinterleave(), expected)
    with pytest.raises(ValueError, match=r"overlap|share"):
        bb.gemm(x[:4], x[:4], x[:4])


def test_views_cut_no_blocks(rng):
    x = bb.interleave(random(rng, (10, 3, 3), "float64"), nb=4)
    for wanted in (np.s_[1:4], np.s_[-1:], np.s_[::2]):
        with pytest.raises(ValueError, match=r"is no view: expected step 1 and a start that is a multiple of nb = 4"):
            x[wanted]
    with pytest.raises(TypeError, match="index is slice"):
        x[0:4] = 0


def test_products_by_their_sign(rng):
    a = random(rng, (10, 3, 3), "float64")
    x = bb.interleave(a)
    expected = bb.gemm(a, a)
    for found in (x @ x, x @ a):
        assert np.array_equal(found.deinterleave(), expected)
    assert np.array_equal(a @ x, expected)
    with pytest.raises(TypeError, match="b is a int"):
        x @ 3
