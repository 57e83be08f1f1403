"""The benchmarks: what they write, that every contender is checked, and that absent peers are named."""

from __future__ import annotations

import importlib
import json

import numpy as np
import pytest
from click.testing import CliRunner

from bblas_gen.bench import contenders, peers
from bblas_gen.bench.limits import ADD, OVERWRITE, PAST_CACHES, Stream
from bblas_gen.bench.measure import Timing
from bblas_gen.bench.problem import Problem
from bblas_gen.cli import main
from bblas_gen.ops import OPS
from bblas_gen.terms import PRECISIONS


def run(*arguments, code=0):
    done = CliRunner().invoke(main, [str(x) for x in arguments])
    assert done.exit_code == code, done.output + repr(done.exception)
    return done.output


@pytest.fixture(autouse=True)
def nobody_is_absent(monkeypatch):
    monkeypatch.setattr(peers, "_absent", {})


def test_gemm(tmp_path):
    out = tmp_path / "rows.json"
    options = ["--batch", 50, "--repetitions", 2, "--peers", "numpy,plain", "--json", out]
    text = run("bench", "gemm", "--sizes", "2,3x4x5", "--dtype", "d,c", *options)
    report = json.loads(out.read_text())
    rows = report["rows"]
    assert {row["contender"] for row in rows} == {"numpy", "plain", "st", "pp", "bi", "il", "call"}
    assert {row["state"] for row in rows} == {"hot", "steady", "cold"}
    assert {row["shape"] for row in rows} == {"2", "3x4x5"}
    assert len(rows) == 2 * 2 * 3 * 7
    for row in rows:
        assert row["gflops"] > 0
        assert row["best"] <= row["seconds"]
        assert row["roofline"] <= row["peak_gflops"] * 1.001
        assert row["fraction"] == pytest.approx(row["gflops"] / row["roofline"], rel=1e-2)
        assert set(row["ratios"]) == (set() if row["contender"] in peers.PEERS else {"numpy", "plain"})
    assert report["machine"]["cpu"]
    assert report["versions"]["numpy"] == np.__version__
    assert "% roofline" in text


@pytest.mark.parametrize("name", list(peers.PEERS))
@pytest.mark.parametrize("precision", list(PRECISIONS))
@pytest.mark.parametrize("beta", [0, 1])
def test_every_peer_that_is_here_computes_the_same(name, precision, beta):
    skipped = []
    problem = Problem("gemm", precision, (3, 4, 5), beta, 6)
    found = contenders.contenders(problem, [], [name], skipped.append)
    assert [c.name for c in found] == ([] if skipped else [name])
    if name in ("numpy", "plain"):
        assert found
    for line in skipped:
        assert peers.PEERS[name].get in line or "does not do precision" in line


@pytest.mark.parametrize("name", ["torch", "libxsmm", "mkl_loop"])
def test_an_absent_peer_is_named_with_the_way_to_get_it(name, monkeypatch):
    def absent(*_, **__):
        raise ImportError(name)

    def unknown(_):
        raise importlib.metadata.PackageNotFoundError

    monkeypatch.setattr(peers.importlib, "import_module", absent)
    monkeypatch.setattr(peers.metadata, "files", unknown)
    monkeypatch.setattr(peers, "_LINK", ("-lno_such_library",))
    skipped = []
    peers._load.cache_clear()
    assert contenders.contenders(Problem("gemm", "d", (3, 2, 2), 1, 7), [], [name], skipped.append) == []
    assert peers.PEERS[name].get in skipped[0]
    peers._load.cache_clear()


def test_a_wrong_result_stops_the_benchmark(monkeypatch):
    monkeypatch.setitem(peers._PYTHON, ("gemm", "numpy"), lambda module, problem, x: lambda: x["C"].fill(1))
    with pytest.raises(contenders.Wrong, match="numpy is wrong on bb_dgemm_nn_st_m2n2k2"):
        contenders.contenders(Problem("gemm", "d", (2, 2, 2), 1, 3), [], ["numpy"], print)


def test_every_operation_of_a_shim_exists():
    for path in peers.shims():
        op, peer, _ = path.name.split(".")
        assert op in OPS
        assert peer in peers.PEERS


def test_the_sums_that_measure_bandwidth():
    for how, expected in ((OVERWRITE, 0), (ADD, 5), (PAST_CACHES, 0)):
        for threads in (1, 2):
            stream = Stream.like(24 * 1001, how, threads)
            stream.c[:] = 5
            stream()
            assert (stream.c == expected).all()
            assert stream.work == 8 * 1001 * (4 if how == ADD else 3)


def test_ratios_are_taken_round_by_round():
    assert Timing((1.0, 2.0, 4.0)).ratio(Timing((2.0, 4.0, 8.0))) == 2
    assert Timing((1.0, 2.0, 4.0)).best == 1


def test_bytes_count_c_twice_where_it_is_added_to():
    assert Problem("gemm", "d", (2, 3, 4), 0, 1).bytes == 8 * (8 + 12 + 6)
    assert Problem("gemm", "d", (2, 3, 4), 1, 1).bytes == 8 * (8 + 12 + 12)
