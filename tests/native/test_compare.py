"""`bblas-gen bench compare`, `general` and `variable`: kernels against others, and batches of different sizes."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from bblas_gen.bench import compare, figures, general, variable
from bblas_gen.bench.contenders import Wrong
from bblas_gen.bench.measure import Timing
from bblas_gen.bench.problem import ROWS
from bblas_gen.cli.main import main

NAMES = ["bb_dgemm_nn_st_m3n3k3", "bb_dposv_l_bi_n3nrhs1"]
CHOICE = ["bench", "compare", "--ops", "gemm,posv", "--sizes", "3", "--repetitions", "2"]


def run(*words):
    done = CliRunner().invoke(main, list(map(str, words)))
    assert done.exit_code == 0, done.output + repr(done.exception)
    return done.output


def test_kernels_of_another_version(tmp_path):
    names = run(*CHOICE).split()
    assert set(NAMES) <= set(names)
    folder = tmp_path / "src"
    run("emit", "-o", tmp_path, *NAMES)
    path = folder / f"{NAMES[0]}.c"
    same = path.read_text()
    path.write_text("/* another comment */\n" + same)
    assert "2 kernels are the same, 0 differ" in run(*CHOICE, folder)
    path.write_text(same.replace("return 0;", "return 0 + 0;"))
    output = tmp_path / "rows.json"
    text = run(*CHOICE, folder, "--json", output)
    assert "1 kernels are the same, 1 differ" in text
    rows = {row["symbol"]: row for row in json.loads(output.read_text())["experiments"]["compare"]}
    assert set(rows) == set(NAMES)
    assert rows[NAMES[0]]["ratio"] > 0
    assert rows[NAMES[0]]["seconds"] > 0
    assert rows[NAMES[1]]["same"]


@pytest.mark.parametrize("layout", ["st", "bi"])
@pytest.mark.parametrize("op", [op for op, row in ROWS.items() if row.copying])
def test_what_is_measured_on_copies_is_compared_in_place(op, layout):
    """On matrices that calls leave as they are."""
    ((problem, _),) = compare.problems_of([op], "d", [3], [layout])
    pair = compare.Pair.of(replace(problem, batch=9), layout)
    assert pair.ready.kernel.source.symbol == compare.symbol_of(problem, layout)
    before = pair.memory[0].copy()
    for _ in range(1000):
        pair.ready()
    assert np.abs(pair.memory[0] - before).max() < 1e-4


def test_a_folder_of_other_kernels(tmp_path):
    done = CliRunner().invoke(main, [*CHOICE, str(tmp_path)])
    assert done.exit_code == 1
    assert "has no source of these kernels" in done.output


def test_general_kernels(tmp_path, monkeypatch):
    """A general kernel that takes twice as long has half of the speed."""
    monkeypatch.setattr(general, "hot", lambda runs, _: [Timing((second, second)) for second in (1.0, 2.0)])
    output = tmp_path / "rows.json"
    text = run("bench", "general", "--sizes", "2,3", "--repetitions", "2", "--json", output)
    rows = json.loads(output.read_text())["experiments"]["general"]
    assert [(row["symbol"], row["n"]) for row in rows] == [("bb_dgemm_nn_bi_mnk", n) for n in (2, 3)]
    assert [(row["specialized_seconds"], row["seconds"], row["ratio"]) for row in rows] == [(1, 2, 0.5)] * 2
    assert text.count("0.500") == 2


def test_variable_batches(tmp_path):
    """Each form of calling, beside a loop and fixed batches; and the figure of it."""
    output = tmp_path / "rows.json"
    text = run("bench", "variable", "--sizes", "2,3", "--batch", "30", "--repetitions", "2", "--json", output)
    rows = json.loads(output.read_text())["experiments"]["variable"]
    assert [(row["op"], row["sizes"], row["form"]) for row in rows] == [
        (case.op, top, form) for case in variable.CASES for top in (2, 3) for form in variable.FORMS
    ]
    assert all(row["gain"] > 0 and row["ns_per_matrix"] == pytest.approx(row["seconds"] / 30e-9, 0.01) for row in rows)
    assert [row["fixed"] for row in rows if row["form"] == "fixed"] == [1.0] * 4
    assert text.count("posv") == 8
    assert len(figures.DRAW["variable"](rows).panels) == 2


def test_a_variable_batch_that_is_wrong_is_found(monkeypatch):
    wrong = replace(variable.CASES[0], one=lambda a, b, c: np.add(a, b, out=c))
    monkeypatch.setattr(variable, "CASES", [wrong])
    with pytest.raises(Wrong, match="gemm of plan is not what NumPy has"):
        list(variable.measure([2], 20, 2, 1))


def test_a_general_kernel_that_differs_is_found(monkeypatch):
    kernel = general.kernels.kernel
    monkeypatch.setattr(general.kernels, "kernel", lambda spec: replace(kernel(spec), library=Idle()))
    with pytest.raises(Wrong, match="bb_dgemm_nn_bi_mnk differs from bb_dgemm_nn_bi_m2n2k2"):
        list(general.measure(general.problems_of(["gemm"], "d", [2], 1), ["bi"], 2))


class Idle:
    """A library whose kernel does nothing."""

    def function(self, *arguments):
        return 0
