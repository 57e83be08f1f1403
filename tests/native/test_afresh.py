"""Calls whose results are all new: the second one of a kind looks at nothing but what may differ."""

from __future__ import annotations

import numpy as np
import pytest

from bblas_gen import linalg
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.variants import variant
from bblas_gen.linalg import gufuncs
from bblas_gen.linalg.kernels import _determinant
from bblas_gen.linalg.numpy_names import AT_ONCE
from bblas_gen.runtime import kernels
from bblas_gen.runtime.afresh import afresh

GESV = variant(OPS["gesv"], keeps=True)


@pytest.fixture(autouse=True)
def forget():
    kernels.reset()
    yield
    kernels.reset()


def definite(batch, n, dtype="d"):
    a = np.random.default_rng(n).standard_normal((batch, n, n)).astype(dtype)
    return a @ a.conj().mT + np.eye(n, dtype=dtype)


def solved(a, b, **more):
    return afresh(GESV, {"A": a, "B": b, "OUT": None, **more}, {}, 1)


def test_a_call_is_known_by_shapes_flags_and_types_for_any_batch_size(long_ways):
    for batch in (900, 901):
        for n, dtype in ((2, "d"), (3, "d"), (3, "D")):
            a = definite(batch, n, dtype)
            sign, log = linalg.slogdet(a)
            assert np.allclose(log, np.linalg.slogdet(a)[1])
            assert np.allclose(sign, 1)
            for upper in (False, True):
                found = linalg.cholesky(a, upper=upper)
                assert np.array_equal(found, np.triu(found) if upper else np.tril(found))
                assert np.allclose(found.conj().mT @ found if upper else found @ found.conj().mT, a)
    assert len(long_ways) == 9


def test_results_are_new_and_matrices_that_fail_are_reported(long_ways):
    a, b = definite(5, 2), np.ones((5, 2, 1))
    a[3] = 0
    (first,), _ = solved(a, b)
    (second,), info = solved(a, b)
    assert not np.may_share_memory(first, second)
    assert info.tolist() == [0, 0, 0, 1, 0]
    assert np.allclose(a[:3] @ second[:3], 1)
    assert len(long_ways) == 1


@pytest.mark.parametrize(
    "other",
    [
        lambda a, b: (a.mT, b),
        lambda a, b: (a[0], b),
        lambda a, b: (a, b[:4]),
        lambda a, b: (a[:0], b[:0]),
        lambda a, b: (a.tolist(), b),
        lambda a, b: (np.frombuffer(bytes(1 + a.nbytes), "b")[1:].view("d").reshape(a.shape), b),
    ],
    ids=["gaps", "one for all", "lengths", "empty", "lists", "not aligned"],
)
def test_other_operands_are_for_those_who_look_at_them(other):
    a, b = definite(5, 2), np.ones((5, 2, 1))
    assert solved(a, b)
    assert solved(*other(a, b)) is None


def test_a_batch_of_one_does_not_say_where_the_next_matrix_is(long_ways):
    a, b = definite(5, 2), np.ones((5, 2, 1))
    (alone,), _ = solved(a[::2][:1], b[:1])
    (all_of_them,), _ = solved(a, b)
    assert np.allclose(a @ all_of_them, 1)
    assert np.array_equal(alone, all_of_them[:1])
    solved(a[:1].copy(), b[:1])
    assert len(long_ways) == 2


@pytest.mark.parametrize("dtype", ["d", "D"])
@pytest.mark.parametrize("name", AT_ONCE)
def test_plain_calls_are_kept_whole_by_types_and_shapes(name, dtype, monkeypatch):
    """Not where matrices have gaps, nor beyond a reset; what a matrix reports is read every time."""
    looks = []
    look = gufuncs.AtOnce._batches_at_once
    monkeypatch.setattr(gufuncs.AtOnce, "_batches_at_once", lambda *given: looks.append(given) or look(*given))

    def results(*operands):
        found = getattr(linalg, name)(*operands)
        return found if isinstance(found, tuple) else (found,)

    operands = (definite(1000, 3, dtype), definite(1000, 3, dtype)[..., :1].copy())[: 1 + (name == "solve")]
    first = results(*operands)
    for count in (1000, 900):
        again = results(*(x[:count] for x in operands))
        for x, y in zip(first, again, strict=True):
            assert x[:count].tobytes() == y.tobytes()
            assert y.flags.c_contiguous
            assert not np.may_share_memory(x, y)
    assert len(looks) == 1
    results(*(x.repeat(2, axis=0)[::2] for x in operands))
    assert len(looks) == 2
    operands[0][7] = 0
    if name in ("solve", "inv", "cholesky"):
        with pytest.raises(np.linalg.LinAlgError):
            results(*operands)
    else:
        assert not np.array_equal(results(*operands)[-1][7], first[-1][7])
    assert len(looks) == 2
    kernels.reset()
    results(*(x[9:] for x in operands))
    assert len(looks) == 3


def test_determinants_report_to_who_asks_with_the_same_bits():
    a = definite(300, 3)
    a[7] = 0
    for function in (linalg.det, linalg.slogdet):
        found, info = function(a, return_info=True)
        assert np.flatnonzero(info).tolist() == [7]
        assert np.asarray(function(a)).tobytes() == np.asarray(found).tobytes()
    assert not _determinant("gedet", "R", reports=False).info


def test_results_that_are_given_are_looked_at():
    a, b = definite(5, 2), np.ones((5, 2, 1))
    assert solved(a, b, OUT=b) is None


def test_threads_are_asked_for_again():
    a, b = definite(5, 2), np.ones((5, 2, 1))
    solved(a, b)
    with pytest.raises(ValueError, match="num_threads = 0"):
        afresh(GESV, {"A": a, "B": b, "OUT": None}, {}, 0)
