"""Which kernels a program uses, written down and compiled ahead."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner

import bblas_gen as bb
from bblas_gen.cli.main import main
from bblas_gen.ir.kernel_set import entry, specs_in
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime.state import RUNTIME

A = np.ones((3, 2, 2))
GEMM = "bb_dgemm_nn_st_m2n2k2"


def names(path):
    return [spec.symbol() for spec in specs_in(path.read_text())]


def two_steps():
    return bb.sequence([bb.step("gemm", "A", "A", "B"), bb.step("gemm", "A", "B", "C")], scratch="B", name="cube")


def test_kernels_are_written_down_when_they_are_used(tmp_path):
    path = tmp_path / "set.toml"
    bb.gemm(A, A)
    with bb.record(path):
        for _ in range(2):
            bb.gemm(A, A)
            bb.gemm(A[:1], A[:1])
        assert names(path) == [GEMM]
        bb.syrk(A)
        bb.compile("gemm", m=2, n=2, k=2, unroll=2)
        cube = two_steps()
        cube(A=A)
    bb.trmm(A, A.copy())
    found = specs_in(path.read_text())
    assert [spec.symbol() for spec in found] == [GEMM, "bb_dsyrk_ln_st_n2k2_rm", found[2].symbol()]
    assert found[2].sequence == cube.row
    assert not RUNTIME.recorders


def test_a_set_grows_and_has_each_kernel_once(tmp_path):
    path = tmp_path / "set.toml"
    path.write_text("# mine\n" + entry(KernelSpec.parse("bb_dsyrk_ln_st_n2k2_rm")))
    with bb.record(path), bb.record(tmp_path / "other.toml"):
        bb.syrk(A)
        bb.gemm(A, A)
    assert names(path) == ["bb_dsyrk_ln_st_n2k2_rm", GEMM]
    assert names(tmp_path / "other.toml") == ["bb_dsyrk_ln_st_n2k2_rm", GEMM]
    assert path.read_text().startswith("# mine\n")


def test_the_environment_records_a_program_and_its_children(tmp_path):
    path = tmp_path / "set.toml"
    text = (
        "import os, numpy as np, bblas_gen as bb; a = np.ones((3, 2, 2)); bb.gemm(a, a)\n"
        "if os.fork() == 0:\n    bb.syrk(a)\n    os._exit(0)\nos.wait()\nbb.gemm(a, a)"
    )
    subprocess.run([sys.executable, "-c", text], check=True, env=os.environ | {"BBLAS_GEN_RECORD": str(path)})
    assert names(path) == [GEMM, "bb_dsyrk_ln_st_n2k2_rm"]


def test_a_set_is_compiled_ahead(tmp_path):
    path = tmp_path / "set.toml"
    spec = bb.compile(two_steps(), m=2).spec
    path.write_text(entry(KernelSpec.parse(GEMM)) + entry(spec))
    done = CliRunner().invoke(main, ["compile", "--set", str(path)])
    assert done.exit_code == 0, done.output
    assert [line.split()[0] for line in done.output.splitlines()] == [GEMM, spec.symbol()]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kernel", "no set of kernels: "),
        ("[[kernels]]\nname = 'x'\n", r"expected tables \[\[kernel\]\]"),
        ("kernel = 3", r"expected tables \[\[kernel\]\]"),
        ("[[kernel]]\nnames = 'x'\n", "no kernel of a set: {'names': 'x'}"),
        ("[[kernel]]\nname = 3\n", "no kernel of a set"),
        ("[[kernel]]\nname = 'bb_dfoo_st_n2'\n", "dfoo|'foo'"),
        ("[[kernel]]\nname = 'bb_dpotrf_l_st_n2'\nsequence = 'import os'\n", "line 1: expected sequence"),
    ],
)
def test_what_is_no_set_is_refused(tmp_path, text, message):
    path = tmp_path / "set.toml"
    path.write_text(text)
    with pytest.raises(bb.SpecError, match=message):
        specs_in(text)
    with pytest.raises(bb.SpecError, match=message), bb.record(path):
        pass
    done = CliRunner().invoke(main, ["compile", "--set", str(path)])
    assert done.exit_code == 2
    assert str(path) in done.output.replace("\n", "")


def test_a_file_that_cannot_be_written_is_refused_at_once(tmp_path):
    with pytest.raises(OSError, match="Is a directory"), bb.record(tmp_path):
        pass


def test_the_variable_is_named_where_its_file_cannot_be_written(tmp_path, monkeypatch):
    monkeypatch.setenv("BBLAS_GEN_RECORD", str(tmp_path))
    monkeypatch.setattr(RUNTIME, "recorders", None)
    with pytest.raises(IsADirectoryError, match="BBLAS_GEN_RECORD"):
        bb.record(tmp_path / "set.toml").__enter__()


def test_a_program_that_goes_to_another_folder_writes_to_the_file_it_began(tmp_path, monkeypatch):
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path)
    with bb.record("set.toml"):
        monkeypatch.chdir(tmp_path / "inner")
        bb.gemm(A, A)
    assert names(tmp_path / "set.toml") == [GEMM]


def test_a_disk_that_is_full_later_is_a_warning(tmp_path):
    with bb.record(tmp_path / "set.toml"):
        RUNTIME.recorders[-1].path = tmp_path
        with pytest.warns(bb.CacheWarning, match="kernels are not recorded"):
            bb.gemm(A, A)
