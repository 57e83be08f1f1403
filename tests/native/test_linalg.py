"""Functions of NumPy and SciPy by kernels: what is asked beside their arguments, what is handed over, accelerate."""

from __future__ import annotations

import doctest
import inspect
import pickle
import re
import subprocess
import sys
from contextlib import nullcontext
from functools import partial
from threading import Thread
from types import ModuleType

import numpy as np
import pytest
from support.emulated_gpu import DlpackArray, GpuArray
from support.kernels import forget

import bblas_gen as bb
import bblas_gen.linalg as la
from bblas_gen.errors import CacheError, CompileError, JitDisabledError, KernelWarning, NoCompilerError
from bblas_gen.linalg import asked, gufuncs, kernels, on_gpu, products, scipy_frame, vjp
from bblas_gen.linalg.accelerate import OURS
from bblas_gen.linalg.numpy_names import AT_ONCE
from bblas_gen.schedule.hand_over import is_worth_it

NAN = float("nan")


@pytest.fixture
def always():
    with la.accelerate(always=True):
        yield


@pytest.fixture
def stack(rng):
    """Regular matrices, but for one of zeros."""
    a = rng.standard_normal((2, 3, 3, 3))
    a[1, 1] = 0
    return a


def test_all_names_are_there_and_take_what_numpy_s_take():
    for name in np.linalg.__all__:
        ours, theirs = getattr(la, name), getattr(np.linalg, name)
        if name != "LinAlgError":
            more, known = (
                [(x.name, x.kind, x.default) for x in inspect.signature(f).parameters.values()] for f in (ours, theirs)
            )
            assert more[: len(known)] == known, name
    assert la.LinAlgError is np.linalg.LinAlgError


def test_names_of_scipy_take_what_scipy_s_take():
    linalg = pytest.importorskip("scipy.linalg")
    ours = {x.__name__: x for x in OURS}
    assert ours.keys() >= {
        "solve_triangular",
        "cho_factor",
        "cho_solve",
        "lu_factor",
        "lu_solve",
        "lu",
        "expm",
        "sqrtm",
    }
    for name, ours_of_it in ours.items():
        more, known = (
            [(x.name, x.kind, x.default) for x in inspect.signature(f).parameters.values()]
            for f in (ours_of_it, getattr(linalg, name))
        )
        if name == "sqrtm":  # what is not given is an object of SciPy's
            more, known = ([x[:2] for x in some] for some in (more, known))
        assert more[: len(known)] == known, name
        beyond = [
            x[0] for x in more[len(known) :] if x[0] not in ("assume_a", "lower")
        ]  # which SciPy 1.15 lacks in inv
        assert beyond == ["check", "return_info", "num_threads", "dtype"]


DOCUMENTED = [getattr(la, name) for name in la.__all__ if name not in ("LinAlgError", "accelerate")]
EXAMPLES = [x for x in DOCUMENTED if ">>> " in x.__doc__ and (x in OURS or x is la.lstsq)]


@pytest.mark.parametrize("function", dict.fromkeys([*DOCUMENTED, *OURS]), ids=lambda x: f"{x.__module__}.{x.__name__}")
def test_docstrings_name_what_is_asked_beside_operands(function):
    """Of functions that are written here, every argument."""
    sections = inspect.getdoc(function).split("Parameters\n")[1:]
    described = re.findall(r"^\*{0,2}(\w+(?:, \*{0,2}\w+)*)(?: : |$)", "".join(sections), re.MULTILINE)
    named = {x.strip("* ") for line in described for x in line.split(",")}
    arguments = inspect.signature(function).parameters
    own = {"check", "return_info", "num_threads", "dtype", "refine"}
    if function in DOCUMENTED and (function in OURS or function.__module__ != "bblas_gen.linalg"):
        own = {*arguments}
    assert own & {*arguments} <= named


def test_docstrings_of_rules_name_every_argument():
    for name in ("solve", "inv", "det", "slogdet", "cholesky", "eigh"):
        rule = getattr(vjp, name)
        assert {*inspect.signature(rule).parameters} <= {*re.findall(r"``(\w+)``", rule.__doc__)}, name


def test_there_are_examples_of_what_is_written_here():
    assert {x.__name__ for x in EXAMPLES} == {x.__name__ for x in OURS if x in DOCUMENTED} | {"lstsq"}


@pytest.mark.parametrize("by_kernels", [False, pytest.param(True, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("function", EXAMPLES, ids=lambda x: x.__name__)
def test_examples_are_true(function, by_kernels, monkeypatch):
    """And what SciPy does of them."""
    pytest.importorskip("scipy.linalg")
    if not by_kernels:
        monkeypatch.setattr(scipy_frame, "is_worth_it", lambda *_: False)
        monkeypatch.setattr("bblas_gen.linalg.least_squares.LARGEST", 0)
    test = doctest.DocTestParser().get_doctest(function.__doc__, {"np": np, "la": la}, function.__name__, None, 0)
    report = []
    assert not doctest.DocTestRunner(verbose=False).run(test, out=report.append).failed, "".join(report)


def outcome(function, a):
    """Shapes and dtypes of results, or the error."""
    try:
        found = function(a)
    except Exception as error:
        return type(error), str(error)
    return [(np.shape(x), np.asarray(x).dtype) for x in (found if isinstance(found, (tuple, list)) else (found,))]


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


def test_one_singular_matrix_does_not_end_the_others(stack):
    with pytest.raises(np.linalg.LinAlgError, match=r"^Singular matrix$"), la.accelerate(always=True):
        la.inv(stack)
    found, info = la.inv(stack, check="nan", return_info=True)
    regular = np.ones((2, 3), bool)
    regular[1, 1] = False
    np.testing.assert_allclose(found[regular] @ stack[regular], np.tile(np.eye(3), (5, 1, 1)), atol=1e-12)
    assert np.isnan(found[1, 1]).all()
    np.testing.assert_array_equal(info, np.where(regular, 0, 1))
    assert np.isfinite(la.inv(stack, check="ignore")[regular]).all()
    assert (la.inv(stack, return_info=True)[1] == info).all()
    power, info = la.matrix_power(stack, -2, check="nan", return_info=True)
    assert np.isnan(power[1, 1]).all()
    assert (info != 0).sum() == 1
    with pytest.raises(ValueError, match=r"^check = 'no'"):
        la.inv(stack, check="no")


def test_what_is_not_a_number_is_an_error_where_it_is_one_for_numpy(stack):
    """LAPACK differs by its makers."""
    positive = np.eye(3) + np.zeros((4, 3, 3))
    positive[2, 0, 0] = NAN
    for a in (positive, -positive):
        theirs = outcome(np.linalg.cholesky, a)
        with la.accelerate(always=True):
            assert outcome(la.cholesky, a) == theirs
    assert np.isnan(la.cholesky(positive, check="nan")[2]).all()


def test_of_matrices_that_fail_numpy_has_the_last_word():
    """One that rounding made singular here has its inverse."""
    a = np.stack([np.eye(3), 2 * np.eye(3), 4 * np.eye(3)])
    wrong = gufuncs.Gufunc("inv", lambda x, num_threads: ((np.zeros_like(x),), np.array([0, 1, 0])), "inv")
    with la.accelerate(always=True):
        found = wrong(a, signature="d->d")
    np.testing.assert_array_equal(found[1], np.eye(3) / 2)
    assert not found[[0, 2]].any()


def test_all_names_take_more_than_numpy_s(stack):
    """Those that no kernel does, too."""
    one = stack[0, 0]
    calls = [(la.cross, one, one), (la.outer, one[0], one[0]), (la.trace, one), (la.diagonal, one)]
    calls += [(la.vector_norm, one), (la.multi_dot, [one] * 3), (la.matrix_transpose, one), (la.tensordot, one, one)]
    for call, *operands in calls:
        found, info = call(*operands, check="nan", num_threads=2, return_info=True)
        np.testing.assert_array_equal(found, getattr(np.linalg, call.__name__)(*operands))
        assert info == 0
        with pytest.raises(ValueError, match=r"^check = 'no'"):
            call(*operands, check="no")
    assert la.trace(stack, dtype="f").dtype == np.float32  # NumPy's own argument
    for call in (la.trace, la.inv, la.lu):
        with pytest.raises(ValueError, match=r"^num_threads = 0"):
            call(np.eye(3), num_threads=0)


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


def test_functions_pickle():
    for call in OURS:
        assert pickle.loads(pickle.dumps(call)) is call


def test_reports_of_what_numpy_does(rng):
    """Eigenvalues, say: NaN is not what was given, so it is a failure."""
    found, info = la.eigvals(rng.standard_normal((4, 3, 3)), return_info=True)
    assert found.shape == (4, 3)
    assert not info.any()
    large = rng.standard_normal((2, 70, 70))
    large[1] = 0
    found, info = la.inv(large, check="nan", return_info=True)
    assert info.tolist() == [0, 1]
    assert np.isfinite(found[0]).all()


@pytest.mark.parametrize("call", [la.eig, la.eigvals])
def test_what_is_not_finite_does_not_end_the_eigenvalues_of_others(call, rng):
    """Which stay real where theirs are; by default it is NumPy's error."""
    a = rng.standard_normal((2, 3, 4, 4))
    a = a @ a.mT
    usual, keeps = call(a), a.copy()
    a[0, 2, 1, 3], a[1, 0, 0, 0] = NAN, np.inf
    before = a.copy()
    for given in (a, a[0, 2]):
        with pytest.raises(np.linalg.LinAlgError, match=r"^Array must not contain infs or NaNs$"):
            call(given)
    found, info = call(a, check="nan", return_info=True)
    assert info.tolist() == [[0, 0, 1], [1, 0, 0]]
    assert type(found) is type(usual)
    for x, y in zip(*(z if isinstance(z, tuple) else (z,) for z in (found, usual)), strict=True):
        assert x.dtype == y.dtype == np.float64
        np.testing.assert_array_equal(x[info == 0], y[info == 0])
        assert np.isnan(x[info != 0]).all()
    np.testing.assert_array_equal(a, before)
    one, info = call(a[0, 2], return_info=True)
    assert info == 1
    assert np.isnan(one if call is la.eigvals else one.eigenvalues).all()
    np.testing.assert_equal(call(keeps, check="nan"), usual)


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_eigenvalues_and_vectors_are_those_of_numpy(dtype, rng):
    """Of either triangle; whatever stands in the other one."""
    imaginary = 1j * rng.standard_normal((2, 7, 4, 4)) if dtype.startswith("complex") else 0
    a = (rng.standard_normal((2, 7, 4, 4)) + imaginary).astype(dtype)
    for letter in "LU":
        expected, _ = np.linalg.eigh(a, letter)
        found = la.eigh(a, letter)
        whole = np.tril(a, -1) if letter == "L" else np.triu(a, 1)
        whole = whole + whole.conj().swapaxes(-1, -2) + np.eye(4) * np.diagonal(a, axis1=-2, axis2=-1).real[..., None]
        close = {"rtol": 1e-4 if dtype == "float32" else 1e-12, "atol": 1e-4 if dtype == "float32" else 1e-12}
        np.testing.assert_allclose(found.eigenvalues, expected, **close)
        np.testing.assert_allclose(la.eigvalsh(a, letter), expected, **close)
        vectors = found.eigenvectors
        np.testing.assert_allclose(whole @ vectors, vectors * found.eigenvalues[..., None, :], **close)
        assert found.eigenvalues.dtype == expected.dtype
        assert vectors.dtype == dtype


@pytest.mark.filterwarnings("ignore:.*[Ss]ingular")
@pytest.mark.usefixtures("always")
def test_roots_of_singular_matrices_have_all_their_digits():
    pytest.importorskip("scipy.linalg")
    singular = np.tile(np.diag([2.0, 1.0, 0.0]), (2, 1, 1))
    np.testing.assert_allclose(la.sqrtm(singular)[0], np.diag([2**0.5, 1, 0]), atol=1e-14)


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize(("n", "dtype"), [(6, "d"), (3, "D"), pytest.param(19, "f", marks=pytest.mark.thorough)])
def test_roots_of_graded_matrices_have_all_digits_of_each_element(n, dtype, rng):
    """Of D B D with any diagonal D. Of matrices as good as singular, and those that are not positive, kernels have no
    root; others have theirs."""
    pytest.importorskip("scipy.linalg")
    g = (rng.standard_normal((20, n, 6 * n)).view("D") if dtype == "D" else rng.standard_normal((20, n, 3 * n))).copy()
    g *= 10.0 ** (rng.uniform(-7, 7, (20, n, 1)) * (0.5 if dtype == "f" else 1))
    a = (g @ g.conj().swapaxes(1, 2)).astype(dtype)
    a = (a + a.conj().swapaxes(1, 2)) / 2
    a[3] = g[3, :, : n - 1].real @ g[3, :, : n - 1].real.T
    a[4] -= np.diag(a[4].diagonal()) * 2
    x, info = la.sqrtm(a, check="nan", return_info=True)
    assert info.nonzero()[0].tolist() == [3, 4]
    assert np.isnan(x[3:5]).all()
    x, a = (np.delete(y, [3, 4], axis=0).astype(np.clongdouble) for y in (x, a))
    assert np.array_equal(x, x.conj().swapaxes(1, 2))
    size = np.sqrt(np.einsum("bii->bi", a).real)
    assert (abs(x @ x - a) < 8 * np.finfo(dtype).eps * size[:, :, None] * size[:, None]).all()


def test_roots_of_what_is_not_finite_fail_alone():
    """Whichever triangle it stands in; a matrix that is finite and not Hermitian is SciPy's."""
    pytest.importorskip("scipy.linalg")
    a = np.tile(4 * np.eye(3), (9, 1, 1))
    a[1, 0, 2] = a[3, 2, 0] = a[5, 1, 1] = NAN
    a[7, 2, 2] = np.inf
    x, info = la.sqrtm(a, check="nan", return_info=True)
    assert np.flatnonzero(info).tolist() == np.flatnonzero(np.isnan(x).any(axis=(1, 2))).tolist() == [1, 3, 5, 7]
    np.testing.assert_array_equal(x[::2], np.tile(2 * np.eye(3), (5, 1, 1)))
    a[0, 0, 1] = 1
    with pytest.raises(ValueError, match="arguments that kernels know"):
        la.sqrtm(a, check="nan")


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


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("call", [la.eigh, la.eigvalsh])
def test_eigenvalues_of_what_is_not_finite_are_an_error_of_their_matrix(call, rng):
    a = rng.standard_normal((5, 3, 3))
    a[2, 1, 0] = NAN
    with pytest.raises(np.linalg.LinAlgError, match="Eigenvalues did not converge"):
        call(a)
    found, info = call(a, check="nan", return_info=True)
    values = found if call is la.eigvalsh else found.eigenvalues
    assert info.tolist() == [0, 0, 1, 0, 0]
    assert np.isnan(values[2]).all()
    assert np.isfinite(values[[0, 1, 3, 4]]).all()


@pytest.mark.usefixtures("always")
def test_determinants_do_not_overflow():
    a = np.stack([np.diag(x) for x in ([1e300, 1e300, 1e-300], [1e-300, -1e-300, 1e300], [0, 1, 2], [5e-324, 2, 4])])
    np.testing.assert_allclose(la.det(a), [1e300, -1e-300, 0, 8 * 5e-324], rtol=1e-15)
    b = np.stack([np.diag(x) for x in ([1e300, -1e300, 1e5], [0, 0, 0], [1e-300, 1e-300, 1e-300])])
    sign, log = la.slogdet(b)
    np.testing.assert_array_equal(sign, [-1, 0, 1])
    np.testing.assert_allclose(log, np.log(10) * np.array([605, -np.inf, -900]), rtol=1e-14)
    sign, log = la.slogdet(b * 1j)
    np.testing.assert_allclose(sign, [1j, 0, -1j], atol=1e-15)
    np.testing.assert_allclose(log, np.log(10) * np.array([605, -np.inf, -900]), rtol=1e-14)


def test_single_is_computed_in_double_unless_asked_for(rng):
    a = rng.standard_normal((300, 2, 2)).astype("f")
    exact = la.inv(a.astype("d"))
    found = la.inv(a)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, exact.astype("f"))
    single = la.inv(a, dtype="f")
    assert single.dtype == np.float32
    assert (single != found).any()
    np.testing.assert_allclose(single, found, rtol=1e-2, atol=1e-3)
    pytest.importorskip("scipy")
    factor, _ = la.cho_factor(np.tile(np.eye(3), (2, 1, 1)), dtype="f")
    assert factor.dtype == np.float32
    for bad in ("int32", "float16"):
        with pytest.raises(TypeError, match=r"^dtype = "):
            la.inv(a, dtype=bad)


def test_a_step_of_refinement(rng):
    a = (
        rng.standard_normal((40, 3, 3))
        * 10.0 ** rng.integers(-12, 12, (40, 3, 1))
        * 10.0 ** rng.integers(-9, 9, (40, 1, 3))
    )
    b = rng.standard_normal((40, 3, 1))
    x = la.solve(a, b, refine=True).astype(np.longdouble)
    error = abs(a @ x - b) / (abs(a) @ abs(x) + abs(b))
    assert (
        error.max() < np.finfo("d").eps < (abs(a @ la.solve(a, b).astype(np.longdouble) - b) / (abs(a) @ abs(x))).max()
    )


def test_refinement_of_more_right_hand_sides_than_the_scratch_has_room_for(rng):
    a, b = rng.standard_normal((2, 40, 40)), rng.standard_normal((2, 40, 700))
    np.testing.assert_array_equal(la.solve(a, b, refine=True), bb.gesv(a, b, overwrite=False, refine=True))


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


def test_products(rng):
    a, b, x = rng.standard_normal((2, 3, 3, 3)), rng.standard_normal((3, 3, 3)), rng.standard_normal((3, 3))
    with la.accelerate(always=True):
        np.testing.assert_allclose(la.matmul(a, b), np.matmul(a, b), rtol=1e-13)
        np.testing.assert_allclose(la.matmul(a, b[0]), np.matmul(a, b[0]), rtol=1e-13)
        with pytest.raises(ValueError, match="does not have enough dimensions"):
            la.matvec(x[0], x)
        out = np.empty_like(a[..., 0])
        assert la.matvec(a, x, out) is out
        assert np.array_equal(out, np.matvec(a, x))
        np.testing.assert_allclose(la.matvec(a, x), np.einsum("...ij,...j", a, x), rtol=1e-13)
        assert la.matvec(a, x, num_threads=2).tobytes() == la.matvec(a, x).tobytes()
        assert np.array_equal(la.matvec(a, x, num_threads=2), la.matvec(a, x))
        for some in ((a, x), (a.astype(int), x.astype(int)), (a[0, 0], x[0])):  # by kernels, and by NumPy
            found, expected = la.matvec(*some, dtype="f"), np.matvec(*some, dtype="f")
            assert found.dtype == expected.dtype == la.vecmat(some[1], some[0], dtype="f").dtype == np.float32
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
        with pytest.raises(TypeError):
            la.matvec(a + 0j, x, dtype="f")
        assert la.matmul(a, b, dtype="f").dtype == np.float64  # NumPy's has no such argument
        np.testing.assert_allclose(la.vecmat(x, a), np.einsum("...i,...ij->...j", x, a), rtol=1e-13)
        np.testing.assert_allclose(la.vecdot(x, a[:, :, 0]), (x * a[:, :, 0]).sum(-1), rtol=1e-13)


@pytest.mark.parametrize(("name", "dtype"), [("matmul", "d"), ("matvec", "f"), ("vecmat", "D"), ("vecdot", "D")])
def test_products_of_batches_go_a_short_way_to_the_same_bits(name, dtype, always, rng, monkeypatch):
    x, y = ((19, 3), (19, 3)) if name in ("vecdot", "vecmat") else ((19, 4, 3), (19, 3))
    y = {"matmul": (19, 3, 2), "vecmat": (19, 3, 2)}.get(name, y)
    x, y = ((rng.standard_normal(shape) + 1j * rng.standard_normal(shape)) for shape in (x, y))
    x, y = (z.astype(dtype) if dtype == "D" else z.real.astype(dtype) for z in (x, y))
    long = getattr(la, name)(x[None], y[None])[0]
    monkeypatch.setattr(products, "_product", None)
    found = getattr(la, name)(x, y, num_threads=1)
    assert found.dtype == dtype
    assert found.tobytes() == long.tobytes()
    sums = {"matmul": "nij,njk->nik", "matvec": "nij,nj->ni", "vecmat": "nj,njk->nk", "vecdot": "nj,nj->n"}[name]
    first = x.conj() if name.startswith("vec") else x
    np.testing.assert_allclose(found, np.einsum(sums, first, y), rtol=100 * np.finfo(dtype).eps, atol=1e-6)


def test_what_is_to_be_converted_goes_the_long_way(always, rng):
    a, x = rng.standard_normal((5, 3, 3)), rng.standard_normal((5, 3))
    assert products.MATVEC.at_once((a, x), None) is not None
    swapped = np.ones((5, 3, 4), ">f8")
    for other in [
        (a[0], x),
        (a, x[0]),
        (a, x[:1]),
        (a, x[:, :2]),
        (a.astype("f"), x),
        (swapped[..., :3], swapped[..., 3]),
        (a[:0], x[:0]),
        (a, x, x),
    ]:
        assert products.MATVEC.at_once(other, None) is None
    assert products.MATVEC.at_once((a.tolist(), x), None) is None
    with asked.asking(check="nan"):
        assert products.MATVEC.at_once((a, x), None) is None


def test_few_products_are_numpy_s(rng, monkeypatch):
    monkeypatch.setattr(kernels, "prepare", None)
    few, large = rng.standard_normal((2, 20, 3)), rng.standard_normal((2, 9, 70, 70))
    assert la.vecdot(*few, num_threads=2).tobytes() == np.vecdot(*few).tobytes()
    assert la.matmul(*large).tobytes() == np.matmul(*large).tobytes()
    for x, y in (few, large):
        with pytest.raises(ValueError, match="num_threads = 0"):
            la.matmul(x, y, num_threads=0)


@pytest.mark.parametrize(
    ("name", "left", "right"),
    [
        ("matvec", (32, 32), (32,)),
        ("matvec", (2, 3, 32, 32), (3, 32)),
        ("matvec", (10, 8, 8), (8,)),
        ("vecmat", (400,), (400, 2)),
        ("vecdot", (5000,), (5000,)),
        ("vecdot", (4, 1, 100), (5, 100)),
        ("matmul", (40, 40), (4, 40, 40)),
        ("matmul", (7, 3), (3,)),
        ("matmul", (0, 40, 0), (0, 40)),
    ],
)
def test_few_products_of_any_axes_are_numpy_s_at_once(name, left, right, rng, monkeypatch):
    monkeypatch.setattr(products, "Stacks", None)
    x, y = rng.standard_normal(left), rng.standard_normal(right)
    assert getattr(la, name)(x, y).tobytes() == getattr(np, name)(x, y).tobytes()
    with pytest.raises(ValueError, match=r"mismatch|dimensions"):
        getattr(la, name)(x, np.ones(13))


def test_accelerate_nests_and_ends(stack):
    theirs = np.linalg._linalg._umath_linalg
    with la.accelerate():
        ours = np.linalg._linalg._umath_linalg
        assert ours is not theirs
        with pytest.raises(np.linalg.LinAlgError), la.accelerate(always=True):
            np.linalg.inv(stack)
        assert np.linalg._linalg._umath_linalg is ours
        seen = []
        thread = Thread(target=lambda: seen.append(np.linalg._linalg._umath_linalg))
        thread.start()
        thread.join()
        assert seen == [ours]
        assert not asked.ALWAYS
    assert np.linalg._linalg._umath_linalg is theirs


def test_accelerate_leaves_nothing_behind(monkeypatch):
    """Nor in a module of SciPy that is first imported in the block; nor by a bool that is NumPy's."""
    linalg = pytest.importorskip("scipy.linalg")
    theirs, own = linalg.expm, np.linalg._linalg._umath_linalg
    late = ModuleType("scipy.late")
    with la.accelerate(always=np.False_):
        late.expm = linalg.expm
        monkeypatch.setitem(sys.modules, "scipy.late", late)
        assert late.expm is la.expm
    assert late.expm is theirs
    assert linalg.expm is theirs
    assert np.linalg._linalg._umath_linalg is own


def test_results_are_contiguous_however_operands_lie(rng):
    a = (rng.standard_normal((400, 3, 3)) + 4 * np.eye(3)).swapaxes(-1, -2)
    with la.accelerate(always=True):
        results = [la.inv(a[0]), la.slogdet(a + 0j).logabsdet]
    assert all(x.flags.c_contiguous for x in (la.inv(a), *results))
    linalg = pytest.importorskip("scipy.linalg")
    with la.accelerate():
        assert linalg.inv(a).flags.c_contiguous


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


@pytest.mark.parametrize(
    ("line", "status", "error"),
    [("0 / 0", 1, "ZeroDivisionError"), ("raise KeyboardInterrupt", 130, "KeyboardInterrupt")],
)
def test_programs_run_accelerated(line, status, error, tmp_path):
    """To the end of their last thread, as Python runs them: ``__file__`` is absolute, what shows errors is theirs."""
    program = tmp_path / "program.py"
    lines = (
        "import sys, threading, numpy",
        "def kind(): print(type(numpy.linalg._linalg._umath_linalg).__name__, flush=True)",
        "threading.Thread(target=lambda: (threading.main_thread().join(), kind())).start()",
        "print(__file__, sys.argv[1:], flush=True)",
        "sys.excepthook = lambda *error: (print('shown'), sys.__excepthook__(*error))",
    )
    program.write_text("\n".join((*lines, line)))
    command = [sys.executable, "-m", "bblas_gen", "run", program.name, "-x", "1"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == f"{program} ['-x', '1']\nshown\nSimpleNamespace\n"
    assert done.returncode == status
    trace, where, *_, last = done.stderr.splitlines()
    assert trace.startswith("Traceback")
    assert f'"{program}", line 6' in where  # none of ours, nor of runpy
    assert last.startswith(error)


@pytest.mark.parametrize(("program", "name"), [("-c", "<string>"), ("-", "<stdin>")])
def test_text_runs_accelerated(program, name):
    """As ``python -c`` and ``python -`` run it: the main module, its arguments, its path, its traceback."""
    text = (
        "import sys, pickle, numpy\n"
        "class Own: pass\n"
        "print(type(numpy.linalg._linalg._umath_linalg).__name__, sys.argv[1:], repr(sys.path[0]), __name__)\n"
        "assert type(pickle.loads(pickle.dumps(Own()))) is Own and '__file__' not in globals()\n"
        "{}[sys.argv[0]]"
    )
    command = [sys.executable, "-m", "bblas_gen", "run", program, *([text] * (program == "-c")), "-m", "--help"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.stdout == "SimpleNamespace ['-m', '--help'] '' __main__\n"
    assert done.returncode == 1
    trace, where, *_, last = done.stderr.splitlines()
    assert (trace, where) == ("Traceback (most recent call last):", f'  File "{name}", line 5, in <module>')
    assert last == f"KeyError: '{program}'"


def test_scipy_s_functions_on_stacks(rng, monkeypatch):
    """By kernels, not by SciPy, which would do as well."""
    linalg = pytest.importorskip("scipy.linalg")
    a, b = rng.standard_normal((2, 2, 3, 3)) + 4 * np.eye(3), rng.standard_normal((2, 3, 1))
    s = a @ a.swapaxes(-1, -2)
    calls = [
        (linalg.solve_triangular, (a, b), {"lower": True}),
        (linalg.cho_factor, (s,), {}),
        (lambda x, y: linalg.cho_solve((linalg.cho_factor(x)[0], False), y), (s, b), {}),
        (lambda x, y: linalg.lu_solve(linalg.lu_factor(x), y), (a, b), {}),
        (lambda x, y: linalg.lu_solve(linalg.lu_factor(x), y, trans=2), (a, b), {}),
        (linalg.lu, (a,), {}),
        (linalg.lu, (a,), {"p_indices": True}),
        (linalg.lu, (a,), {"permute_l": True}),
        (linalg.solve, (a, b), {}),
        (linalg.solve, (a[0, 0], b), {}),
        (linalg.inv, (a,), {}),
        (linalg.det, (a,), {}),
        (linalg.cholesky, (s,), {"lower": True}),
        (linalg.svdvals, (a,), {}),
        (linalg.pinv, (a * [[1], [1], [1e-17]],), {"return_rank": True}),
        (linalg.polar, (a,), {}),
        (linalg.pinvh, (s,), {"return_rank": True}),
        (linalg.sqrtm, (s,), {}),
        (linalg.eigvalsh, (s, s[0, 0]), {"type": 3}),
    ]
    for function, arguments, named in calls:
        expected = function(*arguments, **named)
        name = getattr(function, "__name__", "")
        with la.accelerate(always=True), monkeypatch.context() as here:
            here.setattr("bblas_gen.linalg.scipy_frame.theirs", lambda name: pytest.fail(f"{name} is SciPy's"))
            found = getattr(linalg, name, function)(*arguments, **named)
        for x, y in zip(*(z if isinstance(z, (list, tuple)) else [z] for z in (found, expected)), strict=True):
            assert x.dtype == y.dtype
            np.testing.assert_allclose(x, y, rtol=1e-10, atol=1e-12)


def test_failures_of_scipy_s_functions():
    linalg = pytest.importorskip("scipy.linalg")
    a = np.tile(np.diag([1.0, 2.0, 0.0]), (4, 1, 1))
    calls = [lambda: linalg.solve_triangular(a, np.ones((4, 3, 1)), lower=True), lambda: linalg.cho_factor(a)]
    for call in calls:
        with pytest.raises(np.linalg.LinAlgError) as theirs:
            call()
        with la.accelerate(always=True), pytest.raises(np.linalg.LinAlgError) as ours:
            call()
        assert str(ours.value) == str(theirs.value)
    near = a + 1e-17  # singular but for rounding: SciPy warns, or says that it is
    with la.accelerate(always=True), pytest.raises((np.linalg.LinAlgError, linalg.LinAlgWarning)):
        linalg.inv(near)
    with la.accelerate(always=True), pytest.raises((np.linalg.LinAlgError, linalg.LinAlgWarning)):
        linalg.solve(near, np.ones((3, 1)))
    x, info = la.solve_triangular(a, np.ones((4, 3, 1)), lower=True, check="nan", return_info=True)
    assert info.tolist() == [3] * 4
    assert np.isnan(x).all()
    with pytest.warns(linalg.LinAlgWarning, match="^Diagonal number 3 is exactly zero"):
        la.lu_factor(a)
    with pytest.raises(ValueError, match="infs or NaNs"):
        la.cho_factor(a * NAN)


@pytest.mark.parametrize("bad", [NAN, np.inf])
def test_of_spectra_of_what_is_not_finite_scipy_has_the_last_word(bad, rng):
    """In its words, which are not NumPy's; where failing is no error there is nothing to say."""
    linalg = pytest.importorskip("scipy.linalg")
    a = rng.standard_normal((4, 3, 3))
    a[2] = bad
    for call in (linalg.pinvh, linalg.eigh, linalg.eigvalsh, linalg.svdvals):
        theirs = outcome(partial(call, check_finite=False), a)
        with la.accelerate(always=True):
            assert outcome(partial(getattr(linalg, call.__name__), check_finite=False), a) == theirs
    for given, reports in ((a, [0, 0, 1, 0]), (a.reshape(2, 2, 3, 3), [[0, 0], [1, 0]])):
        for call in (la.pinvh, partial(la.eigh, lower=False), partial(la.eigvalsh, overwrite_a=False)):
            found, info = call(given, check_finite=False, check="nan", return_info=True)
            assert (info != 0).tolist() == np.asarray(reports, bool).tolist()
            found = found[-1] if isinstance(found, tuple) else found
            assert (np.isnan(found).reshape(4, -1).any(axis=1) == (info != 0).ravel()).all()


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


@pytest.mark.parametrize("n", [1, 2, 3, 9])
def test_determinants_of_what_is_singular_or_not_finite(n, rng):
    """Beside others in a vector, which have what they have alone."""
    a = rng.standard_normal((20, n, n))
    usual = la.det(a, check="ignore"), *la.slogdet(a, check="ignore")
    a[3], a[5] = 0, np.diag(np.full(n, np.inf))
    a[7], a[9, 0, 0] = np.nan, np.nan
    a[11], a[11, -1, -1] = 1e-320 * np.eye(n), 0
    found = la.det(a, check="ignore"), *la.slogdet(a, check="ignore")
    for x, y in zip(found, usual, strict=True):
        same = [i for i in range(20) if i not in (3, 5, 7, 9, 11)]
        np.testing.assert_array_equal(x[same], y[same])
    for i in (3, 11):
        assert [x[i] for x in found] == [0, 0, -np.inf]
    assert np.isnan([x[[7, 9]] for x in found]).all()
    assert not any(np.isfinite(x[5]) for x in found[::2])


@pytest.mark.parametrize("n", [2, 3, 5])
def test_determinants_whose_last_two_rows_are_rare(n, rng):
    """Alike, of the least numbers, or too large for a product, beside others."""
    a = rng.standard_normal((20, n, n))
    a[2, -1] = a[2, -2]
    a[4, -2:, -2:] = [[0, 1e-160], [1e-163, 0]]
    a[6] *= 1e160
    for x in (a, a + 0j):
        (det, info), (sign, log) = la.det(x, return_info=True), la.slogdet(x, check="ignore")
        expected, size = np.linalg.slogdet(x)
        assert det[2] == 0 or n > 2
        assert not np.isfinite(det[6])
        assert not np.delete(info, 2).any()
        pairs = (det, expected * np.exp(np.minimum(size, 700))), (sign, expected), (log, size)
        for i, (found, wanted) in enumerate(pairs):
            except_for = [2, 6] if i == 0 else [2]
            np.testing.assert_allclose(np.delete(found, except_for), np.delete(wanted, except_for), 1e-10, 1e-300)


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
