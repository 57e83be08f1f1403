"""What is made of measurements: which are noise, what figures say and look like, what is told beside them."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from bblas_gen.bench import noise, progress
from bblas_gen.bench.peers import PEERS, Missing, _why
from bblas_gen.bench.problem import Problem
from bblas_gen.errors import CompileError
from bblas_gen.schedule import tuned
from bblas_gen.toolchain import machine

pytest.importorskip("matplotlib")

from bblas_gen.bench import figures, report, sentences
from bblas_gen.bench.drawing import STYLES


def row(contender, n, gflops, *, state="hot", spread=0.01, fraction=0.5, **ratios):
    return {
        "op": "gemm",
        "dtype": "d",
        "shape": str(n),
        "beta": 1,
        "threads": 1,
        "contender": contender,
        "state": state,
        "spread": spread,
        "gflops": gflops,
        "roofline": 2 * gflops,
        "fraction": fraction,
        "ratios": ratios,
    }


ROWS = [
    row("libxsmm", 2, 10.0),
    row("numpy", 2, 1.0),
    row("bi", 2, 20.0, libxsmm=2.0, numpy=20.0),
    row("libxsmm", 3, 10.0),
    row("bi", 3, 5.0, fraction=0.25, libxsmm=0.5),
    row("libxsmm", 4, 1.0, spread=0.9),
    row("bi", 4, 30.0, libxsmm=30.0),
    row("libxsmm", 8, 10.0),
    row("bi", 8, 80.0, fraction=1.2, libxsmm=8.0),
]
"""Two sizes, one where a peer's measurement is noise, and one where ours is."""


def of(rows=(), **experiments):
    described = {"cpu": "a <processor>", "cores": 2, "simd_bytes": 64, "caches": {"l2": 2048}, "load": 0.5}
    return {
        "date": "2026-11-22T04:00:00+00:00",
        "command": "bblas-gen bench",
        "machine": described,
        "versions": {"compiler": "gcc"},
        "rows": list(rows),
        "experiments": experiments,
    }


def test_noise():
    assert [noise.is_noise(one) for one in ROWS] == [False] * 5 + [True, False, False, True]
    assert not noise.is_noise({"ratio": 3.0})
    assert noise.summary(ROWS).startswith("noise: 2 of 9 rows")
    assert noise.summary(ROWS[:3]) == ""


def test_sentences_count_no_noise():
    text = sentences.against_peers(figures.series(ROWS))
    assert text == (
        "In cache, bi is 1.00 times as fast as the best peer (geometric mean of 2 sizes, 0.5 to 2); slower at n = 3"
        " (0.50 of LIBXSMM)."
    )
    assert sentences.each_peer(ROWS, "bi") == (
        "bi is 1.00 times as fast as LIBXSMM (0.5 to 2); 20.00 times as fast as NumPy (20)."
    )
    assert sentences.of_the_roofline(ROWS) == "In cache, bi reaches 25 to 50 % (least at n = 3) of the roofline."
    assert sentences.against_peers([row("bi", 2, 1.0)]) == "No peer was measured beside it."
    assert sentences.of_the_roofline([row("bi", 2, 1.0, spread=1)]) == sentences.NOISE
    assert sentences.span([10.0, 30_000.0]) == "10 to 30,000"


def test_gains():
    rows = [{"n": n, "gain": gain} for n, gain in ((2, 4.0), (3, 0.25))]
    text = sentences.gains(rows, "gain", "It is {} as fast", ("n",))
    assert text == "It is 1.00 times as fast (geometric mean; 0.25 to 4); below 1 at n = 3 (0.25)."
    assert sentences.gains(rows[:1], "gain", "It is {} as fast", ("n",)).endswith("; nowhere below 1.")
    assert sentences.gains([row | {"spread": 1} for row in rows], "gain", "{}", ("n",)) == sentences.NOISE


def test_a_contender_has_one_colour_in_all_figures():
    drawn = [draw(figures.series(ROWS)) for draw in (figures.rates, figures.ratios, figures.fractions)]
    for figure in drawn:
        for style in figure.legend:
            known = STYLES["bi"] if style.label.startswith("bi") else next(s for s in STYLES.values() if s == style)
            assert style.colour == known.colour
        for panel in figure.panels:
            assert panel.startswith('<svg role="img" aria-label="')
            assert "currentColor" in panel
            assert not re.match(r"<svg[^>]* (width|height)=", panel)
    boxes = {re.search(r'viewBox="[^"]*"', panel)[0] for figure in drawn for panel in figure.panels}
    assert len(boxes) == 1, "panels are of one size"


def test_quartiles_are_drawn_and_noise_is_no_part_of_a_line():
    (with_bars,) = figures.rates(figures.series(ROWS[:3])).panels
    (without,) = figures.rates(figures.series([row | {"spread": 0.0} for row in ROWS[:3]])).panels
    assert with_bars != without
    (clean,) = figures.rates(figures.series(ROWS[:5])).panels
    (noisy,) = figures.rates(figures.series([*ROWS[:5], row("bi", 4, 99.0, spread=0.9)])).panels
    line = re.compile(r'<path d="(M [^"]*L[^"]*)"[^>]*stroke: ' + STYLES["bi"].colour)
    assert len(line.findall(clean)) == len(line.findall(noisy)) > 0


def test_the_page_has_a_section_for_every_kind_of_file():
    compared = {"symbol": "bb_dgemm_nn_bi_m4n4k4", "same": False, "ratio": 0.9, "seconds": 1e-5}
    busy = {"n": 6, "batch": 10, "busy": 4, "one_seconds": 1e-4, "default_seconds": 5e-5, "gain": 2.0}
    any_size = {"symbol": "bb_dgemm_nn_bi_mnk", "n": 2, "ratio": 0.8, "spread": 0.1}
    unlike = {"op": "gemm", "sizes": 8, "form": "plan", "gain": 9.0, "spread": 0.1}
    reports = {
        "gemm.json": of(ROWS),
        "others.json": of(compare=[compared], threads=[busy], general=[any_size], variable=[unlike]),
        "over head.json": of([{"what": "C call", "value": 0.7, "unit": "us"}]),
    }
    page = report.page(reports)
    for title in (*report.OTHERS.values(), "Overhead", "gemm: C := A B + C, 1 thread"):
        assert f"{title}</h2>" in page
    for link in ("gemm.json", "others.json", "over%20head.json"):
        assert f'href="{link}"' in page
    assert "2026-11-22 &middot; a &lt;processor&gt;, 2 core(s)" in page
    assert page.count("a &lt;processor&gt;") == 1
    for text in ("width=device-width", "prefers-color-scheme: dark", "80.0 !", "marked so: 2."):
        assert text in page
    assert "A kernel for any size has 0.80 times the speed" in page
    assert "Matrices of different sizes are done 9.00 times as fast as by a loop of NumPy calls" in page


def test_shapes_that_no_figure_shows_have_a_sentence():
    page = report.page({"a.json": of([one | {"shape": f"{one['shape']}x7x8"} for one in ROWS])})
    assert "<figure" not in page
    assert page.count("slower at 3x7x8 (0.50 of LIBXSMM)") == 2


def test_kernels_that_are_all_the_same_have_no_figure():
    page = report.page({"a.json": of(compare=[{"symbol": "bb_dgemm_nn_bi_m4n4k4", "same": True, "ratio": 1.0}])})
    assert "<figure" not in page
    assert "bb_dgemm_nn_bi_m4n4k4" in page


def test_peers_that_are_skipped_are_told_once_and_together(capsys):
    skipped = progress.Skipped()
    for peer in ("MKL batch", "MKL loop", "MKL batch"):
        skipped(f"{peer}: not found (pip install mkl)")
    skipped("LIBXSMM: found, but its shim does not compile here (apt-get install libxsmm-dev)")
    skipped.tell()
    assert capsys.readouterr().err.splitlines() == [
        "skipped: MKL batch; MKL loop: not found (pip install mkl)",
        "skipped: LIBXSMM: found, but its shim does not compile here (apt-get install libxsmm-dev)",
    ]


def test_what_is_not_found_and_what_does_not_compile(tmp_path):
    def failed(text):
        return CompileError("peer", ["cc"], text, tmp_path / "x.c", tmp_path)

    assert _why(failed("/usr/bin/ld: cannot find -lxsmm: No such file or directory")) == "not found"
    assert _why(failed("fatal error: mkl.h: No such file or directory")) == "not found"
    assert _why(Missing("no package mkl")) == "not found"
    assert "does not compile" in _why(failed("error: too few arguments to function"))
    assert PEERS["libxsmm"].get


@pytest.mark.parametrize(("load", "busy"), [(0.3, False), (2.5, True), (None, False)])
def test_threads_and_load_are_told_and_a_busy_machine_warned_of(load, busy, monkeypatch, capsys):
    monkeypatch.setattr(machine, "load", lambda: load)
    monkeypatch.setattr(machine, "cores", lambda: 2)
    with progress.measuring(1):
        pass
    told = capsys.readouterr().err
    assert told.startswith("threads 1, cores 2, load ")
    assert ("the machine is busy" in told) == busy


def test_a_line_for_each_problem_where_there_is_no_terminal(capsys):
    problems = [Problem("gemm", "d", (n, n, n), 0, 10) for n in (2, 3)]
    assert list(progress.steps(problems)) == problems
    first, second = capsys.readouterr().err.splitlines()
    assert first == "bb_dgemm_nn_st_m2n2k2: 1 of 2"
    assert re.fullmatch(r"bb_dgemm_nn_st_m3n3k3: 2 of 2, about \d+ s left", second)


def test_tune_writes_nothing_where_nothing_gains(tmp_path, monkeypatch):
    from click.testing import CliRunner

    from bblas_gen.bench import tune

    monkeypatch.setattr(tune, "find_cc", lambda: SimpleNamespace(simd_bytes=64))
    monkeypatch.setenv("BBLAS_GEN_CONFIG_DIR", str(tmp_path / "config"))
    tuned.reset()
    found = {"row": {}}
    monkeypatch.setattr(tune, "_best", lambda *_: ("bb_dgemm_nn_st_m2n2k2", found["row"], 1.0))
    arguments = ["--sizes", "2", "--layouts", "st"]
    text = CliRunner().invoke(tune.tune, arguments).output
    assert "nothing gained: nothing written" in text
    assert not (tmp_path / "config").exists()
    found["row"] = {"unroll": 2}
    assert "wrote" in CliRunner().invoke(tune.tune, arguments).output
    found["row"] = {}  # what does not gain any more is removed
    assert "wrote" in CliRunner().invoke(tune.tune, arguments).output
    assert "unroll" not in tuned.location().read_text()
    tuned.reset()
