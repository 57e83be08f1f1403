"""What functions of NumPy and SciPy return by kernels."""

from __future__ import annotations

import numpy as np
import pytest

import bblas_gen as bb
import bblas_gen.linalg as la


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
