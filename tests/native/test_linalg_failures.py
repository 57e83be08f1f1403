"""Matrices that fail, or are not finite: errors, NaN and reports, and nothing of it beside them."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from support.extended import NAN
from support.outcomes import outcome

import bblas_gen.linalg as la
from bblas_gen.linalg import gufuncs


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
def test_what_is_not_finite_does_not_end_the_eigenvalues_of_others(call, rng, monkeypatch):
    """Which stay real where theirs are; by default it is NumPy's error. LAPACK, which may not end then, sees no NaN."""

    def numpys(name, operands, *others, own=gufuncs.by_numpy):
        assert np.isfinite(operands[0]).all()
        return own(name, operands, *others)

    monkeypatch.setattr(gufuncs, "by_numpy", numpys)
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
