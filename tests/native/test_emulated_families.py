"""Every family of CUDA kernels in the emulator, under all that watches: races, waits and memory, and what compilers'
sanitizers find. ``--full-grid`` tries all there are, which takes an hour; else a few.
"""

from __future__ import annotations

import pytest
from support import contract, emulator
from support.cases import Case
from support.emulated_calls import Emulated
from support.emulator import ORDERS
from support.families import everything

WATCHED = ("checks", "address", "thread")
FEW = [
    (Case("posv", "float64", {"n": 5, "nrhs": 3}, 127, {"uplo": "L"}, {}, ("st",), ("C",)), (8, 32), "address"),
    (Case("getrf", "float64", {"m": 9, "n": 7}, 5, {}), (64, 64), "thread"),
    (Case("geqp3", "float64", {"m": 4, "n": 3}, 33, {}, {}, ("bi",)), (), "address"),
]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    every = [(case, (), watched) for watched in WATCHED for case in everything()]
    some = every if metafunc.config.getoption("--full-grid") else FEW
    names = [f"{watched}-{case.op}-{case.dtype}-{case.layouts[0]}-{case.sizes}" for case, _, watched in some]
    metafunc.parametrize(("turn", "case", "team", "watched"), [(i, *one) for i, one in enumerate(some)], ids=names)


def test_nothing_is_found(turn: int, case: Case, team: tuple[int, ...], watched: str) -> None:
    if watched != "checks" and not emulator.works(watched):
        pytest.skip(f"the {watched} sanitizer does not work here")
    contract.check(case, Emulated(watched, team, order=ORDERS[turn % 3], last_block_first=turn % 2 == 1))
