"""Taylor polynomials of exp, and characteristic polynomials from traces of powers."""

from __future__ import annotations

from math import factorial

import numpy as np
import pytest

from bblas_gen.codegen.taylor import REACH, characteristic, taylor_coefficients
from bblas_gen.ir.terms import PRECISIONS


@pytest.mark.parametrize(("letter", "degree"), [("s", 19), ("d", 28)])
def test_what_is_left_out_is_nothing_to_rounding(letter, degree):
    real = PRECISIONS[letter].compute
    found = [float.fromhex(c) for c in taylor_coefficients(real)]
    assert found == [1 / factorial(k) for k in range(degree + 1)]
    left = [REACH**k / factorial(k) for k in (degree, degree + 1)]
    assert left[1] < real.eps / 20 <= left[0]


@pytest.mark.parametrize("traceless", [True, False])
@pytest.mark.parametrize("n", range(1, 9))
def test_newton_s_identities(n, traceless, rng):
    """The steps, done with numbers, lead to the coefficients that NumPy finds from the eigenvalues."""
    a = rng.standard_normal((n, n))
    a -= np.eye(n) * a.trace() / n * traceless
    known = characteristic(n, traceless=traceless)
    powers = {k: np.linalg.matrix_power(a, k) for k in known.powers}
    traces = {k: x.trace() for k, x in powers.items()}
    for k in known.sums:
        i, j = known.halves(k)
        traces[k] = (powers[i] * powers[j].T).sum()
    found = {}
    for k in known.numbers:
        found[k] = (traces[k] - sum(found[i] * traces[j] for i, j in known.pairs(k))) / k
    expected = -np.poly(a)
    for k in range(1, n + 1):
        assert found.get(k, 0) == pytest.approx(expected[k], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("n", range(1, 9))
def test_a_step_of_horner_s_rule_is_times_x(n, rng):
    """Modulo a polynomial: at its roots both sides are the same."""
    known = characteristic(n, traceless=False)
    a, g = rng.standard_normal(n), rng.standard_normal(n)
    x = np.roots([1, *-a])
    after = [(g[below] if below >= 0 else 0) + (a[k - 1] * g[-1] if k else 0) for _, below, k in known.step()]
    assert np.allclose(np.polyval(after, x), x * np.polyval(g[::-1], x))
    assert sorted(k + len(known.powers) for _, k in known.high) == [k for k, _ in known.high]
