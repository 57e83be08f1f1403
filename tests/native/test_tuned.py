"""What was tuned: kept, read, shown, checked, and only for the machine it was measured on."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

import bblas_gen as bb
from bblas_gen.bench import tune
from bblas_gen.cli.main import main
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import Isa
from bblas_gen.runtime import kernels, library
from bblas_gen.schedule import tuned
from bblas_gen.schedule.choose import choose, variations
from bblas_gen.toolchain.compilers import find_cc

SYMBOL = "bb_dgemm_nn_st_m6n6k6"
SPEC = KernelSpec.parse(SYMBOL)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("BBLAS_GEN_CONFIG_DIR", str(tmp_path))
    tuned.reset()
    kernels.reset()
    yield tmp_path
    monkeypatch.undo()
    tuned.reset()
    kernels.reset()


def test_rows_change_the_schedule_and_not_the_result(rng):
    simd_bytes = find_cc().simd_bytes
    a, b = rng.standard_normal((9, 6, 6)), rng.standard_normal((9, 6, 6))
    before = library.source_here(SPEC).schedule
    tuned.keep(simd_bytes, {SYMBOL: {"form": "lane", "width": 2}})
    after = library.source_here(SPEC).schedule
    assert (after.form, after.width) == ("lane", 2)
    assert after != before
    np.testing.assert_allclose(bb.gemm(a, b), a @ b, rtol=1e-12)
    assert bb.plan("gemm", a, b).kernel.source.schedule == after
    assert library.source_here(SPEC, form="direct").schedule.form == "direct"
    tuned.keep(simd_bytes, {SYMBOL: {}})
    assert library.source_here(SPEC).schedule == before


def test_rows_of_another_machine_count_for_nothing(folder):
    path = tuned.keep(find_cc().simd_bytes, {SYMBOL: {"form": "lane"}})
    text = json.loads(path.read_text())
    text["machines"] = {"another": next(iter(text["machines"].values()))}
    path.write_text(json.dumps(text))
    tuned.reset()
    assert tuned.rows(find_cc().simd_bytes) == {}


@pytest.mark.parametrize("text", ["{", "[]", '{"format": 1}', '{"format": 1, "machines": {"x": []}}', "[" * 100_000])
def test_a_damaged_file_warns_and_is_not_used(folder, text):
    (folder / "tuned.json").write_text(text)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert tuned.rows(find_cc().simd_bytes) == {}
    assert [w.category for w in caught] == [bb.TuneWarning]
    tuned.keep(find_cc().simd_bytes, {SYMBOL: {"form": "lane"}})
    assert tuned.rows(find_cc().simd_bytes) == {SYMBOL: {"form": "lane"}}


@pytest.mark.parametrize(
    "row",
    [
        {"form": "direct", "width": 3},
        {"form": "none"},
        {"form": None},
        {"width": "8; int x"},
        {"form": "direct", "width": 4, "rows": 1},
    ],
)
def test_an_impossible_row_warns_and_is_not_used(row):
    expected = choose(Program.of(SPEC), library.host_isa())
    tuned.keep(find_cc().simd_bytes, {SYMBOL: row})
    with pytest.warns(bb.TuneWarning):
        assert library.source_here(SPEC).schedule == expected


def test_a_relative_folder_is_refused(monkeypatch):
    monkeypatch.setenv("BBLAS_GEN_CONFIG_DIR", "here")
    with pytest.raises(ValueError, match="must be an absolute path, not 'here'"):
        tuned.location()


def test_variations_are_possible_and_differ():
    for symbol in (SYMBOL, "bb_dgemm_nn_bi_m9n9k9", "bb_zgemm_nn_st_m12n12k12", "bb_sgemm_tn_st_m3n3k3_ld"):
        spec = KernelSpec.parse(symbol)
        found = variations(Program.of(spec), Isa.of(32))
        assert replace(choose(Program.of(spec), Isa.of(32)), tiles=()) == found[0]
        assert len(set(found)) == len(found) > 2


def test_what_is_kept_of_a_variation_is_that_variation():
    for symbol in ("bb_dgemm_nn_bi_m9n9k9", "bb_sgemm_tn_st_m3n3k3_ld"):
        program, isa = Program.of(KernelSpec.parse(symbol)), Isa.of(64)
        for plan in variations(program, isa):
            row = {field: getattr(plan, field) for field in tuned.FIELDS}
            assert replace(choose(program, isa, **row), tiles=()) == plan


def test_tune(folder, monkeypatch):
    monkeypatch.setattr(tune, "GAIN", 0.0)  # whatever gains here, something is kept
    done = CliRunner().invoke(main, ["tune", "--sizes", "3", "--batch", "32", "--repetitions", "2", "--most", "3"])
    assert done.exit_code == 0, done.output
    assert "bb_dgemm_nn_st_m3n3k3" in done.output
    assert "best nb" in done.output
    report = json.loads((folder / "tuned.json").read_text())
    assert len(report["machines"]) == 1
    shown = json.loads(CliRunner().invoke(main, ["info", "--json"]).output)["tuned"]
    assert shown["path"] == str(folder / "tuned.json")
    assert shown["kernels"] == len(next(iter(report["machines"].values())))
