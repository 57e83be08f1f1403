"""LU in CUDA kernels in which a team of threads does a matrix, emulated: every access is checked."""

from __future__ import annotations

import numpy as np
import pytest
from support import contract
from support.cases import Case, run
from support.emulated_calls import Emulated
from support.emulator import Device

CASES = [
    (Case("getrf", "float64", {"m": 5, "n": 7}, 127, {}, {}, ("st",), ("F",)), (8, 32)),
    (Case("getrf", "complex64", {"m": 9, "n": 4}, 17, {}, {}, ("rs",)), (8, 64)),
    (Case("getrf", "complex128", {"m": 17, "n": 9}, 1, {}, {}, ("st",), ("C",)), (8, 64)),
    (Case("getrf", "float32", {"m": 35, "n": 33}, 2, {}, {}, ("ld",)), (64, 64)),
    (Case("getrf", "float64", {"m": 1, "n": 1}, 33, {}, {}, ("bi",)), (8, 32)),
    (Case("getrfnp", "float64", {"m": 18, "n": 20}, 5, {}, {}, ("pp",)), (8, 32)),
    (Case("gesv", "float32", {"n": 9, "nrhs": 2}, 5, {}, {}, ("pp",), ("F",)), (16, 32)),
    (Case("gesvnp", "complex128", {"n": 3, "nrhs": 1}, 9, {}, {}, ("st",), ("C",)), (8, 32)),
    (Case("getrs", "float64", {"n": 9, "nrhs": 5}, 3, {"trans": "T"}, {}, ("rs",)), (8, 32)),
    (Case("getri", "complex64", {"n": 9}, 3, {}, {}, ("st",), ("C",)), (8, 16)),
]
"""One panel and several, whole and partly filled; rows that no lane has, one and two for each; one warp and two."""


@pytest.mark.parametrize(
    ("turn", "case", "team"), [(i, *case) for i, case in enumerate(CASES)], ids=lambda x: getattr(x, "op", "")
)
def test_a_team_keeps_to_the_contract(turn, case, team):
    """Threads take turns in several orders. What they move is what must, in whole sectors."""
    order = ("forward", "reverse", 7)[turn % 3]
    choice = Emulated("checks", team, order=order, last_block_first=turn % 2 == 1, trace=Device())
    contract.check(case, choice)
    choice.check_traffic()


def awkward(m, n, dtype):
    """Matrices with several elements of one size, zeros, elements that are no numbers, and tiny ones."""
    rng = np.random.default_rng(1)
    parts = rng.integers(-1, 2, (2, 8, m, n))
    a = (parts[0] + 1j * parts[1] if np.dtype(dtype).kind == "c" else parts[0]).astype(dtype)
    tiny = np.finfo(dtype).tiny
    a[1] = 0
    a[2, :, 2] = 0
    a[3, 2:, 1] = np.nan
    a[4, 0, 0] = np.nan
    a[5, 4, 0] = np.inf
    a[6] = tiny * rng.standard_normal((m, n))
    a[7, :, 0] = 0
    a[7, 3, 0] = tiny / 16
    return a


@pytest.mark.parametrize(
    ("case", "team"),
    [
        (CASES[0][0], (8, 32)),
        (CASES[1][0], (8, 64)),
        (Case("getrf", "float64", {"m": 40, "n": 3}, 8, {}, {}, ("st",), ("F",)), (64, 64)),
    ],
    ids=lambda x: getattr(x, "dtype", ""),
)
def test_pivots_are_those_of_a_thread_alone(case, team):
    """As all bits are, whichever rows hold what is as large, or is no number."""
    case = Case(case.op, case.dtype, case.sizes, 8, {}, {}, case.layouts, case.orders)
    operands = {"A": awkward(*case.sizes.values(), case.dtype), "IPIV": case.make()["IPIV"]}
    alone, shared = (run(case, operands, choice=Emulated("checks", lanes)) for lanes in ((), team))
    np.testing.assert_array_equal(shared.info, alone.info)
    assert shared.info[1] == 1
    for name in operands:
        np.testing.assert_array_equal(shared.after[name], alone.after[name])


def test_a_singular_matrix_keeps_its_right_hand_sides():
    case, team = CASES[6]
    operands = case.make()
    operands["A"][3, :, 4] = 0
    found = run(case, operands, choice=Emulated("checks", team, order="reverse"))
    np.testing.assert_array_equal(found.info, [0, 0, 0, 5, 0])
    np.testing.assert_array_equal(found.after["B"][3], operands["B"][3])
    assert (found.after["B"][:3] != operands["B"][:3]).all()
