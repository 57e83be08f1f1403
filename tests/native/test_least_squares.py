"""Least squares: LAPACK's tests on matrices of all kinds, by gels, geqp3 and ``linalg.lstsq``."""

from __future__ import annotations

import numpy as np
import pytest
from support.extended import adjoint, difference, norm, random, wide
from support.qr_oracles import ORACLES, reflections

import bblas_gen as bb
import bblas_gen.linalg as la
from bblas_gen.errors import JitDisabledError
from bblas_gen.linalg.least_squares import DRIVERS

NAN = float("nan")


def kinds(m, n, dtype="float64"):
    """Matrices of LAPACK's tests: of all conditions and sizes, graded, deficient, Kahan's; each scaled."""
    rng, k = np.random.default_rng([m, n]), min(m, n)
    u, v = (np.linalg.qr(random(rng, (12, x, k), dtype))[0] for x in (m, n))
    power = np.linspace(0, 1, k)
    conditions = [10.0 ** (-c * power) for c in (0, 2, 8, 15)] + [np.where(power < 1, 1, 1e-15)]
    conditions += [np.where(power > 0, 1e-15, 1), power < 0.5, power <= 0, np.zeros(k)]
    found = [(u[i] * s) @ adjoint(v[i]) for i, s in enumerate(conditions)]
    found.append(random(rng, (m, n), dtype) * 10.0 ** -np.arange(n))
    found.append(random(rng, (m, n), dtype) * 10.0 ** -np.arange(m)[:, None])
    sine = np.sin(1.2)
    upper = np.triu(np.full((m, n), -np.cos(1.2)), 1) + np.eye(m, n)
    found.append(sine ** np.arange(m)[:, None] * upper)
    info = np.finfo(dtype)
    a = np.stack([x.astype(dtype) for x in found])
    scales = np.ldexp(np.ones(2, info.dtype), [info.maxexp - 12, info.minexp + 6])
    return np.concatenate([a, a * scales[0], a * scales[1]])


@pytest.mark.parametrize(("m", "n", "dtype"), [(7, 5, "float64"), (4, 6, "complex64")])
def test_factors_of_all_kinds(m, n, dtype):
    a = kinds(m, n, dtype)
    size = abs(a).max(axis=(1, 2), keepdims=True)
    power = np.ldexp(np.ones_like(size), np.frexp(size)[1])
    upper = np.triu(np.ones((m, n), bool))

    def ratio(columns, qr, tau):
        factors = {"A": np.where(upper, qr / power, qr), "TAU": tau[..., None]}
        return ORACLES["geqrf"].error({"A": columns / power}, factors, {}, {})

    assert ratio(a, *bb.geqrf(a, overwrite=False)) < 30
    qr, order, tau = bb.geqp3(a, overwrite=False)
    assert ratio(np.take_along_axis(a, order.astype(int)[:, None] - 1, 2), qr, tau) < 30
    diagonal = abs(np.diagonal(qr / power, axis1=1, axis2=2))
    assert (diagonal[:, 1:] <= diagonal[:, :-1] * (1 + 1e-6) + np.finfo(dtype).eps).all()


def test_norms_are_computed_anew_where_few_digits_are_left():
    """Columns that all but vanish with the first one: what is left of them decides, not what was brought down."""
    rng = np.random.default_rng(1)
    first = rng.standard_normal((40, 6, 1))
    a = np.concatenate([2 * first, first + 1e-9 * rng.standard_normal((40, 6, 4)) * [1e-4, 1, 1e-2, 1e2]], axis=2)
    _, order, _ = bb.geqp3(a)
    assert (order == [1, 5, 3, 4, 2]).all()


def test_pivots_without_columns_to_choose_from():
    a = np.ones((9, 3, 4))
    a[:, :, 2] = NAN
    a[0] = 0
    qr, order, tau = bb.geqp3(a)
    assert (order[0] == [1, 2, 3, 4]).all()
    assert not tau[0].any()
    assert np.isfinite(qr[0]).all()
    assert (order[1:, 3] != 3).all()
    assert np.isnan(qr[1:]).any(axis=(1, 2)).all()
    assert (np.sort(order, axis=1) == [1, 2, 3, 4]).all()
    one, jpvt, _ = bb.geqp3(np.array([[3.0, 5.0], [4.0, 10.0]]))
    assert jpvt.tolist() == [2, 1]
    assert one.shape == (2, 2)


@pytest.mark.parametrize("trans", ["N", "C"])
@pytest.mark.parametrize(("m", "n", "dtype"), [(7, 5, "float64"), (4, 6, "complex64")])
def test_solutions_of_all_kinds(m, n, dtype, trans):
    """Backward stable for all that have full rank to the last bit."""
    a = kinds(m, n, dtype)[:12]
    right = random(np.random.default_rng(2), (12, max(m, n), 2), dtype)
    x, info = bb.gels(a, right, trans=trans, overwrite=False, return_info=True)
    assert info[8] == 1
    assert x[8].tobytes() == right[8].tobytes()
    done = info == 0
    assert (info[[0, 1, 2, 3, 4, 5, 9, 10, 11]] == 0).all()
    op, done = a if trans == "N" else adjoint(a), info == 0
    if op.shape[1] < op.shape[2]:  # the space of the rows of others is any
        left = wide(op) @ wide(x)[:, : op.shape[2]] - wide(right)[:, : op.shape[1]]
        scale = norm(wide(op)) * norm(wide(x)[:, : op.shape[2]]) + norm(wide(right))
        assert difference(left[done].astype(dtype), 0 * left[done], scale[done] * max(m, n)) < 30
        done &= np.isin(range(12), [0, 1, 9, 10, 11])
    right[:, op.shape[1] :] = NAN
    assert ORACLES["gels"].error({"A": a[done], "B": right[done]}, {"B": x[done]}, {"trans": trans}, {}) < 30


@pytest.mark.parametrize("scale", [2.0**1018, 2.0**-1018])
def test_solutions_of_large_and_small_numbers(scale):
    a, b = random(np.random.default_rng(3), (8, 5, 3), "float64"), np.ones((8, 5, 1))
    for matrices, right in ((a, b), (adjoint(a).copy(), b[:, :3])):
        given = np.zeros((8, 5, 1))
        given[:, : right.shape[1]] = right
        x = bb.gels(matrices, given, overwrite=False)
        scaled = bb.gels(matrices * scale, given * scale, overwrite=False)
        n = matrices.shape[2]
        np.testing.assert_allclose(scaled[:, :n], x[:, :n], rtol=1e-12)


def test_failing_matrices_keep_their_right_hand_sides():
    a = random(np.random.default_rng(4), (9, 4, 3), "float64")
    a[2, :, 1] = 0
    a[4, :, 1], a[4, 0, 2] = 0, NAN
    b = -np.zeros((9, 4, 5))
    b[5:] = 3
    found, info = bb.gels(a.copy(), b.copy(), return_info=True)
    assert info.tolist() == [0, 0, 2, 0, 2, 0, 0, 0, 0]
    assert found[[2, 4]].tobytes() == b[[2, 4]].tobytes()
    with pytest.raises(np.linalg.LinAlgError, match="full rank"):
        bb.gels(a, b)


@pytest.mark.parametrize("driver", ["gelsd", "gelsy"])
@pytest.mark.parametrize(("m", "n", "dtype"), [(5, 3, "float64"), (3, 4, "complex64")])
def test_lstsq_is_numpy_s_for_each_matrix(rng, m, n, dtype, driver):
    a = random(rng, (2, 4, m, n), dtype)
    a[0, 1], a[1, 2] = a[0, 1, :, :1], 0
    for b in (random(rng, (m,), dtype), random(rng, (4, m, 2), dtype)):
        x, left, rank, s = la.lstsq(a, b, driver=driver)
        assert (x.dtype, left.dtype) == (a.dtype, a.real.dtype)
        for i in np.ndindex(2, 4):
            one, sums, count, values = np.linalg.lstsq(a[i], b if b.ndim == 1 else b[i[1]])
            np.testing.assert_allclose(x[i], one, atol=1e-4 if dtype == "complex64" else 1e-11)
            assert rank[i] == count
            if sums.size:
                np.testing.assert_allclose(left[i], sums, rtol=1e-4)
            else:
                assert (m <= n and left.shape[-1] == 0) or np.isnan(left[i]).all()
            if driver == "gelsd":
                np.testing.assert_allclose(s[i], values, atol=1e-5)


def test_lstsq_of_full_rank(rng):
    a, b = rng.standard_normal((6, 4, 3)), rng.standard_normal((6, 4, 2))
    x, left, rank, s = la.lstsq(a, b, driver="gels")
    expected = la.lstsq(a, b)
    np.testing.assert_allclose(x, expected[0], atol=1e-13)
    np.testing.assert_allclose(left, expected[1])
    assert (rank == 3).all()
    assert s is None
    a[2] = 0
    with pytest.raises(np.linalg.LinAlgError, match=r"^matrix 2 does not have full rank"):
        la.lstsq(a, b, driver="gels")
    (found, *_), info = la.lstsq(a, b, driver="gels", check="nan", return_info=True)
    assert info.tolist() == [0, 0, 1, 0, 0, 0]
    assert np.isnan(found[2]).all()
    assert found[3:].tobytes() == x[3:].tobytes()


@pytest.mark.parametrize("count", [6, 200])
def test_lstsq_of_what_is_not_finite_fails_alone_in_numpy_s_words(rng, count):
    """By NumPy's values, and by ours; those of a lower rank are no failures."""
    a, b = rng.standard_normal((count, 4, 3)), rng.standard_normal(4)
    a[2, 1, 1] = a[4, 3, 2] = np.nan
    a[5, :, 0] = 0
    words = r"^SVD did not converge in Linear Least Squares$"
    for some in (a, a[2]):
        with pytest.raises(np.linalg.LinAlgError, match=words):
            la.lstsq(some, b)
    for named in ({"check": "nan"}, {"check": "ignore"}, {}):
        (x, _, rank, _), info = la.lstsq(a, b, return_info=True, **named)
        assert rank[[1, 5]].tolist() == [3, 2]
        np.testing.assert_allclose(x[5], np.linalg.lstsq(a[5], b)[0], rtol=1e-10)
        assert np.flatnonzero(info).tolist() == [2, 4]
        if named.get("check") == "nan":
            assert np.isnan(x[[2, 4]]).all()


@pytest.mark.parametrize("shape", [(70, 66), (4, 3)])
def test_lstsq_of_what_is_not_finite_fails_alone_where_numpy_does_it(rng, shape, monkeypatch):
    """Matrix by matrix: what is large, or where there is no compiler; one matrix, too."""
    monkeypatch.setitem(DRIVERS, "gelsd", refuses)
    a, b = rng.standard_normal((5, *shape)), rng.standard_normal(shape[0])
    a[2, 1, 1] = np.nan
    with pytest.raises(np.linalg.LinAlgError, match=r"^SVD did not converge in Linear Least Squares$"):
        la.lstsq(a, b)
    usual = la.lstsq(np.delete(a, 2, axis=0), b)
    for named in ({"check": "nan"}, {"check": "ignore"}, {"check": "nan", "num_threads": 1}):
        (*found, s), info = la.lstsq(a, b, return_info=True, **named)
        assert info.tolist() == [0, 0, 1, 0, 0]
        assert np.isnan(s[2]).all()
        for x, expected in zip((*found, s), usual, strict=True):
            np.testing.assert_array_equal(np.delete(x, 2, axis=0), expected)
    x, left, rank, s = la.lstsq(a[2], b, check="nan")
    assert np.isnan(x).all()
    assert (x.shape, left.shape, np.shape(rank), s.shape) == ((shape[1],), (1,), (), (shape[1],))
    (x, *_), info = la.lstsq(a[1], b, return_info=True)
    assert info == 0
    np.testing.assert_allclose(x, np.linalg.lstsq(a[1], b)[0], rtol=1e-12)


def test_lstsq_of_one_and_of_none(rng, monkeypatch):
    a, b = rng.standard_normal((5, 3)), rng.standard_normal(5)
    for x, y in zip(la.lstsq(a, b), np.linalg.lstsq(a, b), strict=True):
        assert np.array_equal(x, y)
    assert la.lstsq(a, b, driver="gels")[0].shape == (3,)
    assert la.lstsq(np.ones((0, 5, 3)), np.ones((5, 2)))[0].shape == (0, 3, 2)
    for driver in ("gelsd", "gelsy", "gels"):
        found = la.lstsq(np.ones((2, 0, 0)), np.ones((2, 0, 1)), driver=driver)
        assert [np.shape(x) for x in found] == [(2, 0, 1), (2, 0), (2,), (2, 0)]
    large = rng.standard_normal((2, 70, 66))
    x, left, rank, s = la.lstsq(large, np.ones(70))
    np.testing.assert_allclose(x[1], np.linalg.lstsq(large[1], np.ones(70))[0], atol=1e-10)
    assert (left.shape, rank.tolist(), s.shape) == ((2, 1), [66, 66], (2, 66))
    deficient = np.stack([np.diag([1.0, 1e-3, 1e-9]), np.eye(3)])
    assert la.lstsq(deficient, np.ones(3), rcond=1e-6)[2].tolist() == [2, 3]
    assert la.lstsq(deficient, np.ones(3), rcond=[1e-2, -1])[2].tolist() == [1, 3]
    assert la.lstsq(deficient, np.ones(3))[1].shape == (2, 0)
    deficient[0, 2, 2] = 1e-20
    assert la.lstsq(deficient, np.ones(3), rcond=-1)[2].tolist() == [2, 3]
    assert la.lstsq(deficient, np.ones(3), rcond=0)[2].tolist() == [3, 3]
    tall = np.tile(np.eye(5, 3) * [1, 1, 4 * np.finfo("d").eps], (4, 1, 1))  # as good as zero of 5 rows, not of 3
    assert la.lstsq(tall, np.ones((5, 2)))[2].tolist() == [2] * 4


def test_lstsq_of_one_matrix_and_of_what_others_bring(rng, monkeypatch):
    a, b = rng.standard_normal((5, 3)), rng.standard_normal((4, 5, 2))
    expected = [np.linalg.lstsq(a, right) for right in b]
    for refused in (False, True):  # as where there is no compiler
        found = la.lstsq(a, b)
        for part, some in zip(found, zip(*expected, strict=True), strict=True):
            np.testing.assert_allclose(part, some, rtol=1e-9)
        monkeypatch.setitem(DRIVERS, "gelsd", refuses)
        assert not refused or refuses.calls

    class Other:
        def __array_function__(self, function, types, arguments, named):
            return function, arguments

    other = Other()
    assert la.lstsq(other, b) == (np.linalg.lstsq, (other, b, None))
    assert la.lstsq(a, other) == (np.linalg.lstsq, (a, other, None))


def refuses(*_):
    refuses.calls += 1
    raise JitDisabledError


refuses.calls = 0


@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        ((np.ones((2, 3, 3)), np.ones(4)), {}, r"^Incompatible dimensions: a is \(2, 3, 3\), b is \(4,\)"),
        ((np.ones(3), np.ones((2, 3, 1))), {}, r"^Incompatible dimensions: a is \(3,\), b is \(2, 3, 1\)"),
        ((np.ones((2, 3, 3)), np.ones(())), {}, r"^Incompatible dimensions: a is \(2, 3, 3\), b is \(\)"),
        (
            (np.ones((2, 3, 3)), np.ones(3)),
            {"driver": "gelss"},
            "^driver = 'gelss': expected one of gelsd, gelsy, gels",
        ),
    ],
)
def test_refusals(arguments, named, message):
    with pytest.raises((np.linalg.LinAlgError, ValueError), match=message):
        la.lstsq(*arguments, **named)


def test_q_of_pivoted_factors_is_that_of_others():
    a = random(np.random.default_rng(5), (3, 4, 4), "complex128")
    qr, order, tau = bb.geqp3(a, overwrite=False)
    q = reflections(qr, tau[..., None])
    columns = np.take_along_axis(a, order.astype(int)[:, None] - 1, 2)
    np.testing.assert_allclose((q @ np.triu(wide(qr))).astype(complex), columns, atol=1e-13)
