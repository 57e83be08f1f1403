"""The benchmarks: what they write, that every contender is checked, and that absent peers are named."""

from __future__ import annotations

import importlib
import itertools
import json

import numpy as np
import pytest
from click.testing import CliRunner
from support.cases import TWINS

import bblas_gen as bb
from bblas_gen.bench import contenders, fills, fusion, peers
from bblas_gen.bench.limits import ADD, OVERWRITE, PAST_CACHES, Stream
from bblas_gen.bench.measure import Timing
from bblas_gen.bench.peer_python import PYTHON, Ready
from bblas_gen.bench.problem import ROWS, Problem, as_layout
from bblas_gen.cli.main import main
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.terms import PRECISIONS

ALIKE = {*TWINS, "trmm", "syr2k", "potrf"}
"""Operations that peers do as they do symm, trsm, syrk and posv, but for names."""


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


def asked_of_peers():
    """By default Eigen, which takes long to compile, does each precision in one way alone."""
    for beta, precision, name in itertools.product((0, 1), PRECISIONS, peers.PEERS):
        rare = name == "eigen" and beta != list(PRECISIONS).index(precision) % 2
        yield pytest.param(name, precision, beta, marks=[pytest.mark.thorough] if rare else [])


@pytest.mark.parametrize(("name", "precision", "beta"), list(asked_of_peers()))
def test_every_peer_that_is_here_computes_the_same(name, precision, beta):
    skipped = []
    problem = Problem("gemm", precision, (3, 4, 5), beta, 6)
    found = contenders.contenders(problem, [], [name], skipped.append)
    assert [c.name for c in found] == ([] if skipped else [name])
    if name in ("numpy", "plain"):
        assert found
    for line in skipped:
        assert peers.PEERS[name].get in line or "does not do precision" in line


def problem_of(op, n, precision=None, batch=40):
    row = ROWS[op]
    precision = precision or row.precisions[-1 if row.precisions == "cz" else 1]
    beta = int("beta" in OPS[op].scalars)
    return Problem(op, precision, tuple(row.sizes(n, rhs=n - n // 2).values()), beta, batch)


def check_everyone(problem, without=()):
    """All that are here take part and agree with NumPy; returns them."""
    skipped = []
    names = [name for name in peers.peers_of(problem.op) if name not in without]
    ours = contenders.ours_of(problem.op)
    found = contenders.contenders(problem, ours, names, skipped.append)
    assert len(found) + len(skipped) == len(names) + len(ours)
    for line in skipped:
        assert any(peers.PEERS[name].get in line for name in names)
    for entry in found:
        contenders.check_numbers(entry)
    return found


@pytest.mark.parametrize("n", [3])
@pytest.mark.parametrize(
    "op", [pytest.param(op, marks=pytest.mark.thorough if op in ALIKE else ()) for op in ROWS if op != "gemm"]
)
def test_everyone_does_every_operation(op, n):
    found = check_everyone(problem_of(op, n))
    beside = ROWS[op].beside
    assert {entry.problem.op for entry in found} == {op, beside or op}


@pytest.mark.parametrize("op", ["trsm", "posv", "symm", "getrf"])
@pytest.mark.parametrize("precision", [pytest.param("s", marks=pytest.mark.thorough), "c"])
def test_other_precisions(op, precision):
    """Transposed complex matrices are not conjugated; Eigen takes long to compile, and has no cases of its own here."""
    check_everyone(problem_of(op, 3, precision), without=["eigen"])


def test_solutions_of_more_right_hand_sides_in_compact_form():
    """MKL's large matrices are as they are, small ones transposed."""
    for n in (3, 16):
        skipped = []
        contenders.contenders(problem_of("posv", n), [], ["mkl_compact"], skipped.append)
        assert not skipped or peers.PEERS["mkl_compact"].get in skipped[0]


@pytest.mark.parametrize("op", list(ROWS))
def test_a_thousand_calls_leave_ordinary_numbers(op):
    names = [name for name in ("scipy", "mkl_compact") if peers.PEERS[name].does(op)]
    for entry in contenders.contenders(problem_of(op, 3, batch=9), ["st", "bi", "il"], names, print):
        for _ in range(1000):
            entry.run()
        contenders.check_numbers(entry)


def test_numbers_that_grow_are_found(monkeypatch):
    monkeypatch.setattr(fills, "_almost_identity", fills._random)
    (entry,) = contenders.contenders(problem_of("trmm", 3, "s"), ["bi"], [], print)
    for _ in range(1000):
        entry.run()
    with pytest.raises(contenders.Wrong, match=r"bi on bb_strmm_lln.* left numbers that are not finite, or subnormal"):
        contenders.check_numbers(entry)


COPYING = [op for op, row in ROWS.items() if row.copying]
"""What works in place, and is timed on copies."""


def test_lu_works_on_copies():
    assert {"getrf", "gesv", "getri"} <= set(COPYING)


@pytest.mark.parametrize("op", COPYING)
def test_every_call_on_copies_begins_with_the_same_matrices_and_they_need_exchanges(op):
    problem = problem_of(op, 4)
    for name in ("st", "mkl_loop"):
        chosen = ([], [name]) if name in peers.PEERS else ([name], [])
        for entry in contenders.contenders(problem, *chosen, print):
            entry.run()
            once = [array.copy() for array in entry.arrays]
            entry.run()
            assert all(np.array_equal(*pair) for pair in zip(once, entry.arrays, strict=True))
            if name == "st":
                pivots = entry.arrays[[x.name for x in problem.spec.row.parameters].index("IPIV")]
                assert (pivots[..., 0] != np.arange(1, 5)).any(axis=1).mean() > 0.5


def test_sequences_with_lu_need_exchanges_too():
    cases = [case for case in fusion.CASES if {one.op for one in case.sequence.steps} & set(COPYING)]
    assert cases
    for case in cases:
        a = np.empty((40, *case.shapes(4)["A"]))
        case.fill({"A": a}, timed=True)
        assert (np.abs(a[:, :, 0]).argmax(axis=1) > 0).mean() > 0.5


@pytest.mark.parametrize("written", ["A", "A IPIV"])
def test_pivots_are_checked(written, monkeypatch):
    def make(module, problem, x):
        good = dict(zip(("A", "IPIV"), bb.getrf(x["A0"].copy()), strict=True))
        good["IPIV"] = good["IPIV"][..., None]
        return Ready(lambda: [np.copyto(x[name], good[name]) for name in written.split()])

    monkeypatch.setitem(PYTHON, ("getrf", "numpy"), make)
    if written == "A IPIV":
        assert contenders.contenders(problem_of("getrf", 3), [], ["numpy"], print)
        return
    with pytest.raises(contenders.Wrong, match="numpy is wrong on bb_dcopygetrf"):
        contenders.contenders(problem_of("getrf", 3), [], ["numpy"], print)


@pytest.mark.parametrize("layout", ["bi", "bi4", "il"])
def test_indices_change_their_layout(layout):
    indices = np.arange(66, dtype=np.int32).reshape(11, 6, 1)
    assert np.array_equal(as_layout(indices, layout, nb=8).deinterleave(), indices)


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
    monkeypatch.setitem(PYTHON, ("gemm", "numpy"), lambda module, problem, x: Ready(lambda: x["C"].fill(1)))
    with pytest.raises(contenders.Wrong, match="numpy is wrong on bb_dgemm_nn_st_m2n2k2"):
        contenders.contenders(Problem("gemm", "d", (2, 2, 2), 1, 3), [], ["numpy"], print)


@pytest.mark.parametrize("what", ["nothing", "only the last matrix", "one triangle"])
def test_a_wrong_result_in_place_is_found(what, monkeypatch):
    """Each contender begins with what the one before has overwritten; only what is written counts."""

    def make(module, problem, x):
        good = np.linalg.cholesky(x["A"])
        keep = {"nothing": np.s_[:0], "only the last matrix": np.s_[-1:]}.get(what, np.s_[:])
        return Ready(lambda: np.copyto(x["A"][keep], good[keep] + (np.triu(x["A"][keep], 1))))

    monkeypatch.setitem(PYTHON, ("potrf", "numpy"), make)
    problem = problem_of("potrf", 3)
    if what == "one triangle":
        found = contenders.contenders(problem, ["st"], ["scipy", "numpy"], print)
        assert {entry.name for entry in found} - {"scipy"} == {"st", "numpy"}
        return
    with pytest.raises(contenders.Wrong, match="numpy is wrong on bb_dpotrf_l_st_n3"):
        contenders.contenders(problem, ["st"], ["scipy", "numpy"], print)


def test_every_operation_of_a_shim_exists():
    for path in peers.shims():
        op, peer, _ = path.name.split(".")
        assert op in OPS
        assert peer in {found.interface or name for name, found in peers.PEERS.items()}


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


def test_bytes_of_operations_in_place():
    assert Problem("potrf", "d", (3,), 0, 1).bytes == 8 * 2 * 6
    assert Problem("trsm", "d", (3, 2), 0, 1).bytes == 8 * (6 + 2 * 6)
    assert Problem("posv", "s", (3, 2), 0, 1).bytes == 4 * 2 * (6 + 6)
    assert Problem("syrk", "d", (3, 4), 0, 1).bytes == 8 * (12 + 6)
    assert Problem("syrk", "z", (3, 4), 1, 1).bytes == 16 * (12 + 2 * 6)
    assert Problem("syrk", "d", (3, 4), 1, 1).stored == 8 * (12 + 9)


def test_bytes_of_what_works_on_copies():
    assert Problem("getrf", "d", (4, 3), 0, 1).bytes == 8 * 2 * 12 + 4 * 3
    assert Problem("gesv", "s", (3, 2), 0, 1).bytes == 4 * 2 * (9 + 6) + 4 * 3
    assert Problem("getri", "z", (3,), 0, 1).bytes == 16 * 2 * 9 + 4 * 3
    assert Problem("gesv", "d", (3, 2), 0, 1).flops == Problem("gesv", "d", (3, 2), 0, 1, alone=True).flops


def test_right_hand_sides(tmp_path):
    out = tmp_path / "rows.json"
    options = ["--batch", 30, "--repetitions", 2, "--peers", "numpy,scipy", "--ours", "st,bi", "--json", out]
    text = run("bench", "trsm", "--sizes", "2,3x4", "--rhs", "1,4", *options)
    rows = json.loads(out.read_text())["rows"]
    assert list(dict.fromkeys(row["shape"] for row in rows)) == ["2x1", "3x4", "2x4"]
    assert {(row["shape"], row["rhs"]) for row in rows} == {("2x1", 1), ("2x4", 4), ("3x4", 4)}
    assert {row["contender"] for row in rows} - {"scipy"} == {"st", "bi"}
    assert "skipped: NumPy: does not do trsm" in text
    for wrong in ("0", "1x2", "x"):
        assert "is not a list of" in run("bench", "trsm", "--rhs", wrong, code=2)
    assert "No such option" in run("bench", "potrf", "--beta", "1", code=2)


def test_another_operation_beside_has_its_own_work(tmp_path):
    out = tmp_path / "rows.json"
    options = ["--sizes", 2, "--batch", 30, "--repetitions", 2, "--peers", "numpy", "--states", "hot,cold"]
    run("bench", "syrk", "--ours", "st,gemm_st,gemm_bi", *options, "--json", out)
    rows = {row["contender"]: row for row in json.loads(out.read_text())["rows"] if row["state"] == "cold"}
    flops = {name: row["gflops"] * 1e9 * row["seconds"] / row["batch"] for name, row in rows.items()}
    assert flops == pytest.approx({"numpy": 12, "st": 12, "gemm_st": 16, "gemm_bi": 16}, rel=0.01)
    assert set(rows["st"]["ratios"]) == {"numpy"}
    assert rows["gemm_st"]["ratios"] == {}


def test_sequences(tmp_path):
    out = tmp_path / "rows.json"
    options = ["--sizes", "2", "--batch", 30, "--repetitions", 2, "--json", out]
    text = run("bench", "sequences", "--states", "steady,cold", "--layouts", "st,bi", *options)
    rows = json.loads(out.read_text())["experiments"]["fusion"]
    assert len(rows) == len(fusion.CASES) * 2 * 2
    for row in rows:
        assert row["gain"] > 0
        assert row["sequence"] in text


def test_a_wrong_sequence_is_found(monkeypatch):
    monkeypatch.setattr(fusion, "_unfused", lambda case, operands: lambda: None)
    with pytest.raises(fusion.Wrong, match="solve, unfused, is wrong in layout st"):
        list(fusion.measure(20, 2, sizes=[2]))


def test_threads(monkeypatch):
    from bblas_gen.bench import threads

    monkeypatch.setattr(threads, "SETTLE_SECONDS", 0)
    rows = list(threads.measure([(4, 20)], [0, 1], calls=2, repetitions=1))
    assert [(row["n"], row["batch"], row["busy"]) for row in rows] == [(4, 20, 0), (4, 20, 1)]
    assert all(row["gain"] > 0 and row["default_p99_seconds"] >= row["default_seconds"] > 0 for row in rows)
