"""Pairs of symmetric and positive definite matrices: hard ones, those that fail, and what users get."""

from __future__ import annotations

from inspect import signature

import numpy as np
import pytest
from support.eig_oracles import congruent, pair_residual, values_error
from support.extended import adjoint, hermitian_noise, random

import bblas_gen as bb
import bblas_gen.linalg as la
from bblas_gen.codegen.signature import signature_of
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.linalg.spectral import with_pairs
from bblas_gen.runtime import kernels
from bblas_gen.runtime.marshal import address
from bblas_gen.runtime.stand_in import BodyByBody

NAN = float("nan")
KINDS = [
    ("1", "L", "float64", 7),
    ("1", "U", "complex128", 5),
    ("2", "U", "complex64", 5),
    ("3", "L", "complex128", 3),
    ("3", "U", "float32", 9),
]
"""Problems, triangles, and orders of several tiles; of each algorithm for the values one."""


def pairs(n, dtype):
    """Matrices A of all kinds beside matrices B of conditions from 1 to 1,000, large and small ones."""
    rng = np.random.default_rng(n)
    x, y = (random(rng, (12, n, n), np.promote_types(dtype, "d").name) for _ in range(2))
    a, q = x + adjoint(x), np.linalg.qr(y)[0]
    scales = 10.0 ** -np.arange(n)
    a[1] = 0
    a[2] = np.eye(n)
    a[3] = a[3] * scales[:, None] * scales
    a[4] = x[4] @ adjoint(x[4])
    a[5] = x[5, :, :1] @ adjoint(x[5, :, :1])
    values = 10.0 ** np.linspace(0, -3, n) * np.ones((12, 1))
    values[::2] = 1
    b = (q * values[:, None]) @ adjoint(q)
    b[2] = a[4]  # a cluster
    b[2] += np.eye(n)
    info = np.finfo(dtype)
    a[6:8] *= np.ldexp(1.0, info.maxexp // 2)
    a[8:10] *= np.ldexp(1.0, info.minexp // 2)
    b[7:9] *= np.ldexp(1.0, info.maxexp // 4)
    b[9:11] *= np.ldexp(1.0, info.minexp // 4)
    return ((a + adjoint(a)) / 2).astype(dtype), ((b + adjoint(b)) / 2).astype(dtype)


@pytest.mark.parametrize(("itype", "uplo", "dtype", "n"), KINDS)
def test_pairs_of_all_kinds(itype, uplo, dtype, n):
    a, b = pairs(n, dtype)
    given = (hermitian_noise(x.copy(), x.dtype.kind == "c") for x in (a, b))
    v, w, info = bb.sygv(*given, itype=int(itype), jobz="V", uplo=uplo, overwrite=False, return_info=True)
    assert not info.any()
    assert pair_residual(a, b, w, v, itype) < 30


def test_without_vectors_the_matrix_of_the_values_is_left():
    """And the triangle that nobody reads."""
    a, b = pairs(5, "complex64")
    upper = np.triu(np.ones((5, 5), bool))
    left, w = bb.sygv(a.copy(), b.copy(), itype=2, uplo="U")
    assert left[:, ~upper].tobytes() == a[:, ~upper].tobytes()
    expected = congruent(a, b, "2")
    assert values_error(expected, w) < 30
    assert (abs(left - expected)[:, upper] <= 1e-5 * abs(expected).max((1, 2))[:, None]).all()


def test_what_fails_is_reported_and_disturbs_no_other():
    a, b = pairs(5, "float64")
    clean = bb.sygv(a, b, jobz="V", overwrite=False)
    bad_a, bad_b = a.copy(), b.copy()
    bad_b[2, 3, 3], bad_b[4, 1, 0], bad_b[6] = -1, NAN, 0
    bad_a[7, 4, 2], bad_a[4] = np.inf, NAN
    given, factor = bad_a.copy(), bad_b.copy()
    v, w, info = bb.sygv(given, factor, jobz="V", check="ignore", return_info=True)
    assert info.tolist() == [0, 0, 5 + 4, 0, 5 + 2, 0, 5 + 1, 1, 0, 0, 0, 0]
    good = info == 0
    assert v[good].tobytes() == clean[0][good].tobytes()
    assert w[good].tobytes() == clean[1][good].tobytes()
    assert given[[2, 4, 6]].tobytes() == bad_a[[2, 4, 6]].tobytes()
    assert np.isnan(w[7]).all()
    with pytest.raises(
        np.linalg.LinAlgError, match=r"^sygv: 4 of 12 matrices are not finite, .* B that is not positive"
    ):
        bb.sygv(bad_a, bad_b, jobz="V")


def test_flags_may_be_numbers_or_letters_and_one_pair_is_one_problem():
    a, b = pairs(5, "float64")
    v, w = bb.sygv(a, b, jobz="V", overwrite=False)
    for itype in (1, "1", np.int64(1)):
        assert bb.sygv(a, b, itype=itype, jobz="V", overwrite=False)[1].tobytes() == w.tobytes()
    one, values = bb.sygv(a[3], b[3], jobz="V", overwrite=False)
    assert (one.tobytes(), values.tobytes()) == (v[3].tobytes(), w[3].tobytes())
    with pytest.raises(bb.SpecError, match=r"^itype = 4 is not a letter of itype: expected one of 1, 2, 3"):
        bb.sygv(a, b, itype=4)
    with pytest.raises(bb.SpecError, match=r"^itype = True is not"):
        bb.sygv(a, b, itype=True)
    assert KernelSpec.parse("bb_dsygv_3nu_st_n5").flag["itype"] == "3"


def test_numpy_s_functions_take_pairs():
    a, b = pairs(5, "float64")
    v, w = bb.sygv(a, b, jobz="V", overwrite=False)
    with la.accelerate(always=True):
        values, vectors = la.eigh(a, b=b)
        assert (values.tobytes(), vectors.tobytes()) == (w.tobytes(), v.tobytes())
        of_one, _ = la.eigh(a[None], b=b[0])
        assert of_one[0, 0].tobytes() == w[0].tobytes()
        b[2, 3, 3] = -1
        with pytest.raises(np.linalg.LinAlgError, match=r"^The leading minor of order 4 of B is not positive definite"):
            la.eigh(a, b=b)
        (values, vectors), info = la.eigh(a, b=b, check="nan", return_info=True)
    assert info.tolist() == [9 * (i == 2) for i in range(12)]
    assert (np.isnan(values).all(1) == (info != 0)).all()
    assert (np.isnan(vectors).all((1, 2)) == (info != 0)).all()
    with pytest.raises(ValueError, match="UPLO argument must be 'L' or 'U'"):
        la.eigh(a, "x", b=b)


def test_numpy_s_functions_take_what_scipy_s_take_of_pairs():
    linalg = pytest.importorskip("scipy.linalg")
    a, b = pairs(5, "float64")
    expected, found = la.eigh(a, b=b), la.eigh(np.tril(a), b=np.tril(b), lower=True, check_finite=False)
    assert found[0].tobytes() == expected[0].tobytes()
    one, _ = la.eigh(a[3], b=b[3], subset_by_index=[1, 2])
    np.testing.assert_allclose(one, linalg.eigh(a[3], b[3], subset_by_index=[1, 2])[0])
    given = with_pairs(np.linalg.eigh, lambda a, b, **named: named)
    assert [given(a, x, b=b)["lower"] for x in "LU"] == [True, False]
    assert given(a, "U", b=b, lower=False) == given(a, b=b, lower=False) == {"lower": False}
    for name in ("eigh", "eigvalsh"):
        theirs = signature(getattr(linalg, name)).parameters
        assert theirs.keys() <= signature(getattr(la, name)).parameters.keys()


@pytest.mark.thorough
def test_what_is_done_body_by_body_reports_the_same():
    """By kernels for any size, where there is no compiler."""
    a, b = pairs(4, "float64")
    b[2, 3, 3], a[5, 1, 0] = -1, np.inf
    spec, done = KernelSpec.parse("bb_dsygv_1vl_st_n4_rm"), []
    for function in (kernels.kernel(spec), BodyByBody(spec, kernels.kernel)):
        v, factor, w, info = a.copy(), b.copy(), np.zeros((12, 4)), np.zeros(12, np.int32)
        given = {"A": v, "B": factor, "W": w, "info": info}
        numbers = {"stride_a": 16, "stride_b": 16, "stride_w": 4, "batch_count": 12, "num_threads": 1}
        names = [p.name for p in signature_of(spec).parameters]
        assert function(*(address(given[name]) if name in given else numbers[name] for name in names)) == 0
        done.append((info.tolist(), w[info == 0]))
    assert done[0][0] == done[1][0] == [0, 0, 8, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    one, other = (w for _, w in done)
    assert (abs(one - other) <= 1e-12 * abs(one).max(axis=1, keepdims=True)).all()


def test_one_matrix_takes_what_scipy_takes(rng):
    linalg = pytest.importorskip("scipy.linalg")
    a = rng.standard_normal((8, 3, 3))
    a += a.swapaxes(-1, -2)
    a[:, 0, 1] = 9  # where one triangle is read
    for lower, uplo in ((True, "L"), (False, "U")):
        expected = np.linalg.eigvalsh(a, uplo)
        np.testing.assert_allclose(la.eigh(a, lower=lower, check_finite=False)[0], expected, atol=1e-12)
    a = np.tril(a) + np.tril(a, -1).swapaxes(-1, -2)
    values = la.eigh(a, eigvals_only=True)
    np.testing.assert_array_equal(la.eigvalsh(a, overwrite_a=False), values)
    for named in ({"subset_by_index": [1, 2]}, {"driver": "ev"}):
        np.testing.assert_array_equal(la.eigvalsh(a, **named), linalg.eigvalsh(a, **named))
    assert type(la.eigh(a)).__name__ == "EighResult"
    with pytest.raises(TypeError, match=r"^UPLO = 'U' beside lower = True"):
        la.eigh(a, "U", lower=True)
    with pytest.raises(TypeError, match="unexpected keyword argument 'subset'"):
        la.eigh(a, subset=1)
