"""Lists of matrices and pointers to them: what is read of their headers, what they compute, what is refused."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

import bblas_gen as bb
from bblas_gen.arrays import headers
from bblas_gen.arrays.pointers import Pointers

BATCH, N = 5, 4


def matrices(rng, dtype="float64"):
    return rng.standard_normal((BATCH, N, N)).astype(dtype)


def pointers_to(array):
    return bb.pointers(
        array.ctypes.data + np.arange(len(array)) * array.strides[0],
        array.shape[1:],
        array.dtype,
        array.strides[1:],
        owner=array,
    )


@pytest.mark.parametrize("view", [np.s_[:], np.s_[:, ::2, 1:3], np.s_[:, ::-1], np.s_[:, 0], np.s_[::2, :, 1]])
def test_headers_are_read_as_arrays_tell(rng, view):
    items = tuple(matrices(rng)[view])
    assert headers._headers_are_known()
    found, asked = headers.common(items), headers._asked(items)
    assert found[0] == asked[0]
    assert found[1].tolist() == asked[1].tolist() == [x.ctypes.data for x in items]


def test_more_arrays_than_are_looked_at_at_once():
    items = tuple(np.zeros((2 * headers.CHUNK + 3, 1, 2)))
    kind, addresses = headers.common(items)
    assert kind[:3] == (np.dtype(float), (1, 2), (16, 8))
    assert addresses.tolist() == [x.ctypes.data for x in items]
    for odd in (0, headers.CHUNK, len(items) - 1):
        assert headers.common((*items[:odd], np.zeros((2, 1)), *items[odd:])) is None


class Other(np.ndarray):
    pass


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(
    "odd",
    [
        None,
        [1.0],
        np.zeros((2, 3), "float32"),
        np.zeros((2, 3), ">f8"),
        np.zeros((3, 2)),
        np.zeros((2, 3), order="F"),
        np.zeros((2, 3, 1)),
        np.zeros(2),
        np.zeros((2, 3)).view(Other),
    ],
    ids=lambda x: f"{type(x).__name__} {getattr(x, 'dtype', '')} {getattr(x, 'shape', '')} {getattr(x, 'strides', '')}",
)
def test_what_is_not_alike_has_nothing_in_common(monkeypatch, known, odd):
    monkeypatch.setattr(headers, "_headers_are_known", lambda: known)
    alike = [np.zeros((2, 3)) for _ in range(4)]
    assert headers.common(tuple(alike))[0][:3] == (np.dtype(float), (2, 3), (24, 8))
    assert headers.common((*alike, odd)) is None
    assert headers.common((odd, *alike)) is None
    assert headers.common(()) is None


def test_flags_are_those_that_all_have():
    items = [np.zeros((2, 3)) for _ in range(3)]
    assert Pointers.of(items).writeable
    items[1].flags.writeable = False
    assert not Pointers.of(items).writeable
    raw = np.zeros(8 * 6 + 1, np.uint8)[1:].view(float).reshape(2, 3)
    assert Pointers.of([*items, raw]) is None


@pytest.mark.parametrize("make", [list, tuple, pointers_to], ids=["list", "tuple", "pointers"])
@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_they_work_as_arrays_do(rng, make, dtype):
    a, b = matrices(rng, dtype), matrices(rng, dtype)
    c, expected = np.zeros_like(a), bb.gemm(a, b, alpha=2.0)
    for _ in range(2):  # the long way and the short one
        result = make(c)
        assert bb.gemm(make(a), make(b), result, alpha=2.0) is result
        np.testing.assert_array_equal(c, expected)
        c[...] = 0
    np.testing.assert_array_equal(np.array(list(bb.gemm(make(a), make(b), alpha=2.0))), expected)
    bb.plan("gemm", make(a), make(b), make(c), alpha=2.0)()
    np.testing.assert_array_equal(c, expected)
    steps = bb.sequence([bb.step("gemm", "A", "B", "C"), bb.step("gemm", "C", "B", "D")])
    for _ in range(2):
        d = np.zeros_like(c)
        steps(A=make(a), B=b, C=make(c), D=make(d))
        np.testing.assert_array_equal(d, bb.gemm(bb.gemm(a, b), b))


@pytest.mark.parametrize("make", [list, pointers_to], ids=["list", "pointers"])
def test_vectors_and_factorizations(rng, make):
    x, y = rng.standard_normal((BATCH, N)), rng.standard_normal((BATCH, 2 * N))[:, ::2]
    for _ in range(2):
        np.testing.assert_allclose(bb.dot(make(x), make(y)), (x * y).sum(1))
        expected = 2 * x + y
        bb.axpy(make(x), make(y), alpha=2.0)
        np.testing.assert_allclose(y, expected)
        a = np.broadcast_to(np.eye(N), (BATCH, N, N)).copy()
        a[1, 2, 2] = -1
        info = bb.potrf(make(a), check="nan", return_info=True)[1]
        assert info.tolist() == [0, 3, 0, 0, 0]
        assert np.isnan(a).any((1, 2)).tolist() == [False, True, False, False, False]


def test_a_list_is_looked_at_in_every_call(rng):
    """A call on lists that was right says nothing about other lists of the same kind."""
    a, b, c = (list(matrices(rng)) for _ in range(3))
    bb.gemm(a, b, c)
    with pytest.raises(ValueError, match="c overlaps a"):
        bb.gemm(a, b, [*c[:4], a[2]])
    with pytest.raises(ValueError, match="c overlaps itself"):
        bb.gemm(a, b, [*c[:4], c[0]])
    with pytest.raises(ValueError, match="c is a batch of 4 but a is one of 5"):
        bb.gemm(a, b, c[:4])
    with pytest.raises(TypeError, match=r"a\[3\] is a NoneType"):
        bb.gemm([*a[:3], None, a[4]], b, c)
    with pytest.raises(ValueError, match="matrix 4: c has 4 columns but b has 3 columns"):
        bb.gemm(a, [*b[:4], b[4][:, :3]], c)
    c[3].flags.writeable = False
    with pytest.raises(ValueError, match=r"c\[3\] is read-only"):
        bb.gemm(a, b, c)
    y = list(np.ones((BATCH, N)))
    y[3].flags.writeable = False
    with pytest.raises(ValueError, match=r"y\[3\] is read-only"):
        bb.axpy(list(np.ones((BATCH, N))), y)


def test_pointers_are_looked_at_in_every_call(rng):
    a, b, c = (matrices(rng) for _ in range(3))
    bb.gemm(pointers_to(a), pointers_to(b), pointers_to(c))
    with pytest.raises(ValueError, match="c overlaps b"):
        bb.gemm(a, b, pointers_to(b))
    with pytest.raises(ValueError, match="c overlaps itself"):
        bb.gemm(a, b, bb.pointers(np.full(BATCH, c.ctypes.data), (N, N), float))
    with pytest.raises(ValueError, match="c overlaps a"):
        bb.gemm(pointers_to(a), pointers_to(b), a)


@pytest.mark.parametrize(
    "view", [lambda a: a, lambda a: a[::-1], lambda a: np.asfortranarray(a).mT], ids=["C", "reversed", "F"]
)
def test_matrices_by_an_index(rng, view):
    base, b, index = view(matrices(rng)), matrices(rng), np.array([2, 0, -1, 1, 1])
    named = bb.indexed(base, index)
    expected = bb.gemm(base[index], b)
    np.testing.assert_array_equal(bb.gemm(named, b), expected)
    np.testing.assert_array_equal(bb.gemm(b, bb.indexed(base, index.astype(np.int8))), bb.gemm(b, base[index]))
    np.testing.assert_array_equal(named[2], base[-1])
    base *= 2  # it is looked at when it is used
    np.testing.assert_array_equal(bb.gemm(named, b), 2 * expected)
    np.testing.assert_array_equal(bb.dot(bb.indexed(base[0], index), b[:, 0]), bb.dot(base[0][index], b[:, 0]))


def test_an_output_by_an_index(rng):
    a, b, c, index = matrices(rng), matrices(rng), np.zeros((2 * BATCH, N, N)), np.array([9, 1, 4, 0, 3])
    bb.gemm(a, b, bb.indexed(c, index))
    np.testing.assert_array_equal(c[index], bb.gemm(a, b))
    assert np.count_nonzero(c.any((1, 2))) == BATCH
    for _ in range(2):
        with pytest.raises(ValueError, match="c overlaps itself"):
            bb.gemm(a, b, bb.indexed(c, [0, 1, 2, 3, -9]))
        with pytest.raises(ValueError, match="c overlaps a"):
            bb.gemm(bb.indexed(c, index), b, bb.indexed(c, index[::-1]))
    c.flags.writeable = False
    with pytest.raises(ValueError, match="c is read-only"):
        bb.gemm(a, b, bb.indexed(c, index))
    assert repr(bb.indexed(a, [])) == "Pointers(shape=(0, 4, 4), dtype=float64, strides=(32, 8))"


@pytest.mark.parametrize(
    ("base", "index", "kind", "text"),
    [
        (np.ones((3, 2, 2)), [0, 3], IndexError, r"index\[1\] = 3: expected -3 to 2, as base has 3 matrices"),
        (np.ones((3, 2, 2)), [-4], IndexError, r"index\[0\] = -4"),
        (np.ones((0, 2, 2)), [0], IndexError, r"index\[0\] = 0"),
        (np.ones((3, 2, 2)), [0.0], TypeError, "index is float64 of shape"),
        (np.ones((3, 2, 2)), [[0]], TypeError, r"index is int64 of shape \(1, 1\)"),
        (np.ones((3, 2, 2), int), [0], TypeError, "base has dtype int64"),
        (np.ones(3), [0], TypeError, "base is 1-D"),
        ([np.ones((2, 2))], [0], TypeError, "base is a list"),
    ],
)
def test_an_index_that_no_operand_can_have(base, index, kind, text):
    with pytest.raises(kind, match=text):
        bb.indexed(base, index)


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        (([8.0], (2, 2), "d"), TypeError, "addresses has dtype float64: expected 64-bit integers"),
        (([[8]], (2, 2), "d"), ValueError, r"addresses has shape \(1, 1\)"),
        (([8, 0], (2, 2), "d"), ValueError, r"addresses\[1\] = 0x0: expected"),
        (([8, 20], (2, 2), "d"), ValueError, r"addresses\[1\] = 0x14: expected that of an aligned float64"),
        (([8], (2, -2), "d"), ValueError, r"shape = \(2, -2\)"),
        (([8], (2, 2, 2), "d"), ValueError, "shape = "),
        (([8], (2, 2), "i4"), TypeError, "dtype has dtype int32"),
        (([8], (2, 2), ">f8"), TypeError, "byte order"),
        (([8], (2, 2), "d", (16, 4)), ValueError, r"strides = \(16, 4\): expected 2 multiples of 8 bytes"),
        (([8], (2, 2), "d", (16,)), ValueError, "strides = "),
    ],
)
def test_pointers_that_no_operand_can_have(arguments, kind, text):
    with pytest.raises(kind, match=text):
        bb.pointers(*arguments)


def test_the_owner_lives_as_long_as_a_plan(rng):
    a, b = matrices(rng), matrices(rng)
    expected, seen = bb.gemm(a, b), weakref.ref(a)
    plan = bb.plan("gemm", pointers_to(a), b)
    del a
    gc.collect()
    np.testing.assert_array_equal(plan(), expected)
    assert seen() is not None
    del plan
    gc.collect()
    assert seen() is None


def test_no_matrix_of_a_list_is_kept(rng):
    a, b = list(np.ones((BATCH, N, N))), list(np.ones((BATCH, N, N)))
    bb.gemm(a, b)
    seen = [weakref.ref(x) for x in (*a, *b)]
    del a, b
    gc.collect()
    assert not any(x() is not None for x in seen)


def test_tiles_and_gaps_of_lists(rng):
    """Exact where bounds meet: matrices of one storage, row beside row."""
    storage = np.zeros((8, 9))
    tiles = [storage[i : i + 4, j : j + 4] for i in (0, 4) for j in (0, 4)]
    a, b = (list(matrices(rng)[:4]) for _ in range(2))
    for _ in range(2):
        bb.gemm(a, b, tiles)
        np.testing.assert_array_equal(storage[:, 8], 0)
        with pytest.raises(ValueError, match="c overlaps itself"):
            bb.gemm(a, b, [*tiles[:3], storage[3:7, 5:9]])
        with pytest.raises(ValueError, match="c overlaps b"):
            bb.gemm(a, [*b[:3], storage[2:6, 4:8][::-1]][::-1], tiles)
    backwards = [x[::-1, ::-1] for x in tiles]
    bb.gemm(a, b, backwards)
    np.testing.assert_array_equal(tiles[2][::-1, ::-1], bb.gemm(a, b)[2])
