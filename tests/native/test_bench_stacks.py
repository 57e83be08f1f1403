"""The benchmark of functions on stacks: rows, peers that are absent, and that everyone is checked."""

from __future__ import annotations

import importlib
import json
import os
from concurrent.futures import Executor, Future
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from click.testing import CliRunner

from bblas_gen.bench.contenders import Wrong
from bblas_gen.bench.peers import Missing
from bblas_gen.bench.stacks import command, contest, crossing, peers, shims, targets, workers
from bblas_gen.bench.stacks.calls import CALLS, Problem
from bblas_gen.bench.stacks.contest import LEAST, measure
from bblas_gen.bench.stacks.peers import PEERS
from bblas_gen.cli.main import main
from bblas_gen.linalg import asked, gufuncs, kernels, reflected
from bblas_gen.runtime.afresh import Known
from bblas_gen.schedule.hand_over import AT_ONCE

PYTHON = ("numpy", "numpy_loop", "scipy", "torch", "jax")


class Here(Executor):
    """A worker that is this process."""

    def submit(self, function, /, *arguments):
        found = Future()
        found.set_result(function(*arguments))
        return found


@pytest.fixture
def here(monkeypatch):
    monkeypatch.setattr(workers, "started", lambda count: Here())


def run(*arguments):
    done = CliRunner().invoke(main, ["bench", "linalg", *map(str, arguments)])
    assert done.exit_code == 0, done.output + repr(done.exception)
    return done.output


def told(name, precision="d", n=3, batch=2, **more):
    """A row, and who took no part."""
    skipped = []
    problem = Problem(CALLS[name], precision, n, batch, 1)
    return measure(replace(problem, **more), list(PYTHON), 2, 0, skipped.append), skipped


def test_rows(tmp_path, here, monkeypatch):
    out = tmp_path / "rows.json"
    options = ["--sizes", 3, "--batch", 300, "--threads", "1,2", "--repetitions", 2, "--seconds", 0, "--json", out]
    monkeypatch.setattr("sys.argv", ["bblas-gen", "bench", "linalg", "--json", str(out)])
    text = run("--calls", "solve,inv", "--peers", "numpy,scipy", *options)
    report = json.loads(out.read_text())
    steady = [row for row in report["rows"] if row["state"] == "steady"]
    assert [(row["call"], row["threads"]) for row in steady] == [("solve", 1), ("solve", 2), ("inv", 1), ("inv", 2)]
    for row in steady:
        assert (row["n"], row["dtype"], row["batch"], row["matrices"]) == (3, "d", 300, {})
        assert row["ns"].keys() == row["spread"].keys() == {"ours", "numpy", "scipy"}
        assert row["ratios"].keys() == row["ratio_spread"].keys() == {"numpy", "scipy"}
        assert all(row["ns"].values())
    (cold,) = (row for row in report["rows"] if row["state"] == "cold")
    assert (cold["call"], cold["threads"]) == ("inv", 1)
    assert cold["gbs"]["copy"] == pytest.approx(2 * 9 * 8 / cold["ns"]["copy"], rel=1e-2)
    assert str(tmp_path) not in out.read_text()
    assert report["command"] == "bblas-gen bench linalg --json rows.json"
    assert "inv over numpy, n = 1 to 4" in text


def test_what_there_is_no_time_for_is_told(tmp_path, here):
    text = run("--calls", "det", "--sizes", 3, "--batch", 2, "--threads", 1, "--peers", "numpy", "--minutes", 0)
    assert "skipped: det 3: no time was left" in text


@pytest.mark.parametrize("precision", "dz")
@pytest.mark.parametrize("name", [x for x in CALLS if x != "lstsq"])
def test_libraries_have_the_same_results(name, precision):
    row, skipped = told(name, precision)
    absent = [PEERS[x].title for x in PYTHON if not importlib.util.find_spec(x.partition("_")[0])]
    assert all(line.partition(":")[0] in absent for line in skipped), skipped
    wanted = [x for x in PYTHON if name in PEERS[x].calls and PEERS[x].title not in absent]
    assert list(row["ns"]) == ["ours", *wanted]


def test_least_squares_by_two_ways_of_numpy():
    row, _ = told("lstsq", batch=400)
    assert {"numpy", "numpy_loop"} < row["ratios"].keys()
    assert row["matrices"]["numpy_loop"] == 300
    assert "numpy" not in row["matrices"]


@pytest.mark.parametrize("long", [1e-4, 1e-2])
def test_the_first_call_of_a_turn_does_not_count(monkeypatch, long):
    """Whoever comes after somebody else takes three times as long, be it short or so long that one call is a turn."""
    clock, last = [0.0], [""]

    def taken(name):
        clock[0] += long * (1 if last[0] == name else 3)
        last[0] = name

    monkeypatch.setattr(contest, "perf_counter", lambda: clock[0])
    everyone = [contest.Entry(name, partial(taken, name), 1) for name in ("ours", "numpy")]
    for timing in contest._timings(everyone, 1, 3, 1.0).values():
        assert timing.seconds == pytest.approx((long,) * 3)


@pytest.mark.parametrize(("theirs", "rounds"), [([4.0] * 7, 7), ([4.0] * 6 + [9.0], 7), ([4.0, 9.0] * 11, 21)])
def test_there_are_more_rounds_where_ratios_differ(monkeypatch, theirs, rounds):
    """What slows everyone down is no difference."""
    calls = [0]

    def turn(entry, *_):
        calls[0] += 1
        number = (calls[0] - 1) // 2  # of the round: the first says how long calls take
        slower = 1.0 + 2.0 * (number % 2)
        return slower if entry.name == "ours" else slower * [4.0, *theirs][number]

    monkeypatch.setattr(contest, "_turn", turn)
    found = contest._timings([contest.Entry(name, print, 1) for name in ("ours", "numpy")], 1, 7, 100.0)
    assert [len(timing.seconds) for timing in found.values()] == [rounds] * 2


def test_large_matrices_are_fewer():
    assert PEERS["numpy"].matrices(Problem(CALLS["svd"], "d", 32, 10_000, 1)) == 2048
    assert PEERS["numpy"].matrices(Problem(CALLS["svd"], "d", 16, 10_000, 1)) == 10_000


@pytest.mark.parametrize("name", ["vecdot", "matvec", "matmul", "cholesky", "inv", "solve", "det", "slogdet"])
def test_caches_are_the_same_where_memory_may_be_the_limit(name):
    for peer in (x for x in PEERS.values() if name in x.calls):
        assert peer.matrices(Problem(CALLS[name], "d", 32, 10_000, 1)) == (300 if peer.name == "scipy" else 10_000)


def test_who_is_absent_is_left_out(monkeypatch):
    def absent(name):
        if name in ("torch", "jax"):
            raise ImportError(name)
        return importlib.import_module(name)

    monkeypatch.setattr(peers, "import_module", absent)
    row, skipped = told("inv")
    assert skipped == ["PyTorch: not installed (pip install torch)", "JAX: not installed (pip install jax)"]
    assert row["ns"].keys() == {"ours", "numpy", "scipy"}


def test_a_library_that_is_absent_is_left_out(monkeypatch):
    def absent():
        raise Missing("no package mkl")

    monkeypatch.setitem(shims.PEERS, "mkl_compact", replace(shims.PEERS["mkl_compact"], libraries=absent))
    shims.library.cache_clear()
    skipped = []
    row = measure(Problem(CALLS["inv"], "d", 3, 2, 1), ["numpy", "mkl_compact"], 2, 0, skipped.append)
    assert skipped == ["MKL compact: not found (pip install mkl)"]
    assert row["ns"].keys() == {"ours", "numpy"}


def test_wrong_results_are_refused():
    right = CALLS["inv"]
    off = replace(right, by=right.by | {"numpy": lambda module, a: module.inv(a) * (1 + 1e-11)})
    row, skipped = told("inv", call=off)
    assert "NumPy: wrong results of inv float64 3" in " ".join(skipped)
    assert "numpy" not in row["ns"]
    with pytest.raises(Wrong, match="nobody has our results: NumPy"):
        measure(Problem(off, "d", 3, 2, 1), ["numpy"], 2, 0, skipped.append)
    short = replace(right, by=right.by | {"numpy": lambda module, a: module.inv(a)[:, :2]})
    with pytest.raises(Wrong, match="off by inf"):
        measure(Problem(short, "d", 3, 2, 1), ["numpy"], 2, 0, skipped.append)


def test_what_is_not_a_number_is_refused():
    right = CALLS["det"]
    nan = replace(right, by=right.by | {"numpy": lambda module, a: module.det(a) * np.nan})
    with pytest.raises(Wrong, match="off by nan"):
        measure(Problem(nan, "d", 3, 2, 1), ["numpy"], 2, 0, print)


def test_a_few_rounds_at_least(monkeypatch):
    monkeypatch.setattr(contest, "SECONDS", 0)  # a call is a turn
    monkeypatch.setattr(contest, "LONG", float("inf"))  # no call is long, and none differs, however busy a machine is
    monkeypatch.setattr(contest, "_differ", lambda found: False)
    calls = []
    counted = replace(CALLS["det"], by=CALLS["det"].by | {"numpy": lambda module, a: calls.append(1) or module.det(a)})
    measure(Problem(counted, "d", 3, 2, 1), ["numpy"], 9, 0, print)
    # one is checked; a turn is some that do not count and one that does, the first, of two, says how long they take
    assert len(calls) == 1 + 2 + (contest.WARM + 1) * LEAST


def test_mkl_compact_has_our_results():
    for name in PEERS["mkl_compact"].calls:
        skipped = []
        names = ["numpy", "mkl_compact", "mkl_compact_st"]
        row = measure(Problem(CALLS[name], "d", 5, 70, 3), names, 2, 0, skipped.append)
        if any("not found" in line for line in skipped):
            pytest.skip("no MKL")
        assert list(row["ratios"]) == names, skipped


@pytest.mark.thorough
@pytest.mark.parametrize("precision", "sdcz")
@pytest.mark.parametrize("n", [2, 3, 17])
def test_every_peer_that_is_here_has_our_results(precision, n):
    for name in CALLS:
        skipped = []
        measure(Problem(CALLS[name], precision, n, 200, 2), list(PEERS), 2, 0, skipped.append)
        assert not [line for line in skipped if "wrong" in line]


def test_a_worker_has_its_processors():
    before = dict(os.environ)
    with workers.workers([1]) as pool:
        assert pool[1].submit(os.getenv, "OPENBLAS_NUM_THREADS").result() == "1"
        if hasattr(os, "sched_getaffinity"):
            assert len(pool[1].submit(os.sched_getaffinity, 0).result()) == 1
    assert dict(os.environ) == before


def test_what_is_asked():
    alike = {"call": "eigh", "dtype": "d", "batch": 10, "state": "steady", "ratio_spread": {"numpy": 0.0}}
    rows = [alike | {"n": n, "threads": 1, "ratios": {"numpy": ratio}} for n, ratio in ((2, 31), (3, 29), (8, 9))]
    rows.append(alike | {"n": 3, "threads": 2, "ratios": {"numpy": 1}})
    cold = {"state": "cold", "planned": 1.0, "spread": {contest.OURS: 0.0, "planned": 0.0}}
    rows.append(alike | {"n": 3, "threads": 1, "ratios": {"numpy": 0.5}} | cold)
    rows.append(alike | {"n": 3, "threads": 1, "ratios": {"numpy": 1}, "ratio_spread": {"numpy": 0.9}})
    rows.append(alike | {"n": 3, "threads": 1, "ratios": {"numpy": 0.1}, "dtype": "s"})
    report = {"rows": rows, "machine": {"simd_bytes": 64}}
    found = {line.what: line for line in targets.lines(report)}
    assert found["eigh over numpy, n = 1 to 3"].cells[1:] == [
        "30.0",
        "29.0",
        "n = 3; 1 of 2 reach it; noise: 1 more",
        "no",
    ]
    assert found["eigh over numpy, n = 4 to 4"].reached is None
    assert found["eigh over numpy, n = 5 to 8"].reached is True
    assert found["every call over numpy"].cells[1:] == [
        *("1.00", "1.00", "eigh n = 3, 2 threads; 4 of 4 reach it; noise: 1 more", "yes")
    ]
    report["machine"]["simd_bytes"] = 32
    found = {line.what: line for line in targets.lines(report)}
    assert found["eigh over numpy, n = 1 to 3"].cells[1:] == [
        "18.0",
        "29.0",
        "n = 3; 2 of 2 reach it; noise: 1 more",
        "yes",
    ]


def test_compiling_ahead_needs_no_peer(monkeypatch):
    monkeypatch.setitem(shims.PEERS, "eigen", replace(shims.PEERS["eigen"], language=("-x", "no such language")))
    shims.library.cache_clear()
    command.compile_all(command.Wanted(["det"], "d", [3], [1], ["eigen"], 2, 2, 0))


@pytest.mark.parametrize("limit", [1, 7, 8500, 10**6])
def test_the_first_of_a_ladder_is_found(limit):
    found = crossing.first(lambda count: count >= limit)
    assert found == next((count for count in crossing.LADDER if count >= limit), None)


def test_where_numpy_hands_over(tmp_path):
    out = tmp_path / "hand-over.json"
    named = ["--kinds", "det,product", "--sizes", "2", "--repetitions", "2", "--json", str(out)]
    done = CliRunner().invoke(main, ["bench", "hand-over", *named])
    assert done.exit_code == 0, done.output
    rows = json.loads(out.read_text())["rows"]
    assert [(row["kind"], row["n"], row["table"]) for row in rows] == [
        ("det", 2, AT_ONCE["det"].matrices[1]),
        ("product", 2, AT_ONCE["product"].matrices[1]),
    ]
    assert crossing.smallest("product") == [1, 2, 3, 5, 9]
    assert all(row["matrices"] in (None, *crossing.LADDER) for row in rows)


@pytest.mark.parametrize("kind", list(crossing.BY_KIND))
def test_what_is_timed_is_done_by_kernels(kind, monkeypatch):
    """However few matrices there are."""
    found = []

    def noted(*arguments, **named):
        found.append(asked.wants_kernels(*arguments, **named))
        return found[-1]

    def rooted(*arguments, root=kernels.sqrtm, **named):
        found.append(True)
        return root(*arguments, **named)

    def called(*arguments, own=kernels.called):
        found.append(True)
        return own(*arguments)

    def kept(*arguments, own=Known.run):
        found.append(True)
        return own(*arguments)

    for module in (gufuncs, reflected):
        monkeypatch.setattr(module, "wants_kernels", noted)
    monkeypatch.setattr(Known, "run", kept)
    monkeypatch.setattr(kernels, "sqrtm", rooted)
    monkeypatch.setattr(kernels, "called", called)
    problem = Problem(CALLS[crossing.BY_KIND[kind]], "d", 3, 2, 1)
    with crossing.all_by_kernels():
        contest.ours(problem, problem.operands())()
    assert found
    assert all(found)
