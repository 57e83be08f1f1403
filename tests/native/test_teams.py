"""CUDA kernels in which a team of threads does a matrix, emulated: every access is checked."""

from __future__ import annotations

import pytest
from support import contract
from support.cases import Case
from support.emulated_calls import Emulated

CASES = [
    (Case("potrf", "float64", {"n": 5}, 33, {"uplo": "L"}), (8, 32)),
    (
        Case(
            "gemm",
            "float32",
            {"m": 6, "n": 5, "k": 3},
            17,
            {"transa": "N", "transb": "T"},
            {"alpha": 2, "beta": 1},
            ("ld", "st", "pp"),
            ("C", "F"),
        ),
        (8, 64),
    ),
]


@pytest.mark.parametrize(("turn", "case", "team"), [(i, *case) for i, case in enumerate(CASES)], ids=str)
def test_a_team_keeps_to_the_contract(turn, case, team):
    """Threads take turns in several orders."""
    order = ("forward", "reverse", 7)[turn % 3]
    contract.check(case, Emulated("checks", team, order=order, last_block_first=turn % 2 == 1))
