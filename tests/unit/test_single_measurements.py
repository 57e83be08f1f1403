"""Benchmarks of single operands: which problems there are, what is asked of them, what is told of results."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from bblas_gen.bench import report
from bblas_gen.bench.asked import reached
from bblas_gen.bench.drawing import NothingToDraw
from bblas_gen.bench.single import cases, figures, rows, targets
from bblas_gen.bench.single.contenders import TOLERANCE
from bblas_gen.bench.single.operations import ROWS
from bblas_gen.bench.single.problem import Problem
from bblas_gen.ir.catalog import LISTED, OPS
from bblas_gen.ir.documentation import FUNCTIONS
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.schedule import blocked, recursive

WITHOUT_ROWS = {"trsv", "getrfnp", "getrsnp", "gesvnp", "getrinp"}
"""What is another operation with one right-hand side, or without its exchanges."""


def row(op, n, ratio=2.0, *, threads=1, part="products", spread=0.0, sizes=None, peer="MKL", **more):
    """A row of one ``peer``, which takes ``ratio`` times as long."""
    sizes = sizes or (n,) * len(OPS[op].sizes)
    problem = Problem(ROWS[op], "d", sizes)
    made = {
        "part": part,
        "op": op,
        "dtype": "d",
        "flags": "",
        "shape": problem.shape,
        "sizes": sizes,
        "threads": threads,
        "flops": problem.flops,
        "bytes": problem.bytes,
        "limit": 100.0,
        "seconds": {"ours": 1e-6, peer: ratio * 1e-6},
        "spread": {"ours": spread, peer: 0.0},
        "ratios": {peer: ratio},
    }
    return made | ({"over_one": {"ours": 1.9}} if threads > 1 else {}) | more


def of(found):
    return {
        "date": "2026-11-22T04:00:00+00:00",
        "command": "bblas-gen bench single",
        "machine": {"cpu": "a processor", "cores": 2, "simd_bytes": 64, "caches": {"l2": 1 << 20, "l3": 4_000_000}},
        "versions": {"compiler": "gcc"},
        "rows": found,
        "single": {"skipped": ["BLIS: not found", "MKL: does not do x"], "libraries": ["mkl 2026"]},
    }


def asked(found):
    return {line.what: (line.measured, line.reached) for line in targets.lines(of(found))}


@pytest.mark.parametrize("sizes", [cases.FULL, cases.QUICK])
def test_every_operation_has_cases_in_every_part(sizes):
    found = cases.cases(cases.PARTS, sizes)
    assert {case.part for case in found} == set(cases.PARTS)
    assert {case.problem.op for case in found} | {problem.op for problem, _ in cases.memory(sizes)} == set(ROWS)
    assert len({(case.problem.name, case.part) for case in found}) == len(found)
    products = [case.problem for case in found if case.part == "products"]
    assert {problem.precision for problem in products} == set("sdcz")
    assert any(min(problem.sizes) <= 32 < max(problem.sizes) for problem in products)
    assert {case.beside.op for case in found if case.beside} == {"gemm"}


def test_memory_is_measured_of_whatever_is_divided():
    """A new operation that kernels for any size do has a row here."""
    measured = {problem.op for problem, _ in cases.memory(cases.FULL)}
    for op in (x for x in LISTED if x.name in FUNCTIONS and x.name not in WITHOUT_ROWS):
        spec = KernelSpec.make(op, "d", **dict.fromkeys(op.sizes, 2048))
        assert (op.name in measured) >= (recursive.large(spec) or blocked.large(spec)), op.name


def test_who_stops_early_has_every_operation():
    """The middle of each range comes first, what lies next to one another last; of vectors the ends come early."""
    found = cases.cases(cases.PARTS, cases.FULL)
    turns = cases.in_turn(found)
    assert sorted(map(id, turns)) == sorted(map(id, found))
    early = turns[: len(turns) // 8]
    assert {case.problem.op for case in early} == {case.problem.op for case in found}
    assert {case.problem.precision for case in early} == set("sdcz")
    for op, more in (("dot", True), ("ger", True), ("potrf", False)):
        sides = [case.problem.sizes[0] for case in turns if case.problem.op == op]
        places, count = [sorted(sides).index(n) for n in sides], len(sides)
        quarters = [count // 4, (count + count // 2 + 1) // 2]
        assert places[0] == count // 2
        assert places[1:5] == [0, *quarters, count - 1] if more else places[1:3] == quarters, op


def test_the_whole_range_of_sizes():
    assert cases.FULL.vectors[0] == 2**5
    assert cases.FULL.vectors[-1] == 2**24
    assert any(n % 2 for n in cases.FULL.vectors)
    assert set(range(32, 4097)) >= set(cases.FULL.products["d"]) >= {32, 511, 4096}


def test_bytes_count_what_is_read_and_written_twice():
    assert Problem(ROWS["axpy"], "d", (10,)).bytes == 8 * 30
    assert Problem(ROWS["scal"], "s", (10,)).bytes == 4 * 20
    assert Problem(ROWS["dot"], "d", (10,)).bytes == 8 * 21
    assert Problem(ROWS["ger"], "d", (3, 4)).bytes == 8 * (3 + 4 + 2 * 12)
    assert Problem(ROWS["gemv"], "d", (3, 4), "T").shape == "3x4"


@pytest.mark.parametrize("op", list(ROWS))
def test_operands_that_nobody_worked_on_are_a_wrong_result(op):
    sizes = dict(zip(OPS[op].sizes, (6, 6, 6), strict=False))
    problem = Problem(ROWS[op], "d", tuple(sizes.values()))
    x = problem.operands()
    difference, scale = problem.row.wrong(problem, x, x)
    assert np.linalg.norm(difference) > TOLERANCE * problem.p.eps * scale
    for name, array in x.items():
        assert not array.ctypes.data % 64, name


def test_what_is_asked():
    found = asked(
        [
            row("gemm", 1024, 0.9, threads=2),
            row("gemm", 100, 1.5),
            row("gemm", 0, 3.0, sizes=(2, 500, 500)),
            row("trsm", 64, of_gemm=0.95, part="triangular"),
            row("trsm", 64, 1.1, sizes=(64, 8), part="triangular"),
            row("dot", 1000, 2.5, threads=2, peer="OpenBLAS", limit=16.0, part="vectors"),
            row("axpy", 1000, 9.0, spread=0.9, part="vectors"),
            row("axpy", 1024, 0.25, part="vectors"),
            {"part": "memory", "op": "gemm", "dtype": "d", "shape": "9", "threads": 2, "operands": 8,
             "beyond": {"ours": 4_000_001, "MKL": 9_000_000}},
        ]
    )  # fmt: skip
    assert found["gemm over the best peer, n >= 512"] == ("0.90", False)
    assert found["gemm over the best peer, n = 64 to 512"] == ("1.50", True)
    assert found["gemm over the best peer, a side of 32 or less"] == ("3.00", True)
    assert found["gemm, two threads over one, n >= 512"] == ("1.90", True)
    assert found["trmm, trsm: part of our gemm"] == ("0.95", True)
    assert found["trmm, trsm over the best peer, 32 right-hand sides or less"] == ("1.10", False)
    assert found["potrf over the best peer"] == ("", None)
    assert found["dot: part of the limit"] == ("1.00", True)
    assert found["nrm2: part of the limit"] == ("", None)
    assert found["dot over the best peer, geometric mean"] == ("2.50", True)
    assert found["dot over OpenBLAS, threads, where it is most"] == ("2.50", True)
    assert found["axpy over the best peer, geometric mean"] == ("0.25", False), "noise does not count"
    assert found["memory beyond the operands, a thread"] == ("2.0 MB", False)


def test_noise_decides_nothing_and_is_told():
    clean, noise = (
        row("scal", 64, ratio, spread=x, limit=1.024, part="vectors") for ratio, x in ((2.5, 0.0), (0.5, 0.9))
    )
    part, mean = "scal: part of the limit", "scal over the best peer, geometric mean"
    for some, what, cells in (
        ([noise], part, ["1.00 !", "dscal 64, 1 thread; 1 of 1 reach it", "noise"]),
        ([noise], mean, ["0.50 !", "1 sizes", "noise"]),
        ([clean, noise, noise], mean, ["2.50", "1 sizes; noise: 2 more", "yes"]),
        ([], mean, ["", "", "not measured"]),
    ):
        lines = targets.lines(of(some))
        assert next(line.cells[2:] for line in lines if line.what == what) == cells
        assert (" nothing but noise." in reached(lines)) == (some == [noise])


def test_sorted_speed_ups_rise_to_the_right():
    found = [row("scal", n, ratio, part="vectors") for n, ratio in ((32, 4.0), (64, 0.5), (128, 2.0))]
    (over,), (in_order,) = figures.over_range(found).panels, figures.in_order(found).panels
    assert "% of the sizes" in in_order
    assert "% of the sizes" not in over
    assert figures.over_range(found).says == (
        "We are 1.59 times as fast as the best peer of each size (geometric mean; 0.5 to 4); below 1 at dscal 64,"
        " threads = 1 (0.50)."
    )


def test_nothing_but_noise_has_no_speed_ups():
    with pytest.raises(NothingToDraw):
        figures.over_range([row("scal", n, spread=0.9, part="vectors") for n in (32, 64)])


def test_the_page_has_what_is_asked_every_operation_and_memory():
    found = [row("gemm", n, threads=count) for n in (32, 64) for count in (1, 2)]
    found += [row("potrf", 64, part="factorizations")]
    found += [{"part": "memory", "op": "gemm", "dtype": "d", "shape": "9", "threads": 1, "operands": 8 * 10**6,
               "beyond": {"ours": 1_500_000}}]  # fmt: skip
    page = report.page({"single.json": of(found)})
    for title in ("asked and measured", "gemm, C := op(A) op(B)", "potrf, A = L L*", "memory of a call"):
        assert f"Single operands: {title}</h2>" in page
    for text in ("Not here: BLIS: not found", "1.50", "not measured", "We reach", "Libraries: mkl 2026."):
        assert text in page
    assert "does not do x" not in page
    assert page.count("<details open>") == 1
    assert page.count("<figure>") == 2, "one size has no figure"


def test_noise_has_a_mark():
    head, line = rows.table([row("dot", 64, spread=0.9, part="vectors")])
    assert line[head.index("ours")].endswith(" !")
    assert line[head.index("x best peer")] == "2.00 MKL"
    head, line = rows.brief([row("posv", 64, sizes=(64, 1), threads=2)])
    assert len(head) == len(line)
    assert line[head.index("x one thread")] == "1.90"
    assert rows.form(row("trsm", 64, sizes=(64, 8))) == "n x 8"


def test_bars_are_of_the_order_that_is_nearest():
    """Of each operation one size; neither flags nor right-hand sides beside those that are asked for, nor noise."""
    found = [row("gemm", n, threads=threads) for n in (255, 1000, 4096) for threads in (1, 2)]
    found += [row("trsm", n) for n in (512, 2100)] + [row("trsm", 1024, sizes=(1024, 8))]
    found += [row("posv", 1000, sizes=(1000, 1)), row("posv", 1024), row("potrf", 1024, spread=0.9)]
    found += [row("syrk", 1000, flags="T"), {"part": "memory", "threads": 1}]
    one, two = figures.front(found).axes
    assert [label.get_text() for label in one.get_xticklabels()] == ["gemm 1000", "trsm 512", "posv 1000"]
    assert [label.get_text() for label in two.get_xticklabels()] == ["gemm 1000"]
    assert [len(bars) for bars in one.containers] == [3, 3], "ours and one peer"
