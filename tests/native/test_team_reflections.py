"""CUDA kernels of teams that reflect and rotate, emulated: one lane alone would find the same bits."""

from __future__ import annotations

import numpy as np
import pytest
from support.cases import Case, run
from support.emulated_calls import Emulated
from support.layouts import bits

TEAM = (8, 32)
CASES = [
    Case("geqp3", "complex64", {"m": 9, "n": 10}, 3, {}),
    Case("gels", "float64", {"m": 6, "n": 9, "nrhs": 6}, 3, {"trans": "N"}),
    Case("syev", "complex128", {"n": 11}, 3, {"jobz": "V", "uplo": "U"}),
    Case("gesvd", "complex64", {"m": 7, "n": 10}, 3, {}),
    Case("geqrf", "float64", {"m": 11, "n": 9}, 4, {}),
    Case("orgqr", "complex64", {"m": 9, "n": 9, "k": 7}, 3, {}),
    Case("syev", "float64", {"n": 9}, 3, {"jobz": "N", "uplo": "L"}),
    Case("gesvd", "float64", {"m": 12, "n": 8}, 4, {}),
    Case("gesvd", "float64", {"m": 18, "n": 3}, 3, {}),
    Case("gesvdvals", "float64", {"m": 9, "n": 9}, 3, {}),
    Case("gesvdvals", "complex64", {"m": 3, "n": 11}, 3, {}),
    Case("sygv", "complex128", {"n": 10}, 3, {"itype": "1", "jobz": "V", "uplo": "L"}),
    Case("sygv", "complex64", {"n": 11}, 3, {"itype": "3", "jobz": "N", "uplo": "U"}),
]


THOROUGH = [pytest.param(case, marks=pytest.mark.thorough) for case in CASES[4:]]


@pytest.mark.parametrize("case", [*CASES[:4], *THOROUGH], ids=lambda case: f"{case.op}-{case.dtype}")
def test_a_team_has_the_bits_of_a_thread(case):
    """Of columns whose squares overflow or vanish, too."""
    operands = case.make()
    scales = np.array([1, 1e25, 1e-25]) if case.dtype == "complex64" else np.array([1, 1e200, 1e-200])
    with np.errstate(invalid="ignore"):  # nobody reads the other triangle
        operands["A"] *= scales[np.arange(case.batch) % 3, None, None].astype(operands["A"].real.dtype)
    team, thread = (run(case, operands, choice=Emulated("", lanes)) for lanes in (TEAM, ()))
    for name in team.after:
        assert bits(team.after[name]) == bits(thread.after[name])
    np.testing.assert_array_equal(team.info, thread.info)


def test_matrices_that_need_no_rotation_or_have_no_values():
    """No lane is ahead of others where there are no steps between. NaN stays in its matrix."""
    n = 9
    case = Case("syev", "float64", {"n": n}, 4, {"jobz": "V", "uplo": "L"})
    operands = case.make()
    operands["A"][:] = np.diag(np.arange(n, 0.0, -1))
    operands["A"][1] = np.eye(n)
    operands["A"][2, 3, 1] = np.nan
    found = run(case, operands, choice=Emulated("checks", TEAM))
    np.testing.assert_array_equal(found.info, [0, 0, 1, 0])
    vectors, values = found.after["A"], found.after["W"][..., 0]
    for i in (0, 1, 3):
        np.testing.assert_array_equal(operands["A"][i] @ vectors[i], vectors[i] * values[i])
    assert np.isnan(values[2]).all()
    assert np.isnan(vectors[2]).all()
