"""bb.build: the same library as the command's, the same refusals. Nothing is compiled."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

import bblas_gen as bb
from bblas_gen.cli import build as command
from bblas_gen.cli.main import main
from bblas_gen.ir.kernel_set import entry
from bblas_gen.library import build as builder
from bblas_gen.toolchain import compilers

SEQUENCE = bb.sequence([bb.step("gemm", "A", "B", "C"), bb.step("potrf", "C")], name="both")
NAMES = ["bb_dgemm_nn_st_m2n3k4_ld", "bb_dgemm_nn_st_m2n3k4"]


@pytest.fixture
def plans(monkeypatch):
    """The libraries that were to be built; there is a compiler that does nothing."""
    found = []

    def noted(plan, folder, **named):
        found.append((plan, folder, named["jobs"]))
        return builder.Built((folder / "library",), 0)

    monkeypatch.setattr(compilers, "find_cc", lambda: compilers.Compiler("/nowhere/cc", "gcc", "0", simd_bytes=32))
    monkeypatch.setattr(compilers, "has_openmp", lambda cc: True)
    monkeypatch.setattr(builder, "build", noted)
    monkeypatch.setattr(command, "build", noted)
    return found


def test_it_builds_what_the_command_builds(plans, tmp_path):
    kernels, sequences = tmp_path / "set.toml", tmp_path / "sequences"
    kernels.write_text("".join(entry(bb.KernelSpec.parse(name)) for name in NAMES))
    sequences.write_text(repr(SEQUENCE))
    words = f"build --set {kernels} --sequences {sequences} --ops trsm,both --dtypes sz --sizes 2..3 --layouts st,pp"
    words += f" --api vendor --isa x86-64-v3 --name fast --prefix f_ --no-openmp -j 3 -o {tmp_path}"
    done = CliRunner().invoke(main, words.split())
    assert done.exit_code == 0, done.output
    options = {
        "ops": ["trsm", SEQUENCE],
        "dtypes": "sz",
        "sizes": [2, 3],
        "layouts": ["st", "pp"],
        "api": ["vendor"],
        "isa": ["x86-64-v3"],
        "name": "fast",
        "prefix": "f_",
        "openmp": False,
        "jobs": 3,
    }
    for specs in (kernels, [bb.KernelSpec.parse(NAMES[0]), NAMES[1]]):
        assert bb.build(specs, tmp_path, **options) == [tmp_path / "library"]
        assert plans[-1] == plans[0]
    assert len(plans[0][0].families) == 5
    assert [spec.symbol() for spec in plans[0][0].more] == NAMES[1:]


def test_what_is_left_out_has_the_defaults_of_the_command(plans, tmp_path):
    bb.build([], tmp_path, ops=["gemm"])
    CliRunner().invoke(main, ["build", "--ops", "gemm", "-o", str(tmp_path)])
    assert plans[0] == plans[1]


@pytest.mark.parametrize(
    ("specs", "options", "why"),
    [
        ([], {}, "nothing to build"),
        (["bb_dgemm"], {}, "not a kernel symbol"),
        ([], {"ops": ["none"]}, "op = 'none' is not an operation"),
        ([], {"ops": ["gemm"], "dtypes": "dq"}, "dtype = 'q' is not supported"),
        ([], {"ops": ["gemm"], "layouts": ["il"]}, "layouts = 'il': expected some of pp, st, bi"),
        ([], {"ops": ["gemm"], "isa": ["avx9"]}, "isa = 'avx9' is unknown"),
        ([], {"ops": ["gemm"], "isa": ["native", "x86-64"]}, "expected native alone"),
        ([], {"ops": ["gemm"], "api": ["none"]}, "api = 'none' is unknown"),
        ([], {"ops": ["gemm"], "api": ["standard"], "layouts": ["st"]}, "expected layouts with pp"),
    ],
)
def test_what_cannot_be_built_is_refused(plans, tmp_path, specs, options, why):
    with pytest.raises(bb.SpecError, match=why):
        bb.build(specs, tmp_path, **options)
    assert not plans


@pytest.mark.parametrize(("count", "lines"), [(25, 10), (3, 3), (0, 0)])
def test_progress_is_told_line_by_line_where_there_is_no_terminal(count, lines, capsys):
    """Whoever reads it from a file sees that something is done: every unit of few, every tenth part of many."""
    with command.progress() as done:
        for i in range(count):
            done(i + 1, count)
    told = capsys.readouterr().err.splitlines()
    assert len(told) == lines
    assert not told or told[-1] == f"Compiling {count}/{count}"
