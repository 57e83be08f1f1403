"""What kernels move on a GPU, as it was traced last (``support.traffic``): hardly more than they have to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support import paper_bytes, traffic

from bblas_gen.bench.gpu.contest import family_of
from bblas_gen.bench.gpu.figures import PAPER_NAMES, PAPER_OPS
from bblas_gen.bench.gpu.problem import GpuProblem
from bblas_gen.ir.program import Program
from bblas_gen.schedule import gpu


def rows_of(name: str) -> list[dict[str, Any]]:
    path = Path(__file__).parents[2] / "docs/benchmarks" / name
    rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["rows"]
    return rows


ROWS = rows_of("cuda-traffic.json")
SHARES = 12


def test_kernels_move_what_they_have_to() -> None:
    """Threads alone and teams; of exceptions none is without need."""
    assert not [fault for row in ROWS for fault in traffic.faults(row)]
    for what in ("moved", "asked"):
        known = traffic.excepted(what)
        assert known == {x["op"] for x in ROWS if x["op"] in known and x[what] > traffic.MOST * x["needed"]}


def test_all_operations_were_traced_as_they_are_done_now() -> None:
    """And their variants; in all precisions and layouts."""
    cases = traffic.cases()
    assert sorted(map(traffic.where, ROWS)) == sorted(one.where for one in cases)
    now = {one.where: family_of(one.schedule) for one in cases if one.n == 8}
    assert {traffic.where(x): x["family"] for x in ROWS if x["n"] == 8} == now


def test_the_kernels_of_the_papers_figure_are_done_as_they_are_now() -> None:
    rows = rows_of("cuda-bytes.json")
    assert len(rows) == len(paper_bytes.SIZES) * len(PAPER_OPS) * len(PAPER_NAMES)
    for row in rows:
        problem = GpuProblem.of(row["op"], row["dtype"], row["n"], paper_bytes.BATCH)
        assert row["family"] == family_of(gpu.choose(Program.of(problem.kernel(row["contender"]))))


@pytest.mark.parametrize("share", range(SHARES))
def test_texts_are_those_that_were_traced(share: int, request: pytest.FixtureRequest) -> None:
    """Of a share of them; of all with ``--thorough``."""
    if share and not request.config.getoption("--thorough"):
        pytest.skip("takes long: --thorough")
    known = {traffic.where(x): x["text"] for x in ROWS}
    assert not [one.where for one in traffic.cases()[share::SHARES] if one.text != known[one.where]]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, 0),
        ({"moved": 2100}, 1),
        ({"asked": 2100}, 1),
        ({"asked": 2100, "family": "W"}, 0),
        ({"asked": 2100, "layout": "st"}, 0),
        ({"asked": 2100, "op": "trsmk"}, 0),
        ({"moved": 2100, "op": "trsmk"}, 1),
    ],
)
def test_more_is_a_fault(changed: dict[str, Any], said: int) -> None:
    """Where the operation is no exception; of shared memory only what moves counts."""
    row = {
        "op": "gemm",
        "dtype": "float64",
        "n": 8,
        "layout": "bi",
        "family": "T",
        "asked": 2048,
        "moved": 2048,
        "needed": 1980,
    }
    assert len(list(traffic.faults(row | changed))) == said
