"""Every family of CUDA kernels in the emulator, under all that watches: races, waits and memory, and what compilers'
sanitizers find. ``--full-grid`` tries all there are, which takes an hour; else a few.
"""

from __future__ import annotations

import pytest
from support import contract, emulator
from support.cases import TRIED, Case, complexes, dtypes, letters, run
from support.emulated_calls import Emulated
from support.emulator import ORDERS, Device
from support.families import everything

from bblas_gen.ir.operation import Operation

WATCHED = ("checks", "address", "thread")
FEW = [
    (Case("posv", "float64", {"n": 5, "nrhs": 3}, 127, {"uplo": "L"}, {}, ("st",), ("C",)), (8, 32), "address"),
    (Case("getrf", "float64", {"m": 9, "n": 7}, 5, {}), (64, 64), "thread"),
    (Case("geqp3", "float64", {"m": 4, "n": 3}, 33, {}, {}, ("bi",)), (), "address"),
]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "watched" not in metafunc.fixturenames:
        return
    every = [(case, (), watched) for watched in WATCHED for case in everything()]
    some = every if metafunc.config.getoption("--full-grid") else FEW
    names = [f"{watched}-{case.op}-{case.dtype}-{case.layouts[0]}-{case.sizes}" for case, _, watched in some]
    metafunc.parametrize(("turn", "case", "team", "watched"), [(i, *one) for i, one in enumerate(some)], ids=names)


def test_nothing_is_found(turn: int, case: Case, team: tuple[int, ...], watched: str) -> None:
    if watched != "checks" and not emulator.works(watched):
        pytest.skip(f"the {watched} sanitizer does not work here")
    contract.check(case, Emulated(watched, team, order=ORDERS[turn % 3], last_block_first=turn % 2 == 1))


@pytest.mark.thorough
@pytest.mark.parametrize("layout", ["bi", "st"])
@pytest.mark.parametrize("row", [row for row in TRIED if not row.hidden], ids=lambda row: row.name)
def test_bytes_are_those_that_must_move(row: Operation, layout: str) -> None:
    """Of more matrices than a multiprocessor does at a time, beyond its caches, in whole sectors."""
    dtype = "float64" if "float64" in dtypes(row) else dtypes(row)[0]
    flags = {flag: letters(row, flag)[0] for flag in row.flags}
    sizes = {name: 2 if name == "nrhs" else 16 for name in row.sizes}
    scalars = complexes(row, dtype, (0.75, -1.5)[: len(row.scalars)])
    case, choice = Case(row.name, dtype, sizes, 128, flags, scalars, (layout,)), Emulated("checks", trace=Device())
    run(case, case.make(), choice=choice)
    assert choice.traffic.moved_bytes <= 1.05 * choice.traffic.needed_bytes
