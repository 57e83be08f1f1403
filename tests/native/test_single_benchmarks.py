"""Benchmarks of single operands: what the command writes, that everyone is checked, and what memory a call takes."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner

pytest.importorskip("threadpoolctl")

from bblas_gen.bench.contenders import Wrong
from bblas_gen.bench.measure import Timing
from bblas_gen.bench.peers import Missing
from bblas_gen.bench.single import cases, columns, command, contenders, contest, memory, peers
from bblas_gen.bench.single.operations import ROWS
from bblas_gen.bench.single.problem import Problem
from bblas_gen.cli.main import main
from bblas_gen.ir.catalog import OPS

TINY = cases.Sizes(
    products={"d": (8,)}, long=8, short=(), squares=(8,), variants=8, few=(1,), vectors=(40,), sides=(8,)
)
PART = {"products": "gemm", "vectors": "dot", "triangular": "trsm", "factorizations": "potrf"}


@pytest.fixture
def few(monkeypatch):
    """One small problem of each part."""
    monkeypatch.setattr(cases, "FULL", TINY)
    whole = cases.cases
    monkeypatch.setattr(cases, "cases", lambda parts, sizes: first(whole(parts, sizes)))
    monkeypatch.setattr(cases, "memory", lambda sizes: [(Problem(ROWS["dot"], "d", (320,)), True)])


def first(found):
    return [
        next(case for case in found if case.problem.op == PART[part])
        for part in dict.fromkeys(case.part for case in found)
    ]


def test_what_the_command_writes(few, tmp_path):
    out = tmp_path / "single.json"
    options = ["--threads", "1,2", "--repetitions", "2", "--seconds", "0", "--json", str(out)]
    done = CliRunner().invoke(main, ["bench", "single", "--peers", "aocl,numpy", *options])
    assert done.exit_code == 0, done.output + repr(done.exception)
    found = json.loads(out.read_text())
    timed, memory_rows = found["rows"][:-2], found["rows"][-2:]
    assert [(row["op"], row["threads"]) for row in timed] == [(op, n) for op in PART.values() for n in (1, 2)]
    for row in timed:
        assert {"ours", "call"} <= set(row["seconds"]) == set(row["spread"])
        assert set(row["ratios"]) <= {peer.title for peer in peers.PEERS.values()}
        assert row["limit"] > 0
        assert ("over_one" in row) == (row["threads"] == 2)
        assert ("of_gemm" in row) == (row["op"] == "trsm")
    assert {"NumPy"} <= set(timed[0]["ratios"])
    assert [row["part"] for row in memory_rows] == ["memory"] * 2
    assert all(row["operands"] == 8 * (2 * 320 + 1) and row["beyond"]["ours"] >= 0 for row in memory_rows)
    assert found["single"]["skipped"]
    assert isinstance(found["single"]["libraries"], list)
    assert str(tmp_path) not in json.dumps(found["rows"]) + json.dumps(found["single"])
    assert "gemm over the best peer" in done.output
    page = CliRunner().invoke(main, ["bench", "report", str(out), "-o", str(tmp_path / "page")])
    assert page.exit_code == 0, page.output
    assert "Single operands" in (tmp_path / "page" / "index.html").read_text()


def test_no_time_is_left(few, monkeypatch):
    """Whatever part it is: nothing is begun, and all that is left is named."""
    begun = []
    monkeypatch.setattr(command, "measure", lambda case, *_: begun.append(case) or ())
    monkeypatch.setattr(command.memory, "measure", lambda problem, *_: begun.append(problem) or ())
    done = CliRunner().invoke(main, ["bench", "single", "--minutes", "0", "--peers", "none"])
    assert done.exit_code == 0, done.output
    assert not begun
    (left,) = re.findall(r"^skipped: (.*): no time was left$", done.output, re.MULTILINE)
    wanted = [case.problem.name for case in cases.cases(list(cases.PARTS), cases.FULL)]
    assert "ddot 40" in wanted
    assert {*left.split("; ")} == {*wanted, "memory of ddot 320"}


@pytest.mark.parametrize("name", [name for name in peers.PEERS if name != "eigen"])
@pytest.mark.parametrize("precision", ["d", "c"])
def test_every_peer_that_is_here_computes_the_same(name, precision):
    """Eigen takes long to compile: the benchmarks check it themselves."""
    missing, done = [], 0
    for op, row in ROWS.items():
        if precision == "c" and row.stream is not None:
            continue
        letters = {"gemm": "TN", "trsm": "RUT", "gemv": "T"}.get(op, "")
        sizes = {"syrk": (6, 5)}.get(op, (6,) * len(OPS[op].sizes))
        problem = Problem(row, precision, sizes, letters)
        x = problem.operands()
        given = {name: array.copy(order="K") for name, array in x.items()}
        try:
            again = peers.PEERS[name].prepare(problem, x)
        except Missing as error:
            missing.append(str(error))
            continue
        contenders.check(problem, name, again, x, given)
        done += 1
    assert all("not found" in text or "does not do" in text for text in missing)
    assert done or name != "numpy"


def test_a_wrong_result_is_found():
    problem = Problem(ROWS["axpy"], "d", (40,))
    x = problem.operands()
    with pytest.raises(Wrong, match="nobody is wrong on daxpy 40: an error of"):
        contenders.check(problem, "nobody", lambda times: None, x, {n: a.copy() for n, a in x.items()})


def test_a_peer_that_is_wrong_takes_no_part(monkeypatch):
    wrong = peers.Peer("NumPy", "", make=lambda problem, x: lambda times: np.float64(0))
    monkeypatch.setitem(peers.PEERS, "numpy", wrong)
    skipped = []
    (case,) = first(cases.cases(["vectors"], TINY))
    (row,) = contest.measure(case, [1], ["numpy"], 2, 0, skipped.append)
    assert row["ratios"] == {}
    assert row["seconds"].keys() == {"ours", "call"}
    assert skipped[0].startswith("NumPy is wrong on ddot 40: an error of")


def test_rounds_that_differ_are_followed_by_more():
    """Of ours or of the fastest peer, whoever else is noise."""
    steady, unsteady, slow = Timing((1.0, 1.01, 1.0)), Timing((1.0, 2.0, 3.0)), Timing((9.0, 20.0, 40.0))
    for ours, peer, more in ((steady, steady, False), (unsteady, steady, True), (steady, unsteady, True)):
        found = {(contenders.OURS, 1): ours, ("MKL", 1): peer, ("NumPy", 1): slow, (contenders.LIMIT, 1): unsteady}
        assert contest._differ(found | {(contenders.OURS, 2): steady}) is more


@pytest.mark.parametrize("stream", range(4))
def test_the_loops_that_measure_memory(stream):
    library, (x, y) = contenders._streams(), (np.arange(1000.0), np.ones(1000))
    for threads in (1, 2):
        library.function(2, contenders.address(x), contenders.address(y), 1000, stream, threads)
    np.testing.assert_array_equal(x, np.arange(1000.0))  # twice the sign is changed, or nothing
    np.testing.assert_allclose(y, 1 + (4e-3 * np.arange(1000) if stream == 3 else 0))


@pytest.mark.parametrize(("op", "sizes"), [("axpy", (1000,)), ("dot", (4096,)), ("axpy", (7,))])
def test_the_limit_of_memory_goes_through_what_the_problem_has(op, sizes, monkeypatch):
    """In two vectors that are half a page apart, neither at the same place of a page as the other."""
    seen, problem = [], Problem(ROWS[op], "d", sizes)
    monkeypatch.setattr(contenders, "_streams", lambda: SimpleNamespace(function=lambda *given: seen.append(given)))
    monkeypatch.setattr(contenders, "address", lambda x: x.ctypes.data)
    contenders._limit(problem, 2)(5)
    ((times, first, second, count, how, threads),) = seen
    assert (times, count, how, threads) == (5, sizes[0], ROWS[op].stream, 2)
    assert first % 64 == 0
    assert second >= first + 8 * count
    assert (second - first) % 4096 == 2048


@pytest.mark.parametrize(("op", "letters"), [("ger", ""), ("gemv", ""), ("gemv", "T")])
@pytest.mark.parametrize("threads", [1, 2])
def test_the_limit_of_a_matrix_does_the_reads_and_writes_of_the_operation(op, letters, threads):
    """In all ways: each column once, whatever is left of rows and columns; a thread has its own part of y."""
    problem = Problem(ROWS[op], "d", (37, 23), letters)
    rows, cols = problem.spec.stored(problem.spec.row.operand("A"))
    found = list(columns.ways(problem, threads))
    assert len(found) >= len(columns.TOGETHER)
    for way in found:
        a, x, y = way.args[1]
        a[...], x[...], y[...] = np.arange(a.size), 2 + np.arange(x.size), 0
        before = a.reshape(cols, rows).copy()
        way(1)
        after, parts = a.reshape(cols, rows), y.reshape(threads, -1)
        if op == "ger":
            np.testing.assert_allclose(after, before + 1e-3 * x)
            assert not y.any()
            continue
        np.testing.assert_array_equal(after, before)
        sums = parts.sum(axis=0)
        expected = before @ x if letters else before.sum(axis=0)
        np.testing.assert_allclose(sums[: expected.size], expected)
        assert not sums[expected.size :].any()
        assert (parts.any(axis=1)).all()


def test_the_fastest_loop_is_the_limit(monkeypatch):
    took = {"slow": 2.0, "fast": 1.0, "fits": 1.5}
    monkeypatch.setattr(columns, "_seconds", lambda run, times: took[run] * times)
    assert columns.fastest(iter(took)) == "fast"
    monkeypatch.setattr(columns, "ways", lambda problem, threads: iter([problem.op, threads]))
    monkeypatch.setattr(columns, "fastest", list)
    assert contenders._limit(Problem(ROWS["gemv"], "d", (5, 4), "T"), 2) == ["gemv", 2]


def test_memory_of_what_is_not_here_is_not_told():
    assert memory.measured(Problem(ROWS["potrf"], "d", (8,)), "aocl", 1) == {}


@pytest.mark.thorough
@pytest.mark.parametrize("op", [op for op, row in ROWS.items() if row.stream is None])
def test_calls_take_less_memory_than_one_operand(op):
    """Packed panels, whatever the operation: no copy of a matrix of 8 MB."""
    problem = Problem(ROWS[op], "d", (1024,) * len(OPS[op].sizes))
    found = memory.child(problem, 1, contenders.OURS)
    assert found.get("beyond", 0) < 0.8 * 8 * 1024**2


def test_calls_that_do_not_count_go_first_and_neighbours_change(monkeypatch):
    """Streams have more of them, unless they take long; every other round goes backwards."""
    turns = []

    def entry(name, warm, before=None):
        return contenders.Entry(name, 1, lambda times: turns.append((name, times)), lambda: 0.0, before, warm)

    monkeypatch.setattr(contest, "settle", lambda: None)
    everyone = [entry("a", 1), entry("b", 8), entry("c", 8), entry("d", 8, lambda: None), entry("e", 8), entry("f", 1)]
    counts = [(3, 1e-3), (3, 1e-3), (1, contest.LONG / 2.5), (2, 1e-3), (1, 2 * contest.LONG), (1, 1e-3)]
    limited = SimpleNamespace(only=lambda count: None)
    forwards = [[("a", 1), ("a", 3)], [("b", 8), ("b", 3)], [("c", 2), ("c", 1)], [("d", 1), ("d", 1)], [("e", 1)]]
    for backwards in (False, True):
        turns.clear()
        times = contest._turns(everyone, counts, {5: 7.0}, limited, backwards=backwards)
        order = forwards[::-1] if backwards else forwards
        assert turns == [call for some in order for call in some]
        assert len(times) == 6
        assert times[5] == 7.0


def test_who_goes_through_memory_warms_up():
    for op, warm in (("dot", contenders.WARM), ("gemm", 1)):
        problem = Problem(ROWS[op], "d", (8,) * len(OPS[op].sizes))
        found = contenders.entries(problem, [1], ["numpy"], None, print)
        assert {entry.warm for entry in found} == {warm}
