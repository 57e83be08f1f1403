"""Rules of derivatives: a loss changes with its operands as their cotangents say, compared with differences."""

from __future__ import annotations

import numpy as np
import pytest

from bblas_gen.linalg import vjp

SHAPE, N = (2, 5), 3
STEP = 1e-6


@pytest.fixture(params=[False, True], ids=["real", "complex"])
def random(request, rng):
    def draw(*core):
        x = rng.standard_normal(SHAPE + core)
        return x + 1j * rng.standard_normal(x.shape) if request.param else x

    return draw


def adjoint(x):
    return x.conj().swapaxes(-1, -2)


def inner(cotangent, change):
    return (np.conj(cotangent) * change).sum().real


def check(function, operand, direction, cotangent, found):
    """``found`` is the cotangent of the operand, where that of the function's result is ``cotangent``."""
    ahead, behind = function(operand + STEP * direction), function(operand - STEP * direction)
    expected = inner(cotangent, (ahead - behind) / (2 * STEP))
    assert found.shape == operand.shape
    assert inner(found, direction) == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_solve(random):
    a, b = random(N, N) + 3 * np.eye(N), random(N, 2)
    x, cotangent = np.linalg.solve(a, b), random(N, 2)
    of_a, of_b = vjp.solve(a, x, cotangent)
    check(lambda a: np.linalg.solve(a, b), a, random(N, N), cotangent, of_a)
    check(lambda b: np.linalg.solve(a, b), b, random(N, 2), cotangent, of_b)


def test_inverses_and_determinants(random):
    a, direction, cotangent = random(N, N) + 3 * np.eye(N), random(N, N), random(N, N)
    of_det, of_log = random(), random().real
    check(np.linalg.inv, a, direction, cotangent, vjp.inv(np.linalg.inv(a), cotangent))
    check(np.linalg.det, a, direction, of_det, vjp.det(a, np.linalg.det(a), of_det))
    check(lambda a: np.linalg.slogdet(a)[1], a, direction, of_log, vjp.slogdet(a, of_log))


@pytest.mark.parametrize("upper", [False, True])
def test_cholesky(random, upper):
    a, direction, cotangent = random(N, N), random(N, N), random(N, N)
    a, direction = a @ adjoint(a), direction + adjoint(direction)

    def factor(a):
        found = np.linalg.cholesky(a)
        return adjoint(found) if upper else found

    found = vjp.cholesky(factor(a), cotangent, upper=upper)
    check(factor, a, direction, cotangent, found)
    np.testing.assert_allclose(found, adjoint(found), atol=1e-12 * abs(found).max())


def test_eigh(random):
    """Of values, and of quadratic forms of vectors: signs and phases of vectors are nobody's."""
    a, direction, form = random(N, N), random(N, N), random(N, N)
    a, direction, form = a @ adjoint(a), direction + adjoint(direction), form + adjoint(form)
    of_values, of_forms = random(N).real, random(N).real

    def values_and_forms(a):
        w, v = np.linalg.eigh(a)
        return np.stack([w, (v.conj() * (form @ v)).sum(axis=-2).real])

    w, v = np.linalg.eigh(a)
    found = vjp.eigh(w, v, of_values, 2 * (form @ v) * of_forms[..., None, :])
    check(values_and_forms, a, direction, np.stack([of_values, of_forms]), found)
    np.testing.assert_allclose(found, adjoint(found), atol=1e-10 * abs(found).max())


def test_what_is_empty_and_singular():
    nothing, none = np.zeros((0, N, N)), np.zeros((4, 0, 0))
    assert vjp.inv(nothing, nothing).shape == nothing.shape
    assert vjp.det(none, np.ones(4), np.ones(4)).shape == none.shape
    assert vjp.eigh(np.zeros((4, 0)), none, np.zeros((4, 0)), none).shape == none.shape
    stack = np.stack([np.eye(N), np.zeros((N, N))])
    found = vjp.slogdet(stack, np.ones(2))
    np.testing.assert_array_equal(found[0], np.eye(N))
    assert np.isnan(found[1]).all()


def test_single_precision_stays_and_others_are_refused():
    a = np.eye(N, dtype=np.float32)[None]
    assert vjp.inv(a, a).dtype == np.float32
    with pytest.raises(TypeError, match=r"x has dtype (float128|longdouble): expected float32"):
        vjp.inv(a.astype(np.longdouble), a)
    assert vjp.slogdet(a, np.ones(1, np.float32)).dtype == np.float32
    wide = np.ones((1, N, 2))
    calls = [(vjp.solve, np.eye(N)[None], wide, wide[:, :2]), (vjp.inv, a, a[0]), (vjp.cholesky, np.eye(N)[None], wide)]
    for call, *operands in calls:
        with pytest.raises(
            ValueError, match=r"^cotangent has shape \(.*\) beside .* \(1, 3, \d\).*: expected .* \(..., n, "
        ):
            call(*operands)


def test_values_may_be_integers_and_their_cotangents_have_a_real_part():
    """Of eigh: values are real, so nothing else of a cotangent of theirs counts."""
    values, vectors = np.array([1, 3]), np.eye(2)
    found = vjp.eigh(values, vectors, np.array([5 + 1j, 7 - 2j]), np.array([[0.0, 4.0], [0.0, 0.0]]))
    np.testing.assert_array_equal(found, [[5, 1], [1, 7]])
