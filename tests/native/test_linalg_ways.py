"""Which way a call goes: by kernels at once, the long way, or to NumPy and SciPy."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial

import numpy as np
import pytest
from support.kernels import forget

import bblas_gen.linalg as la
from bblas_gen.errors import CacheError, CompileError, JitDisabledError, KernelWarning, NoCompilerError
from bblas_gen.linalg import asked, gufuncs, kernels, scipy_frame
from bblas_gen.linalg.numpy_names import AT_ONCE
from bblas_gen.schedule.hand_over import is_worth_it


def test_few_matrices_are_numpy_s_and_scipy_s_at_once(monkeypatch):
    linalg = pytest.importorskip("scipy.linalg")
    monkeypatch.setattr("bblas_gen.linalg.gufuncs.Gufunc.__call__", lambda *_: pytest.fail("looked at"))
    monkeypatch.setattr("bblas_gen.linalg.scipy_frame.asking", lambda *_: pytest.fail("looked at"))
    with la.accelerate():
        np.linalg.solve(np.eye(3), np.ones(3))
        np.linalg.solve(np.tile(np.eye(3), (2, 3, 1, 1)), np.ones(3))
        np.linalg.eigvals(np.tile(np.eye(3), (2, 1, 1)))
        linalg.cho_solve(linalg.cho_factor(np.eye(3), True), b=np.ones(3))
        linalg.inv(np.tile(np.eye(3), (2, 1, 1)))


@pytest.mark.parametrize("name", ["inv", "det", "slogdet", "cholesky", "eigh", "eigvalsh"])
def test_one_matrix_is_numpy_s_at_once(name, monkeypatch):
    monkeypatch.setattr("bblas_gen.linalg.numpy_names.has_its_own", lambda _: pytest.fail("looked at"))
    a = np.array([[2.0, 1.0], [1.0, 3.0]])
    np.testing.assert_equal(getattr(la, name)(a), getattr(np.linalg, name)(a))
    np.testing.assert_equal(la.solve(a, np.ones(2)), np.linalg.solve(a, np.ones(2)))


@pytest.mark.usefixtures("always")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("named", [{"disp": None}, {"blocksize": None}, {"blocksize": 64}])
def test_scipy_has_a_word_on_each_argument_that_is_its_own(named, monkeypatch):
    """As that they are deprecated, whatever is given."""
    pytest.importorskip("scipy.linalg")
    given = []
    monkeypatch.setitem(scipy_frame.THEIRS, "sqrtm", lambda a, **more: given.append(more))
    la.sqrtm(np.tile(2 * np.eye(2), (3, 1, 1)), **named)
    assert given == [named]


def test_small_stacks_and_large_matrices_are_handed_over(monkeypatch):
    assert not is_worth_it("inv", 3, 1)
    assert is_worth_it("inv", 3, 10_000)
    assert not is_worth_it("inv", 100, 10_000)
    done = []
    monkeypatch.setattr(asked, "is_worth_it", lambda kind, order, count, **_: done.append((kind, order, count)))
    la.inv(np.eye(3))
    assert not done  # nor looked at
    la.solve(np.ones((5, 3, 3)) + np.eye(3), np.ones(3))
    la.solve(np.ones((5, 100, 100)) + np.eye(100), np.ones(100))
    assert done == [("solve", 3, 5)]


@pytest.mark.parametrize(
    "error", [JitDisabledError("forbidden"), NoCompilerError("gone"), CompileError("k", ["cc"], "broken"), CacheError()]
)
def test_what_no_kernel_can_be_had_for_is_numpy_s_and_scipy_s(error, rng, monkeypatch):
    """They do not wait for it: who looked for a kernel in vain does not look again at once."""
    linalg, calls = pytest.importorskip("scipy.linalg"), []

    def missing(*operands):
        calls.append(operands)
        raise error

    forget()
    for name in ("prepare", "afresh"):
        monkeypatch.setattr(kernels, name, missing)
    monkeypatch.setattr(kernels, "PATIENCE", 1e12)
    a = rng.standard_normal((400, 3, 3)) + 4 * np.eye(3)
    has_reason = isinstance(error, (CompileError, CacheError))
    with pytest.warns(KernelWarning) if has_reason else nullcontext():
        assert np.array_equal(la.inv(a), np.linalg.inv(a))
    again = [la.inv(a) for _ in range(3)]
    assert np.array_equal(again[2], np.linalg.inv(a))
    assert len(calls) == 1
    with pytest.warns(KernelWarning) if has_reason else nullcontext():
        assert np.array_equal(la.inv(a[:, :2, :2]), np.linalg.inv(a[:, :2, :2]))
    assert len(calls) == 2
    with la.accelerate(), pytest.raises(type(error)):  # there is nothing of SciPy's that does this
        linalg.cholesky(a, check="nan")
    forget()


@pytest.mark.filterwarnings("ignore:Diagonal number")
def test_several_results_are_a_tuple_whoever_does_it(rng):
    """SciPy returns a list of stacks. A rank of one matrix is an int, as SciPy's."""
    linalg = pytest.importorskip("scipy.linalg")
    a = rng.standard_normal((400, 3, 3))
    a[7] = 0  # has SciPy's warning, so SciPy factors the stack
    for call in (la.lu_factor, la.lu, la.polar, partial(la.pinvh, return_rank=True)):
        for stack in (a, a[8:], a[8:10], a[0]):
            assert type(call(stack)) is tuple
    factors = la.lu_factor(a[8:10])
    np.testing.assert_allclose(la.lu_solve(factors, np.ones(3)), np.linalg.solve(a[8:10], np.ones(3)), rtol=1e-9)
    with la.accelerate(always=True):
        assert type(la.pinvh(a[0], return_rank=True)[1]) is type(linalg.pinvh(a[0], return_rank=True)[1]) is int


def test_what_needs_no_conversion_goes_past_numpy(rng, monkeypatch):
    a = rng.standard_normal((400, 3, 3))
    a = a @ a.mT + np.eye(3)
    b = rng.standard_normal((400, 3, 2))
    long = {name: getattr(la, name)(*x, dtype="d") for name in AT_ONCE for x in [(a, b) if name == "solve" else (a,)]}

    def numpys(*_, **named):
        raise AssertionError("the long way")

    monkeypatch.setattr(gufuncs.Gufunc, "__call__", numpys)
    for name, expected in long.items():
        operands = ("a", "b") if name == "solve" else ("a",)
        given = {"a": a, "b": b}
        found = getattr(la, name)(*(given[x] for x in operands), num_threads=1)
        assert type(found) is type(expected)
        pairs = zip(found, expected, strict=True) if isinstance(found, tuple) else [(found, expected)]
        assert all((x == y).all() for x, y in pairs)
    for wrong in (a.astype("f"), a[None], a.astype(">f8")):
        with pytest.raises(AssertionError, match="the long way"):
            la.inv(wrong)
    for few in (a[:2], a[:0], np.ones((400, 70, 70)) + np.eye(70)):
        np.testing.assert_array_equal(la.inv(few), np.linalg.inv(few))
        row = next(row for row in gufuncs.ROWS if row.name == "inv")
        assert row.at_once([few], None, None, len) == (len(few) or None)
        assert row.at_once([few], 1, None, len) is None
    monkeypatch.undo()
    a[7] = 0
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        la.inv(a)
    with pytest.raises(ValueError, match="num_threads = 0"):
        la.det(a, num_threads=0)
