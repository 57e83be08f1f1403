"""Long vectors, and a matrix beside one: all lengths around vectors and blocks, strides, threads; the same bits."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from support.extended import random
from support.layouts import bits
from support.walls import before_a_wall

import bblas_gen as bb
from bblas_gen import codegen
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime import call, calls, kernels, large
from bblas_gen.runtime.storage import aligned
from bblas_gen.schedule import streamed

LENGTHS = [0, 1, 7, 8, 9, 31, 33, 64, 65, 129, 300]
"""Around vectors, lines of sums and blocks of 64."""
SCALARS = [(1.0, 0.0), (1.0, 1.0), (-0.5, 0.25), (0.0, 2.0)]
SMALL = {"section": 32, "small": 0, "low": 32, "long_row": 50, "part": 64}
CACHES = {"WAYS": (1024, 8), "AT_HAND": 256}
"""What is large for these, and for caches."""
WIDE = {"f": np.longdouble, "c": np.clongdouble}


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """Blocks, chunks and sections are short, all shapes are long enough, threads share what is small, too, columns of
    many lengths share sets of a cache, and matrices of more than 2000 elements are large."""
    monkeypatch.setattr(streamed, "LONG", {1: 0, 2: 0})
    for place, some in ((codegen.streamed.StreamText, SMALL), (codegen.streamed, CACHES)):
        for name, value in some.items():
            monkeypatch.setattr(place, name, value)

    def smaller(spec, **overrides):
        far = 2000 if spec.row.summed else 4000
        more = {"block": 64, "chunk": 64, "far": far} if overrides.get("form") == "streamed" else {}
        return kernels.kernel(spec, **overrides, **more)

    monkeypatch.setattr(call, "kernel", smaller)
    monkeypatch.setattr(calls, "kernel", smaller)
    kernels.reset()
    yield
    kernels.reset()


def wide(x):
    return x.astype(WIDE[x.dtype.kind])


def apart(x, step):
    """A vector of elements ``step`` apart, the last before a wall."""
    whole = np.full((len(x) - 1) * step + 1 if len(x) else 0, np.nan, x.dtype)
    walled, keep = before_a_wall(whole)
    walled[::step][...] = x
    return walled[::step], (walled, keep)


def stored(a, how):
    """Rows or columns that are contiguous, neither, or rows of a larger matrix."""
    if how in "CF":
        return np.array(a, order=how)
    whole = np.full((2 * a.shape[0], a.shape[1] + 3), np.nan, a.dtype)
    view = whole[::2, 1:-2] if how == "L" else np.full((2 * a.shape[0], 2 * a.shape[1]), np.nan, a.dtype)[::2, ::2]
    view[...] = a
    return view


def near(found, expected, terms, what):
    eps = np.finfo(np.asarray(found).dtype).eps
    scale = max(1, np.abs(expected).max(initial=0))
    assert np.abs(found - expected).max(initial=0) <= 8 * eps * np.sqrt(terms + 2) * scale, what


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_sums(dtype, rng):
    for n in LENGTHS:
        x, y = random(rng, n, dtype), random(rng, n, dtype)
        found = {"dot": set(), "dotc": set(), "nrm2": set()}
        for step, threads in ((1, 1), (1, 3), (2, 2)):
            (one, keep), (other, kept) = apart(x, step), apart(y, step)
            for name, some in found.items():
                if name == "dotc" and one.dtype.kind != "c":
                    continue
                result = getattr(bb, name)(*[one, other][: 1 + (name != "nrm2")], num_threads=threads)
                some.add(result.tobytes())
            del keep, kept
        near(bb.dot(x, y), (wide(x) * wide(y)).sum(), n, n)
        near(bb.nrm2(x), np.sqrt((np.abs(wide(x)) ** 2).sum()), n, n)
        if x.dtype.kind == "c":
            near(bb.dotc(x, y), (wide(x).conj() * wide(y)).sum(), n, n)
        assert all(len(some) < 2 for some in found.values()), n


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_short_sums_have_the_bits_of_elements_that_lie_apart(dtype, rng, monkeypatch):
    """Which go by in other vectors: whole groups of these, and what is left of them, up to a length and beyond."""
    monkeypatch.undo()
    for n in (32, 33, 64, 96, 97, 127, 128, 255, 256, 257, 300, 319, 320, 512, 513, 577):
        x, y = random(rng, n, dtype), random(rng, n, dtype)
        (one, keep), (other, kept) = apart(x, 1), apart(y, 1)
        (far, keep_far), (off, kept_off) = apart(x, 2), apart(y, 2)
        assert bits(np.asarray(bb.dot(one, other))) == bits(np.asarray(bb.dot(far, off))), n
        near(bb.dot(one, other), (wide(x) * wide(y)).sum(), n, n)
        del keep, kept, keep_far, kept_off


def test_sums_of_a_batch_are_those_of_its_vectors(rng):
    x = random(rng, (6, 200), "float64")
    lists = [row.copy() for row in x] + [random(rng, 70, "float64")]
    found = bb.dot(x, x, num_threads=2)
    assert (
        bits(found) == bits(np.array([bb.dot(row, row) for row in x])) == bits(bb.dot(x[:3], x[:3])) + bits(found[3:])
    )
    assert bits(bb.dot(lists, lists)[:6]) == bits(found)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_norms_neither_overflow_nor_vanish(dtype):
    info = np.finfo(dtype)
    for scale in (info.max / 32, info.tiny, info.smallest_subnormal * 64):
        x = np.full(300, scale, dtype)
        expected = np.sqrt(np.longdouble(300)) * np.longdouble(x[0])
        assert abs(bb.nrm2(x) - expected) <= 16 * info.eps * expected + info.smallest_subnormal
    x[7] = np.inf
    assert bb.nrm2(x) == np.inf
    x[9] = np.nan
    assert np.isnan(bb.nrm2(x))
    assert bb.nrm2(np.zeros(300, dtype)) == 0


@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_elements_have_the_bits_of_small_vectors(dtype, rng):
    alpha = 0.75 if dtype == "float64" else 0.75 - 0.5j
    x, y = random(rng, 33, dtype), random(rng, 33, dtype)
    for scalar in (alpha, 1.0, 0.0):
        for step in (1, 3):
            (one, keep), (other, kept) = apart(x, step), apart(y, step)
            bb.axpy(one, other, alpha=scalar, num_threads=3)
            by_elements = bb.interleave(y[None, :, None].copy())
            bb.axpy(bb.interleave(x[None, :, None]), by_elements, alpha=scalar)
            assert bits(other.copy()) == bits(by_elements.deinterleave()[0, :, 0].copy()), scalar
            bb.scal(one, alpha=scalar, num_threads=2)
            by_elements = bb.interleave(x[None, :, None])
            bb.scal(by_elements, alpha=scalar)
            assert bits(one.copy()) == bits(by_elements.deinterleave()[0, :, 0].copy()), scalar
            del keep, kept


@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_where_memory_begins_changes_nothing(dtype, rng, monkeypatch):
    """Vectors are aligned to cache lines, from every place in one; neighbours stay."""
    monkeypatch.undo()  # columns are long
    n, m = 2200, 300
    x, y, a = random(rng, n, dtype), random(rng, n, dtype), random(rng, 3 * m, dtype)
    found = set()
    for place in range(64 // x.itemsize):
        whole = np.full(n + 3 * m + 3 * place, 7, dtype)
        vector, columns = whole[place:][:n], whole[n + 2 * place :][: 3 * m]
        vector[...], columns[...] = y, a
        bb.axpy(x, vector, alpha=0.75)
        bb.scal(vector, alpha=1.5)
        bb.ger(x[:m], y[:3], columns.reshape(3, m).T, alpha=0.75)
        found.add(vector.tobytes() + columns.tobytes())
        assert (whole[[*range(place), *range(n + place, n + 2 * place), *range(-place, 0)]] == 7).all(), place
    near(vector, 1.5 * (0.75 * wide(x) + wide(y)), 2, "vector")
    near(columns, wide(a) + 0.75 * np.outer(wide(y[:3]), wide(x[:m])).ravel(), 2, "columns")
    assert len(found) == 1


@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_strips_of_lines_have_the_bits_of_lines(dtype, rng, monkeypatch):
    """Columns that all begin where a cache line does go by in strips of several widths, and a rest."""
    monkeypatch.undo()
    x, y, a = random(rng, 87, dtype), random(rng, 6, dtype), random(rng, (6, 87), dtype)
    for alpha in (1.0, 0.75):
        found = []
        for place in (0, 1):
            whole = aligned((7, 88), np.dtype(dtype))
            whole[...] = 7
            columns = whole.reshape(-1)[place:][: 6 * 88].reshape(6, 88)[:, :87]
            columns[...] = a
            bb.ger(x, y, columns.T, alpha=alpha)
            found.append(columns.tobytes())
            assert (whole == 7).sum() == 7 * 88 - 6 * 87
        near(columns, wide(a) + alpha * np.outer(wide(y), wide(x)), 2, alpha)
        assert found[0] == found[1], alpha


@pytest.mark.parametrize("dtype", ["float64", "complex64", pytest.param("float32", marks=pytest.mark.thorough)])
def test_matrices_beside_vectors(dtype, rng):
    """Bits are the same for all memory orders, strides and threads."""
    is_complex = np.dtype(dtype).kind == "c"
    for number, (m, n) in enumerate([(1, 70), (70, 1), (9, 33), (65, 40), (130, 67), (3, 5), (12, 120), (90, 20)]):
        a = random(rng, (m, n), dtype)
        alpha, beta = SCALARS[number % len(SCALARS)]
        for trans, op in [("C", a.conj().T)] if is_complex else [("N", a)]:
            x, y = random(rng, op.shape[1], dtype), random(rng, op.shape[0], dtype)
            found = set()
            for how, step, threads in (("C", 1, 1), ("F", 1, 3), ("L", 1, 2), ("S", 2, 1)):
                into, keep = apart(y if beta else np.full_like(y, np.nan), step)
                bb.gemv(
                    stored(a, how), apart(x, step)[0], into, alpha=alpha, beta=beta, trans=trans, num_threads=threads
                )
                found.add(into.tobytes())
                del keep
            expected = alpha * (wide(op) @ wide(x)) + (beta * wide(y) if beta else 0)
            near(into.copy(), expected, op.shape[1], (m, n, trans))
            assert len(found) == 1, (m, n, trans)
        x, y = random(rng, m, dtype), random(rng, n, dtype)
        for name, right in [("gerc", y.conj())] * is_complex:
            found = set()
            for how, step, threads in (("C", 1, 1), ("F", 1, 3), ("L", 2, 2), ("S", 1, 1)):
                into = stored(a, how)
                getattr(bb, name)(apart(x, step)[0], apart(y, step)[0], into, alpha=alpha, num_threads=threads)
                found.add(into.tobytes())
            near(into, wide(a) + alpha * np.outer(wide(x), wide(right)), 2, (m, n, name))
            assert len(found) == 1, (m, n, name)


def test_many_matrices_beside_vectors_have_the_bits_of_one(rng):
    """Of a few threads share sections of rows, of more whole rows."""
    a, x = random(rng, (5, 70, 130), "float64"), random(rng, (5, 130), "float64")
    for some in (a, np.asfortranarray(a.T).T, np.ascontiguousarray(a.transpose(0, 2, 1)).transpose(0, 2, 1)):
        one = b"".join(bits(bb.gemv(p, q, num_threads=1)) for p, q in zip(some, x, strict=True))
        few = bits(bb.gemv(some[:2], x[:2], num_threads=3))
        assert bits(bb.gemv(some, x, num_threads=3)) == few + one[len(few) :] == one


def test_any_number_of_threads_has_the_bits_of_one(rng):
    """Of sums of many blocks, of sections of columns, of rows and columns that threads share."""
    x, y, a = random(rng, 1100, "float64"), random(rng, 130, "float64"), random(rng, (130, 67), "float64")
    single, found = random(rng, 1100, "float32"), set()
    for threads in range(1, 9):
        named = {"num_threads": threads}
        some = [bb.dot(single, single, **named), bb.nrm2(single, **named)]
        some += [bb.axpy(x, x.copy(), alpha=0.75, **named), bb.scal(x.copy(), alpha=0.75, **named)]
        for b in (a, np.asfortranarray(a)):
            some += [bb.gemv(b, y, trans="T", **named), bb.gemv(b, x[:67], **named)]
            some.append(bb.ger(y, x[:67], b.copy(order="K"), **named))
        found.add(b"".join(bits(np.asarray(one)) for one in some))
    assert len(found) == 1


@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_results_elsewhere(dtype, rng):
    """Where operands keep their values a result has the bits of a copy that is overwritten, on any number of threads;
    nothing beside it is written."""
    for n in (1, 9, 64, 65, 300):
        for step, own in ((1, 1), (2, 1), (1, 3), (3, 2)):
            x, y = (apart(random(rng, n, dtype), more)[0] for more in (1, step))
            kept = y.copy()
            for alpha, (name, given) in itertools.product((0.0, 1.0, 0.5), (("axpy", (x, y)), ("scal", (y,)))):
                function = getattr(bb, name)
                expected, whole = function(*given[:-1], kept.copy(), alpha=alpha), np.full(n * own, 7, dtype)
                found = function(*given, alpha=alpha, out=whole[::own], num_threads=2)
                assert bits(found.copy()) == bits(expected), (name, alpha)
                assert (np.delete(whole, np.s_[::own]) == 7).all()
                assert bits(y.copy()) == bits(kept)
    for how in ("C", "F"):
        x, y, a = random(rng, 70, dtype), random(rng, 45, dtype), random(rng, (70, 45), dtype)
        for given in (a, np.asfortranarray(a), np.repeat(a, 2, axis=1)[:, ::2]):
            for alpha in (0.0, 1.0, 0.5):
                expected = bb.ger(x, y, np.array(a, order=how), alpha=alpha)
                for threads in (1, 3):
                    out = np.full_like(expected, np.nan)
                    bb.ger(x, y, given, alpha=alpha, out=out, num_threads=threads)
                    assert bits(out) == bits(expected)
                    assert np.array_equal(given, a)


def test_nothing_that_is_not_asked_for_is_read():
    none, y = np.full((9, 80), np.nan), np.ones(9)
    assert bb.gemv(none, none[0], y, alpha=0.0, beta=2.0).tolist() == [2.0] * 9
    assert bb.gemv(none, none[0], np.full(9, np.nan), alpha=0.0).tolist() == [0.0] * 9
    assert bb.axpy(none[0], np.ones(80), alpha=0.0).tolist() == [1.0] * 80
    assert bb.scal(none[0].copy(), alpha=0.0).tolist() == [0.0] * 80
    assert np.isnan(bb.gemv(none, np.zeros(80), y)).all()


def test_shape_alone_decides(monkeypatch):
    monkeypatch.undo()
    short_one, long_one = (KernelSpec.make("dot", "d", n=n) for n in (streamed.LONG[1] - 1, streamed.LONG[1]))
    assert large.large(short_one) is None
    assert large.large(long_one) == {"form": "streamed"}
    assert large.large(KernelSpec.make("dot", "d", "bi", n=streamed.LONG[1])) is None
    assert KernelSpec.make("axpy", "d", n=2**33).size == {"n": 2**33}
