"""Benchmarks of GPUs, rehearsed on the emulated one: what takes part is right, and what is written is whole."""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from time import sleep
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner
from support import emulated_nvcc, emulator
from support.devices import to_host

from bblas_gen.cli.main import main
from bblas_gen.runtime import kernels
from bblas_gen.toolchain import compilers

pytest.importorskip("cuda.core", reason="cuda-core is not installed")

from bblas_gen.bench.gpu import cases, command, large, latency, peers, run, targets
from bblas_gen.bench.gpu.clock import Clock
from bblas_gen.bench.gpu.contest import Contest
from bblas_gen.bench.gpu.limits import Tools
from bblas_gen.bench.gpu.memory import PERIOD
from bblas_gen.bench.gpu.problem import ROWS, GpuProblem
from bblas_gen.runtime.gpu import gpu

STAND_IN = Path(emulated_nvcc.__file__).with_name("nvidia.c")


@pytest.fixture(scope="module", autouse=True)
def nvidia(tmp_path_factory):
    """An emulated driver and compiler, and NVIDIA's libraries in plain C."""
    folder, driver = tmp_path_factory.mktemp("nvidia"), emulator.driver()
    ctypes.CDLL(str(driver))
    library = folder / "libnvidia.so"
    subprocess.run(
        [compilers.find_cc().path, "-O1", "-w", "-shared", "-fPIC", "-o", library, STAND_IN, driver, "-lm"], check=True
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BBLAS_GEN_NVCC", str(emulated_nvcc.compiler(folder)))
        patch.setattr(peers, "located", lambda name: str(library))
        peers._opened.cache_clear()
        kernels.reset()
        yield
    peers._opened.cache_clear()
    kernels.reset()


def contest(op, batch=40, n=3, letter="d", nbytes=1, told=None):
    own = gpu(0)
    skipped = [] if told is None else told
    return Contest(GpuProblem.of(op, letter, n, batch), Tools(own), Clock(own), nbytes, skipped.append, skipped.append)


@pytest.mark.parametrize("op", list(ROWS))
def test_every_peer_computes_the_same(op, monkeypatch):
    """In single and double precision, of matrices that lie as it wants them; whoever is not here says why."""
    asked = []
    monkeypatch.setitem(sys.modules, "torch", fake_torch(asked))
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy())
    for letter in "sd":
        told = []
        mine = contest(op, letter=letter, told=told)
        names = [name for name, peer in peers.PEERS.items() if peer.does(op)]
        found = mine.contenders([], names)
        assert [one.name for one in found] == [name for name in names if name != "triton"]
        assert all("pip install triton" in x for x in told)
        assert [one.sets > 0 for one in mine.measured(found, 2)] == [True] * len(found)
    assert asked == ["", "magma", "default"] * (len(asked) // 3), "PyTorch's own choice is there again"
    assert bool(asked) == any(x == "torch_magma" for x in names)


def test_a_pytorch_without_magma_says_so(monkeypatch):
    torch, told = fake_torch([]), []
    torch.cuda.has_magma = False
    monkeypatch.setitem(sys.modules, "torch", torch)
    assert not contest("potrf", told=told).contenders([], ["torch_magma"])
    assert told == ["PyTorch, MAGMA: this PyTorch has none"]


def on_host(x):
    """An array of the emulated GPU, which is in memory of the host, behind all that its stream has to do."""
    gpu(0).stream(None).sync()
    return np.asarray(type("Array", (), {"__array_interface__": x.__cuda_array_interface__ | {"version": 3}})())


def factored(a):
    """L and U in one matrix, and rows that were exchanged, of each of a stack."""
    lu, each, pivots = a.copy(), np.arange(len(a)), np.zeros(a.shape[:2], np.int32)
    for k in range(a.shape[1]):
        other = k + abs(lu[:, k:, k]).argmax(1)
        pivots[:, k] = other + 1
        lu[each, k], lu[each, other] = lu[each, other], lu[each, k].copy()
        lu[:, k + 1 :, k] /= lu[:, k, k, None]
        lu[:, k + 1 :, k + 1 :] -= lu[:, k + 1 :, k, None] * lu[:, k, None, k + 1 :]
    return lu, pivots


def fake_cupy():
    """CuPy as far as peers need it: by NumPy."""
    found = {"asarray": on_host, "asnumpy": np.asarray, "matmul": np.matmul, "linalg": np.linalg}
    return SimpleNamespace(**found)


class Tensor:
    """In memory of the host."""

    def __init__(self, array):
        self.array = array

    def cpu(self):
        return self

    def numpy(self):
        return self.array


def fake_torch(asked):
    """PyTorch as far as peers need it. Which library it was ``asked`` to prefer is written down."""

    def by(function):
        """The function of tensors that is this one of arrays."""

        def run(*tensors, **named):
            gpu(0).stream(None).sync()
            given = {name: x.array if isinstance(x, Tensor) else x for name, x in named.items()}
            found = function(*(x.array for x in tensors), **given)
            return tuple(map(Tensor, found)) if isinstance(found, tuple) else Tensor(found)

        return run

    def preferred(name=""):
        asked.append(name)
        return "default"

    def as_tensor(x, device):
        assert device == "cuda"
        return Tensor(on_host(x))

    def solved(b, factor):
        lower = np.tril(factor)
        return np.linalg.solve(lower @ lower.mT, b)

    linalg = {
        "solve_triangular": by(lambda a, b, upper: np.linalg.solve(np.triu(a) if upper else np.tril(a), b)),
        "cholesky_ex": by(lambda a: (np.linalg.cholesky(a), np.zeros(len(a)))),
        "lu_factor_ex": by(lambda a: (*factored(a), np.zeros(len(a)))),
        "solve_ex": by(lambda a, b: (np.linalg.solve(a, b), np.zeros(len(a)))),
        "inv_ex": by(lambda a: (np.linalg.inv(a), np.zeros(len(a)))),
    }
    return SimpleNamespace(
        as_tensor=as_tensor,
        bmm=by(np.matmul),
        cholesky_solve=by(solved),
        linalg=SimpleNamespace(**linalg),
        cuda=SimpleNamespace(has_magma=True),
        backends=SimpleNamespace(cuda=SimpleNamespace(preferred_linalg_library=preferred)),
    )


def test_one_run_and_its_page(tmp_path, monkeypatch):
    """The command as on a GPU, but for sizes: our layouts, peers in C and in Python, limits, small batches, a page."""
    out = tmp_path / "gpu.json"
    monkeypatch.setitem(sys.modules, "torch", fake_torch([]))
    monkeypatch.setattr(command, "QUICK", command.QUICK | {"ops": ["gemm"], "sizes": [4], "repetitions": 2, "large": 8})
    monkeypatch.setattr(run, "PAPER", 100)
    monkeypatch.setattr(large, "RIGHT_HAND_SIDES", (1,))
    monkeypatch.setattr(cases, "PAPER", 100)
    monkeypatch.setattr(latency, "PROBLEM", ("gemm", "d", 4))
    monkeypatch.setattr("bblas_gen.bench.gpu.clock.CALLS", 2)
    options = ["--quick", "--dtype", "d", "--layouts", "bi,st", "--peers", "cublas,torch,cupy", "--json", str(out)]
    done = CliRunner().invoke(main, ["bench", "--target", "cuda", *options])
    assert done.exit_code == 0, done.output + repr(done.exception)
    assert "CuPy: not installed" in done.output
    assert "part of a copy: T bi; 85%; " in done.output
    report = json.loads(out.read_text())
    rows, found = report["rows"], report["gpu"]
    assert not found["failed"]
    assert not found["left_out"]
    assert {row["contender"] for row in rows} == {"bi", "st", "cublas", "torch"}
    assert {row["batch"] for row in rows} == {100, 1000}
    assert {row["family"] for row in rows} == {"T", "T-sm", ""}
    assert report["machine"]["gpu"] == "emulated device"
    assert {"driver", "compiler", "cuda-core"} <= set(report["versions"])
    for row in rows:
        assert row["gbs"] == pytest.approx(3 * 4 * 4 * 8 * row["batch"] / row["seconds"] / 1e9, rel=1e-2)
        assert row["cached"]  # a hundred matrices
        assert row["fraction"] == pytest.approx(row["gbs"] / found["limits"]["copy_gbs"], rel=1e-2)
        assert set(row["ratios"]) == ({"cublas", "torch"} if row["family"] else set())
    host = {f"host time of {x}" for x in ("a planned call", "its launch", "a call")}
    whats = {*host, "stream time, calls", "stream time, graph"}
    assert {(row["what"], row["layout"]) for row in found["calls"]} == {(x, y) for x in whats for y in ("bi", "st")}
    assert {(row["what"], row["cols"], row["contender"]) for row in found["large"]} == {
        *(("trmm", 8, who) for who in ("ours", "cublas")),
        *(("trsm", 1, who) for who in ("ours", "cublas")),
        ("gemm", 8, "ours"),
        *(("trsm from host memory", 8, who) for who in ("start", "copies")),
    }
    assert "one large matrix: trmm in place over cuBLAS; 1.2; " in done.output
    assert str(tmp_path) not in out.read_text().replace(report["command"], "").replace(json.dumps(sys.argv), "")

    pytest.importorskip("matplotlib")
    monkeypatch.setattr("bblas_gen.bench.gpu.figures.PAPER", 100)
    done = CliRunner().invoke(main, ["bench", "report", str(out), "-o", str(tmp_path / "page")])
    assert done.exit_code == 0, done.output + repr(done.exception)
    page = (tmp_path / "page" / "index.html").read_text()
    for text in ("asked and measured", "DGEMM, 100 matrices", "BlkIntlSM", "cuBLAS batched", "emulated device"):
        assert text in page


@pytest.mark.parametrize("layout", latency.LAYOUTS)
def test_a_graph_has_the_same_to_solve_in_every_round(layout, monkeypatch):
    """Factors that are factored again are not positive definite for long."""
    mine, plans, failed = contest("posv", n=8), [], []
    captured, seconds = latency.captured, Clock.seconds

    def noted(clock, stream, runs):
        plans.extend(runs)
        return captured(clock, stream, runs)

    def looked_at(self, run, stream):
        found = seconds(self, run, stream)
        failed.append(sum(int(np.count_nonzero(to_host(plan.info))) for plan in plans))
        return found

    monkeypatch.setattr(latency, "captured", noted)
    monkeypatch.setattr(Clock, "seconds", looked_at)
    assert latency.in_graph(mine, mine.ours(layout).operands, 7) > 0
    assert plans
    assert failed == [0] * 8


def test_a_wrong_result_is_told_and_the_others_go_on(monkeypatch):
    told = []
    mine = contest("gemm", n=4, told=told)
    monkeypatch.setattr(mine.expected, "values", 2 * mine.expected.values)
    assert mine.contenders(["bi"], []) == []
    assert "Wrong: bi is wrong on bb_dgemm" in told[0]
    assert "40 matrices" in told[0]


def test_the_gpu_is_busy_until_all_calls_are_queued(monkeypatch):
    """Also those of a peer that takes the host long, whose time would be that of the host."""
    mine, steps, launch = contest("gemm", nbytes=3 * 40 * 3 * 9 * 8), [], Tools._launch
    own = mine.ours("st")

    def noted(tools, name, grid, *arguments):
        steps.extend(arguments[1:] if name == "bb_sfma" else [])
        launch(tools, name, grid, *arguments)

    monkeypatch.setattr(Tools, "_launch", noted)
    (found,) = mine.measured([replace(own, runs=[partial(sleep, 0.002)] * 3)], 2)
    assert found.sets == 3
    assert min(steps[-2:]) * 1e-8 >= 3 * 0.002


def test_a_large_batch_is_compared_with_the_small_one():
    """Matrix by matrix: a difference anywhere is seen."""
    mine = contest("gemm", n=4, batch=PERIOD + 40)
    for layout in ("st", "bi"):
        contender = mine.ours(layout)
        assert not contender.operands.differ()
        other = contender.operands.set(0)[2]
        last = (other.data if layout == "bi" else other)._memory.buffer
        ctypes.memset(int(last.handle) + last.size - 8, 1, 8)
        assert contender.operands.differ()


@pytest.mark.parametrize(("batch", "sets", "cached"), [(100, 256, True), (10_000, 256, False), (10_000, 20, True)])
def test_rounds_that_lie_in_a_cache_are_marked(batch, sets, cached):
    """50 MB, as on an H100; three matrices of 128 bytes for each product."""
    session = run.Session(gpu(0), ["bi"], [], 1, 2, 0.0, 0, lambda line: None)
    assert session._cached(GpuProblem.of("gemm", "d", 4, batch), sets) is cached


@pytest.mark.parametrize(
    ("room", "fits"), [(29, []), (30, ["bi"]), (39, ["bi"]), (40, ["bi", "il", "st"]), (50, ["bi", "il", "st", "pp"])]
)
def test_layouts_without_room_are_named(room, fits):
    """Of operands of 10 bytes, peers' beside them, those by rows being those of st."""
    session = run.Session(gpu(0), ["bi", "il", "st", "pp"], [], 1, 2, 0.0, 0, lambda line: None)
    session.room = room
    assert session._with_room("dgemm", 10) == fits
    left = [x for x in ("pp", "st", "il", "bi") if x not in fits]
    assert list(session.skipped) == [f"dgemm: {x} is too large for this GPU" for x in left]


def test_what_does_not_fit_into_the_time_is_named():
    own = gpu(0)
    session = run.Session(own, ["bi"], [], 1, 2, 0.0, 0, lambda line: None)
    session.limits = {"copy_gbs": 1.0}
    for batch in (10, 20):
        session._case(cases.Case("gemm", "d", 4, (10, 20)), batch)
    assert session.left == ["dgemm n = 4, 10 matrices", "dgemm n = 4, 20 matrices"]
    assert not session.rows


def test_what_was_found_before_a_fault_is_written(tmp_path, monkeypatch):
    """Whoever tells of the fault: the driver, or a package that asks it."""

    def measure(session, cases, jobs):
        session.limits = {"copy_gbs": 1.0}
        yield
        raise fault

    monkeypatch.setattr(run.Session, "measure", measure)
    for fault in (RuntimeError("the GPU's driver refuses"), KeyError("a package")):
        out = tmp_path / f"{type(fault).__name__}.json"
        done = CliRunner().invoke(main, ["bench", "cuda", "--quick", "--json", str(out)])
        assert done.exit_code == 1
        assert json.loads(out.read_text())["gpu"]["limits"] == {"copy_gbs": 1.0}
        assert "copy_gbs" in done.output


@pytest.fixture
def again(tmp_path, monkeypatch):
    """A short run, and the arguments of those that go on behind it, which are not begun."""
    found = []
    monkeypatch.setattr(command, "QUICK", command.QUICK | {"ops": ["gemm"], "sizes": [2], "repetitions": 2, "large": 0})
    monkeypatch.setattr(run.Session, "_latency", lambda self: None)
    monkeypatch.setattr(cases, "PAPER", 10)
    monkeypatch.setattr(command, "_replaced", found.append)
    words = ["bench", "cuda", "--quick", "--dtype", "d", "--layouts", "bi", "--peers", "none"]
    words += ["--json", str(tmp_path / "gpu.json")]
    monkeypatch.setattr(sys, "argv", ["bblas-gen", *words])
    return lambda more=(): (
        CliRunner().invoke(main, [*words, *more]),
        json.loads((tmp_path / "gpu.json").read_text()),
        found,
    )


def test_a_fault_of_the_gpu_costs_one_problem(again, monkeypatch):
    measured, wait, state = Contest.measured, Clock.wait, {"calls": 0, "failed": False}

    def fails(self, *arguments):
        state["calls"] += 1
        state["failed"] |= state["calls"] == 2
        return measured(self, *arguments)

    def refused(self):
        if state["failed"]:
            raise RuntimeError("the GPU's driver refuses")
        wait(self)

    monkeypatch.setattr(Contest, "measured", fails)
    monkeypatch.setattr(Clock, "wait", refused)
    monkeypatch.setattr(Contest, "_round", lambda self, *how: self.clock.wait() or 1e-6)
    done, first, found = again()
    assert done.exit_code == 1
    assert first["gpu"]["failed"] == ["dgemm n = 2, 10 matrices: the GPU's driver refuses"]
    assert [row["batch"] for row in first["rows"]] == [1000]
    ((*_, minutes, left, last),) = found
    assert (minutes, last) == ("--minutes", "--go-on")
    assert 0 < float(left) < 9
    state["failed"] = False
    done, second, _ = again(["--minutes", left, last])
    assert done.exit_code == 0, done.output
    assert second["gpu"]["failed"] == first["gpu"]["failed"]
    assert second["rows"] == first["rows"]
    assert second["gpu"]["limits"]["copy_gbs"] == first["gpu"]["limits"]["copy_gbs"]


def test_a_problem_without_an_end_costs_no_other(again, monkeypatch):
    ended = Event()

    def measured(self, *arguments):
        assert ended.wait(60)
        return []

    monkeypatch.setattr(Contest, "measured", measured)
    monkeypatch.setattr(command, "STUCK", 0.5)
    monkeypatch.setattr(command, "_ended", ended.set)
    _, _, found = again()
    assert found[0][-1] == "--go-on"
    assert ended.is_set()


def test_what_counts_most_is_first():
    found = cases.cases(list(ROWS), "ds", cases.SIZES, 10**9)
    assert len(found) == 2 * len(ROWS) * len(cases.SIZES)
    assert (found[0].op, found[0].precision, found[0].n) == ("gemm", "d", 8)
    assert found[0].batches == (10**6, 10**4, 100, 1000, 10**5, 10**7)
    assert {case.n for case in found[: 3 * len(ROWS)]} == {8, 4, 16}
    assert min(case.problem(case.batches[0]).stored * case.batches[0] for case in found) >= 1.6e8


@pytest.mark.parametrize(
    ("op", "bi", "st", "pp"),
    [
        ("gemm", 1536, 1536, 1560),
        ("potrf", 8 * 72 + 4, 2 * 12 * 32 + 4, 2 * 12 * 32 + 12),
        ("trsm", 8 * (36 + 128), 12 * 32 + 1024, 12 * 32 + 1040),
    ],
)
def test_bytes_that_must_move(op, bi, st, pp):
    """Of triangles that lie by themselves the sectors with something of them; of lists the addresses too."""
    problem = GpuProblem.of(op, "d", 8, 1)
    assert [problem.moved(layout) for layout in ("bi", "il", "st", "pp")] == [bi, bi, st, pp]


def test_what_was_asked_is_told():
    row = {"op": "gemm", "dtype": "d", "n": 8, "batch": 10**6, "contender": "bi", "family": "T", "fraction": 0.9}
    rows = [
        row | {"matrices": 2e9, "ratios": {"cublas": 4.0, "torch": 9.0}},
        row | {"n": 4, "fraction": 0.7, "matrices": 1e9, "ratios": {"cublas": 0.5}},
        row | {"n": 6, "contender": "st", "family": "W", "fraction": 0.8, "matrices": 1e9, "ratios": {}},
        row | {"n": 4, "batch": 100, "fraction": 0.1, "matrices": 1e9, "ratios": {"cublas": 0.1}},
        row | {"n": 2, "fraction": 0.95, "cached": True, "ratios": {"cublas": 0.2}},
        row | {"n": 12, "contender": "st", "family": "W", "fraction": 0.3, "matrices": 1e9, "ratios": {}},
        row | {"n": 12, "dtype": "s", "contender": "st", "family": "W", "fraction": 0.7, "matrices": 1e9, "ratios": {}},
    ]
    calls = [{"what": "stream time, graph", "op": "posv", "n": 8, "layout": "bi", "batch": 10, "seconds": 5e-6}]
    one = {"what": "trmm", "n": 8, "cols": 8, "contender": "ours", "gflops": 9.0}
    parts = [one, one | {"contender": "cublas", "gflops": 6.0}, one | {"what": "gemm", "gflops": 12.0}]
    lines = targets.lines({"rows": rows, "gpu": {"calls": calls, "large": parts}, "machine": {"gpu": "NVIDIA H100"}})
    for device in ("NVIDIA H100 PCIe", "NVIDIA H100 80GB HBM3 MIG 1g.10gb", "NVIDIA GH200 480GB"):
        other = targets.lines({"rows": rows, "gpu": {"calls": calls, "large": parts}, "machine": {"gpu": device}})
        assert len(other) == len(lines) - 2
    told = {line.what: line for line in lines}
    assert told["part of a copy: T bi"].cells[1:] == ["85%", "70%", "dgemm n = 4, bi; 1 of 2 reach it", "no"]
    assert told["part of a copy: W, gemm, n = 16, 32"].reached is None
    assert told["part of a copy: W st, n = 5, 6, 7, 8"].cells[1:3] == ["75%", "80%"]
    of_singles = told["part of a copy: W st, s, n = 9, 10, 11, 12"]
    assert of_singles.cells[1:] == ["75%", "70%", "sgemm n = 12, st; 0 of 1 reach it", "no"]
    assert told["matrices per second: dgemm, n = 8, bi"].reached
    assert told["stream time, graph"].reached
    assert told["one large matrix: trmm in place over cuBLAS"].cells[1:] == ["1.2", "1.5", "n = 8, 8 columns", "yes"]
    assert told["one large matrix: trmm over products"].measured == "0.75"
    assert told["one large matrix: trsm from host memory, start over copies"].reached is None
    assert told["host time of a planned call"].reached is None
    assert told["speed over the best peer: bi, 10,000 matrices and more, slowest"].measured == "0.5"
    assert told["speed over the best peer: bi, 10,000 matrices and more, geometric mean"].measured == "1.41"
