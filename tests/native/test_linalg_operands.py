"""Operands of any kind, shape and place: who does them, and that they keep their values."""

from __future__ import annotations

import inspect
import re
from functools import partial

import numpy as np
import pytest
from support.emulated_gpu import DlpackArray, GpuArray
from support.outcomes import outcome

import bblas_gen as bb
import bblas_gen.linalg as la
from bblas_gen.linalg import on_gpu

EMPTY = ("inv", "det", "slogdet", "cholesky", "qr", "eigh", "eigvalsh", "svd", "svdvals", "pinv", "matrix_rank", "eig")

EMPTY_OF_SCIPY = ("cho_factor", "lu_factor", "lu", "expm", "pinvh", "polar", "sqrtm")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("shape", [(0, 3, 3), (2, 0, 0), (0, 0), (3,), (2, 2, 3)])
def test_what_is_empty_or_not_square_is_theirs(shape):
    linalg = pytest.importorskip("scipy.linalg")
    for module, names in ((np.linalg, EMPTY), (linalg, EMPTY_OF_SCIPY)):
        for name in names:
            theirs = outcome(getattr(module, name), np.ones(shape, "f"))
            with la.accelerate(always=True):
                assert outcome(getattr(la, name), np.ones(shape, "f")) == theirs, name

    b = np.ones((2, 3), "f")
    solvers = (
        lambda module, a: module.solve_triangular(a, b),
        lambda module, a: module.cho_solve((a, True), b),
        lambda module, a: module.lu_solve((a, np.zeros(2, np.int32)), b),
        lambda module, a: module.lu_solve((a, np.zeros(a.shape[:-1], np.int32)), b, 3),
    )
    for solver in solvers:
        theirs = outcome(partial(solver, linalg), np.ones(shape, "f"))
        with la.accelerate(always=True):
            assert outcome(partial(solver, la), np.ones(shape, "f")) == theirs


KEPT = (*EMPTY[:-1], *EMPTY_OF_SCIPY)


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("name", KEPT)
def test_operands_keep_their_values_and_may_lie_anyhow(name, rng):
    """Read-only, with steps backwards and across, the same results as of a copy."""
    whole = rng.standard_normal((3, 7, 3, 5))
    a = (whole @ whole.swapaxes(-1, -2)).transpose(1, 0, 3, 2)[::-2]
    before = a.tobytes()
    a.flags.writeable = False
    found, expected = (getattr(la, name)(x) for x in (a, np.array(a, order="C")))
    for x, y in zip(*(z if isinstance(z, tuple) else (z,) for z in (found, expected)), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-9, atol=1e-9)
    assert a.tobytes() == before


NUMPY_TESTS = ("TestInv",)
"""More kernels than these need would take too long; CONTRIBUTING has the command for all."""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("name", NUMPY_TESTS)
def test_numpy_s_own_tests_pass(name, pytestconfig):
    pytestconfig.addinivalue_line("markers", "slow: of NumPy")
    tests = pytest.importorskip("numpy.linalg.tests.test_linalg")
    cls = getattr(tests, name)
    for method in [x for x in dir(cls) if x.startswith("test_")]:
        if len(inspect.signature(getattr(cls, method)).parameters) == 1:
            getattr(cls(), method)()


def test_arrays_of_others_are_theirs():
    class Other:
        def __array_function__(self, function, types, arguments, named):
            return function, arguments

    other, ours = Other(), np.eye(3)
    assert la.inv(other) == (np.linalg.inv, (other,))
    assert la.solve(ours, other, num_threads=2) == (np.linalg.solve, (ours, other))
    assert la.lstsq(ours, other)[0] is np.linalg.lstsq
    for named in ({"check": "nan"}, {"return_info": True}, {"dtype": "f"}):
        for call in (la.inv, la.qr, la.eigh, la.norm, partial(la.lstsq, ours)):
            with pytest.raises(TypeError, match="for arrays of NumPy, and Other has functions of its own"):
                call(other, **named)
    with pytest.raises(TypeError, match="Other has"):
        la.solve(ours, other, refine=True)
    with pytest.raises(TypeError, match="Other has"):
        la.lstsq(other, ours, driver="gels")


@pytest.mark.parametrize("kind", [GpuArray, DlpackArray], ids=["interface", "dlpack"])
def test_arrays_on_gpus_are_refused_by_the_name_of_the_argument(kind):
    """What NumPy cannot read, it takes for one number."""
    pytest.importorskip("scipy.linalg")
    own, a = np.ones((400, 3, 3)), kind(np.ones((400, 3, 3)))
    b = kind(np.ones((400, 3, 1)))
    calls = [
        (lambda: la.solve(a, own), "a"),
        (lambda: la.solve(own, b), "b"),
        (lambda: la.solve(own, b=b, check="nan"), "b"),
        (lambda: la.lstsq(own, b), "b"),
        (lambda: la.matmul(own, a), "x2"),
        (lambda: la.matrix_rank(a), "A"),
        (lambda: la.trace(a), "x"),
        (lambda: la.multi_dot([a, a]), "arrays"),
        (lambda: la.expm(a), "A"),
        (lambda: la.cho_solve((own, True), b), "b"),
        (lambda: la.cho_factor(a, return_info=True), "a"),
        (lambda: la.lu(a), "a"),
    ]
    for call, name in calls:
        with pytest.raises(TypeError, match=rf"^{name} is on a GPU \(\w+\): expected an array in host memory"):
            call()
    with pytest.raises(TypeError, match=r"memory, or a call of bblas_gen\.gesv, for arrays on GPUs$"):
        la.solve(a, own)
    for call in on_gpu.INSTEAD.values():
        first, *more = re.sub(r"calls? of |a ", "", call).split(" and ")
        assert all(callable(getattr(bb, name)) for name in (first.removeprefix("bblas_gen."), *more))


def test_arrays_that_copy_themselves_for_numpy_are_read(rng):
    class Copied(GpuArray):
        def __array__(self, dtype=None, copy=None):
            return np.array(self.array, dtype)

    a = rng.standard_normal((400, 3, 3))
    assert la.inv(Copied(a)).tobytes() == la.inv(a).tobytes()


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_subclasses_are_numpy_s(rng):
    a = np.matrix(rng.standard_normal((3, 3)))
    with la.accelerate(always=True):
        assert type(np.linalg.inv(a)) is np.matrix
    positive = np.asarray(a) @ np.asarray(a).T + np.eye(3)
    masked = np.ma.masked_where(np.tile(np.eye(3)[::-1] > 0, (200, 1, 1)), np.tile(positive, (200, 1, 1)))
    for name in ("inv", "cholesky", "qr", "eigh", "svd", "pinv", "det", "norm"):
        some = masked[: 200 if name == "inv" else 2]  # by a kernel, and by NumPy
        found, expected = (getattr(module, name)(some) for module in (la, np.linalg))
        for x, y in zip(*(z if isinstance(z, tuple) else (z,) for z in (found, expected)), strict=True):
            assert type(x) is type(y), name
            np.testing.assert_array_equal(np.ma.getmaskarray(x), np.ma.getmaskarray(y))
            np.testing.assert_allclose(np.asarray(x), np.asarray(y), rtol=1e-9, atol=1e-9)


def test_results_are_contiguous_however_operands_lie(rng):
    a = (rng.standard_normal((400, 3, 3)) + 4 * np.eye(3)).swapaxes(-1, -2)
    with la.accelerate(always=True):
        results = [la.inv(a[0]), la.slogdet(a + 0j).logabsdet]
    assert all(x.flags.c_contiguous for x in (la.inv(a), *results))
    linalg = pytest.importorskip("scipy.linalg")
    with la.accelerate():
        assert linalg.inv(a).flags.c_contiguous
