"""QR by reflections: LAPACK's factors, columns as large and small as there are, and what users hand over and get."""

from __future__ import annotations

import numpy as np
import pytest
from support.extended import DTYPES, adjoint, random
from support.qr_oracles import ORACLES, reflections

import bblas_gen as bb

NAN = float("nan")


def matrices(m, n, dtype="float64", batch=11):
    return random(np.random.default_rng(m * n), (batch, m, n), dtype)


def checked(a, qr, tau):
    """How far the factors are from those of a correct factorization; raises where Q is not unitary."""
    return ORACLES["geqrf"].error({"A": a}, {"A": qr, "TAU": tau[..., None]}, {}, {})


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("m", "n"), [(6, 4), (4, 6)])
def test_factors_are_those_of_lapack(m, n, dtype):
    a = matrices(m, n, dtype)
    qr, tau = bb.geqrf(a.copy())
    for one, factor, found in zip(a, qr, tau, strict=True):
        h, expected = np.linalg.qr(one, mode="raw")
        eps = 200 * np.finfo(dtype).eps
        np.testing.assert_allclose(factor, h.T, rtol=eps, atol=eps)
        np.testing.assert_allclose(found, expected, rtol=eps, atol=eps)


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_matrices_of_any_size_have_the_factors_of_others_and_neighbours_keep_their_bits(dtype):
    a, info = matrices(6, 4, dtype), np.finfo(dtype)
    powers = np.array([info.maxexp - 8, info.maxexp // 2, info.minexp // 2, info.minexp + 2 * info.nmant])
    scales = np.ldexp(np.ones(4, info.dtype), powers)[:, None, None]
    qr, tau = bb.geqrf(a.copy())
    scaled = a.copy()
    scaled[1:9:2] *= scales
    found, factors = bb.geqrf(scaled)
    assert found[::2].tobytes() == qr[::2].tobytes()
    assert factors[::2].tobytes() == tau[::2].tobytes()
    upper = np.triu(np.ones((6, 4), bool))
    found[1:9:2] /= np.where(upper, scales, 1)
    np.testing.assert_allclose(found, qr, rtol=1000 * info.eps)
    np.testing.assert_allclose(factors, tau, rtol=1000 * info.eps)


def test_subnormal_columns_keep_their_norms():
    a = matrices(6, 4) * 2.0**-1060
    qr, _ = bb.geqrf(a.copy())
    norms = np.sqrt((np.longdouble(a[:, :, 0]) ** 2).sum(axis=1))
    assert (np.abs(np.abs(qr[:, 0, 0]) - norms) <= 2.0**-1073).all()


@pytest.mark.parametrize("m", [1, 5])
def test_zeros_need_no_reflection(m):
    qr, tau = bb.geqrf(np.zeros((3, m, 3)))
    assert not qr.any()
    assert not tau.any()


def test_nan_and_inf_stay_with_their_matrix():
    a = matrices(5, 5)
    qr, tau = bb.geqrf(a.copy())
    a[3, 4, 0], a[5, 0, 2] = NAN, np.inf
    spoiled, factors = bb.geqrf(a)
    assert np.isnan(spoiled[[3, 5]]).any(axis=(1, 2)).all()
    others = np.setdiff1d(range(11), [3, 5])
    assert spoiled[others].tobytes() == qr[others].tobytes()
    assert factors[others].tobytes() == tau[others].tobytes()


@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_all_of_q_is_made_and_multiplied_with(dtype):
    a = matrices(6, 4, dtype)
    qr, tau = bb.geqrf(a.copy())
    whole = np.zeros((11, 6, 6), dtype)
    whole[:, :, :4] = qr
    q = bb.orgqr(whole, tau)
    eps = 100 * np.finfo(dtype).eps
    np.testing.assert_allclose(q @ np.triu(qr), a, atol=eps)
    np.testing.assert_allclose(q, reflections(qr, tau[..., None]), atol=eps)
    np.testing.assert_allclose(bb.orgqr(qr.copy(), tau), q[:, :, :4], atol=eps)
    eye = np.tile(np.eye(6, dtype=dtype), (11, 1, 1))
    np.testing.assert_allclose(bb.ormqr(qr, tau, eye, side="R", trans="C"), adjoint(q), atol=eps)


def test_tau_may_be_given_or_left_out_and_operands_may_be_kept():
    a, tau = matrices(6, 4), np.empty((11, 4))
    qr, made = bb.geqrf(a, overwrite=False)
    assert bb.geqrf(a.copy(), tau)[1] is tau
    assert tau.tobytes() == made.tobytes()
    out = np.empty_like(a)
    assert bb.geqrf(a, out=out)[0] is out
    assert out.tobytes() == qr.tobytes()
    one, factors = bb.geqrf(a[0].copy())
    assert one.shape == (6, 4)
    assert factors.tobytes() == tau[0].tobytes()
    assert bb.geqrf(a, tau, overwrite=False)[1] is tau


def test_lists_of_any_shapes():
    several = [matrices(m, n, batch=1)[0] for m, n in ((6, 4), (4, 6), (6, 4), (1, 1))]
    found, taus = bb.geqrf([x.copy() for x in several])
    for a, qr, tau in zip(several, found, taus, strict=True):
        assert checked(a[None], qr[None], np.asarray(tau)[None]) < 30


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda a, t: bb.geqrf(a, t[:, :2]), "tau has 2 rows"),
        (lambda a, t: bb.ormqr(a, t, a[:, :3]), "c has 3 rows"),
        (lambda a, t: bb.ormqr(a, t[:, :3], a), "tau has 3 rows"),
        (lambda a, t: bb.geqrf(np.broadcast_to(1.0, a.shape)), "a is read-only"),
        (lambda a, t: bb.orgqr(a, a[:, 0]), "overlaps"),
    ],
)
def test_refusals_name_the_argument(call, message):
    with pytest.raises(ValueError, match=message):
        call(matrices(6, 4), np.ones((11, 4)))
