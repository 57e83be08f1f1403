"""Cholesky factors, triangular solves and inverses by teams of a GPU's threads, emulated: every access is checked."""

from __future__ import annotations

import numpy as np
import pytest
from support import contract
from support.cases import Case, run
from support.emulated_calls import Emulated
from support.emulator import Device
from support.layouts import bits

WARP, BLOCK = (8, 32), (64,)
CASES = [
    (Case("potrf", "float32", {"n": 1}, 127, {"uplo": "L"}), WARP),
    (Case("potrf", "complex64", {"n": 8}, 1, {"uplo": "U"}, {}, ("pp",)), WARP),
    (Case("potrf", "float64", {"n": 17}, 33, {"uplo": "L"}, {}, ("ld",)), (16, 32)),
    (Case("potrf", "float64", {"n": 66}, 2, {"uplo": "U"}, {}, ("st",), ("F",)), BLOCK),
    (Case("posv", "complex128", {"n": 9, "nrhs": 2}, 5, {"uplo": "U"}), WARP),
    (Case("potrs", "float32", {"n": 7, "nrhs": 1}, 127, {"uplo": "L"}, {}, ("st",), ("F",)), (4, 32)),
    (Case("trtri", "float64", {"n": 18}, 5, {"uplo": "U", "diag": "U"}), WARP),
    (Case("potri", "complex128", {"n": 9}, 33, {"uplo": "L"}), WARP),
    (Case("potri", "float64", {"n": 47}, 2, {"uplo": "U"}), BLOCK),
    (
        Case(
            "trsm",
            "complex64",
            {"m": 3, "n": 9},
            5,
            {"side": "R", "uplo": "L", "transa": "C", "diag": "N"},
            {"alpha": 0.5j},
        ),
        WARP,
    ),
    (
        Case(
            "trsm",
            "float64",
            {"m": 18, "n": 1},
            33,
            {"side": "L", "uplo": "U", "transa": "N", "diag": "U"},
            {"alpha": 0},
        ),
        WARP,
    ),
]
"""Sizes about those of panels and teams, lanes with one line, several and none."""


@pytest.mark.parametrize(
    ("turn", "case", "team"), [(i, *case) for i, case in enumerate(CASES)], ids=lambda x: getattr(x, "op", None)
)
def test_a_team_keeps_to_the_contract(turn, case, team):
    """Threads take turns in several orders. What they move is what must, in whole sectors."""
    order = ("forward", "reverse", 7)[turn % 3]
    choice = Emulated("checks", team, order=order, last_block_first=turn % 2 == 1, trace=Device())
    contract.check(case, choice)
    choice.check_traffic()


@pytest.mark.parametrize("order", ["forward", "reverse", 7])
def test_a_team_reports_a_matrix_that_fails(order):
    """And leaves its right-hand sides; teams beside it in the warp go on."""
    case = Case("posv", "float64", {"n": 9, "nrhs": 1}, 7, {"uplo": "L"})
    operands = case.make()
    operands["A"][1, 8, 8], operands["A"][3, 0, 0], operands["A"][6, 5, 5] = -1e3, np.nan, 0
    found = run(case, operands, choice=Emulated("checks", WARP, order=order))
    np.testing.assert_array_equal(found.info, [0, 9, 0, 1, 0, 0, 6])
    failed = found.info != 0
    np.testing.assert_array_equal(found.after["B"][failed], operands["B"][failed])
    lower = np.tril(operands["A"])
    full = lower + np.tril(lower, -1).swapaxes(1, 2)
    residual = full @ found.after["B"] - operands["B"]
    np.testing.assert_allclose(residual[~failed], 0, atol=1e-11)


def test_a_team_leaves_a_singular_matrix_as_it_is():
    case = Case("potri", "float64", {"n": 9}, 5, {"uplo": "L"})
    operands = case.make()
    operands["A"][3, 6, 6] = 0
    found = run(case, operands, choice=Emulated("checks", WARP))
    np.testing.assert_array_equal(found.info, [0, 0, 0, 7, 0])
    np.testing.assert_array_equal(found.after["A"][3], operands["A"][3])


@pytest.mark.parametrize(("op", "dtype"), [("potrf", "complex64"), ("posv", "float64"), ("potri", "complex128")])
def test_a_team_has_the_bits_of_a_thread(op, dtype):
    sizes = {"n": 6} | ({"nrhs": 1} if op == "posv" else {})
    case = Case(op, dtype, sizes, 8, {"uplo": "U"}, {}, ("bi",))
    operands = case.make()
    team, thread = (run(case, operands, choice=Emulated("", lanes)).after for lanes in ((4, 32), ()))
    for name in team:
        assert bits(team[name]) == bits(thread[name])
