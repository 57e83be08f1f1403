"""Sequences in files: what is read, what is refused and in which line, and what the command line does with them."""

from __future__ import annotations

import json
import pickle

import pytest
from click.testing import CliRunner

import bblas_gen as bb
from bblas_gen.cli.main import main
from bblas_gen.codegen.render import render
from bblas_gen.ir.catalog import LISTED, OPS
from bblas_gen.ir.program import Program
from bblas_gen.ir.sequence_text import sequences_in
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import Isa
from bblas_gen.schedule.choose import choose

TEXT = """
# Two sequences.
sequence(
    [
        step("potrf", "A"),  # A = L L'
        step("trsm", "A", "B"),
        step("syrk", "B", "C", trans="T", alpha=-1, beta=1),
    ],
    name="schur",
)

sequence([step('gemm', 'A', 'B', 'T', alpha="weight"), step('gemm', 'T', 'B', 'C')], name='twice', scratch=['T'])
"""
PROTOCOLS = pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text(TEXT)
    return path


def run(*arguments, code=0):
    done = CliRunner().invoke(main, [str(x) for x in arguments])
    assert done.exit_code == code, done.output + repr(done.exception)
    return done.output


def schur():
    schur, _ = sequences_in(TEXT)
    return bb.OperationSequence(*schur)


def test_what_is_printed_is_read():
    found = [bb.OperationSequence(*one) for one in sequences_in(TEXT)]
    assert [one.row.name for one in found] == ["schur", "twice"]
    assert found[1].scratch == ("T",)
    assert found == [bb.OperationSequence.parse(repr(one)) for one in found]
    assert [bb.OperationSequence(*one) for one in sequences_in("\n".join(map(repr, found)))] == found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import os", "line 1: expected sequence"),
        ("\n\nsequence([step('potrf', 'A')]).row", "line 3: expected sequence"),
        ("x = sequence([step('potrf', 'A')])", "line 1: expected sequence"),
        ("sequence(\n[step('potrf', __import__('os'))])", "line 2: expected sequence"),
        ("sequence(\n[step('potrf', *'A')])", "line 2: expected sequence"),
        ("sequence([\nstep('gem', 'A')])", "line 2: op = 'gem' is not an operation"),
        ("sequence([step('potrf', 'A', op='potrf')])", "line 1: expected sequence"),
        ("sequence([step('potrf', 'A', **{'uplo': 'U'})])", "line 1: expected sequence"),
        ("sequence([step('potrf', 'A')], nme='a')", "line 1: expected sequence"),
        ("sequence([step('potrf', 'A')], name=3)", "line 1: expected sequence"),
        ("sequence([step('potrf', 'A')], scratch=3)", "line 1: expected sequence"),
        ("sequence([step('potrf', 'A')], scratch=[['A']])", "line 1: expected sequence"),
        ("sequence([step('potrf', 'A')], [])", "line 1: expected sequence"),
        ("sequence(steps=[step('potrf', 'A')])", "line 1: expected sequence"),
        ("sequence([potrf('A')])", "line 1: expected sequence"),
        ("sequence([step('potrf', 'A')]", "line 1: '(' was never closed"),
        ("sequence([step('potrf', '\0')])", "expected sequence"),
        ("sequence([step('scal', 'X', alpha=" + "-" * 20_000 + "1)])", "expected sequence"),
        ("sequence([step('potrf', 'A; int')])", "operand 'A; int' is not a name"),
        ("sequence([step('potrf', 'A')], name='a*/')", "name = 'a*/'"),
    ],
)
def test_anything_else_is_refused(text, expected):
    with pytest.raises(bb.SpecError) as refused:
        [bb.OperationSequence(*one) for one in sequences_in(text)]
    assert expected in str(refused.value)


def test_one_sequence_is_one():
    with pytest.raises(bb.SpecError, match="text has 2 sequences: expected one"):
        bb.OperationSequence.parse(TEXT)


def test_a_file_names_sequences_for_all_commands(file, tmp_path):
    named = "--sequences", file, "--op", "schur", "-s", "m=4", "-s", "n=3"
    spec = KernelSpec.make(schur().row, "d", "st", m=4, n=3)
    text = run("show", *named)
    assert f"int {spec.symbol()}(double *A, " in text
    assert run("show", "--sequences", file, spec.symbol()) == text
    assert json.loads(run("explain", *named, "--json"))[0]["bodies"] == ["potrf A", "trsm A, B", "syrk B, C"]
    out = tmp_path / "out"
    run("emit", *named, "-o", out, "--simd-bytes", 32)
    assert [x.name for x in (out / "src").iterdir()] == [f"{spec.symbol()}.c"]
    assert f"int {spec.symbol()}(" in (out / "include" / "bblas_kernels.h").read_text()
    rows = json.loads(run("list", "--sequences", file, "--json"))
    assert [row["name"] for row in rows[-2:]] == ["schur", "twice"]
    assert rows[-2]["operands"] == "A m x m, B m x n, C n x n"


def test_the_only_sequence_of_a_file_needs_no_name(tmp_path):
    path = tmp_path / "one.txt"
    path.write_text(repr(schur()))
    assert "schur" in run("show", "--sequences", path, "-s", "m=4", "-s", "n=3")


def test_files_that_cannot_be(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "op = 'schur' is not an operation" in run("show", "--op", "schur", "-s", "m=4", code=2)  # no file is found
    assert "expected one of schur, twice" in run("show", "--sequences", file, "-s", "m=4", code=2)
    sizes = run("show", "--sequences", file, "--op", "schur", "-s", "m=4", code=2)
    assert "n = None is not a size" in sizes
    assert "(A m x m, B m x n, C n x n)" in sizes
    assert "does not exist" in run("list", "--sequences", tmp_path / "none", code=2)
    for text, expected in (
        (TEXT + TEXT, "two sequences have the name 'schur'"),
        ("sequence([step('gem', 'A')])", "bad.txt: line 1: op = 'gem'"),
        ("sequence([step('potrf', 'A')], name='gemm')", "name = 'gemm'"),
    ):
        (tmp_path / "bad.txt").write_text(text)
        assert expected in " ".join(run("list", "--sequences", "bad.txt", code=2).split())
    (tmp_path / "bad.txt").write_bytes(b"\xff\xfe")
    assert "bad.txt" in run("list", "--sequences", "bad.txt", code=2)


@PROTOCOLS
def test_specs_and_sequences_pickle(protocol):
    spec = KernelSpec.make(schur().row, "z", ["st", "bi", "pp"], nb=3, strides="ld", m=4, n=3)
    for x in (schur(), spec, KernelSpec.make("trsm", m=2, n=3, side="R")):
        copy = pickle.loads(pickle.dumps(x, protocol))
        assert copy == x
        assert repr(copy) == repr(x)
        assert hash(copy) == hash(x)


def test_specs_are_shown_as_what_reads_them():
    spec = KernelSpec.make("trsm", "d", "bi", m=2, n=3, side="R")
    assert repr(spec) == "KernelSpec.parse('bb_dtrsm_rlnn_bi_m2n3', 'cpu')"
    assert eval(repr(spec), {"KernelSpec": KernelSpec}) == spec
    mine = KernelSpec.make(schur().row, "d", "bi", target="cuda", m=4, n=3)
    assert repr(mine) == f"KernelSpec.parse('{mine.symbol()}', 'cuda', sequence=schur)"
    assert eval(repr(mine), {"KernelSpec": KernelSpec, "schur": schur().row}) == mine


def test_symbols_of_sequences_stay_from_version_to_version():
    """C programs call them."""
    one = bb.sequence([bb.step("lacpy", "A", "T"), bb.step("gemm", "T", "A", "C", alpha=0.1)], scratch="T")
    assert one.row.symbol == "sequencea71793ec"


def test_sizes_of_sequences_have_names():
    assert schur().shapes == {"A": ("m", "m"), "B": ("m", "n"), "C": ("n", "n")}


@pytest.mark.parametrize("op", [name for name, row in OPS.items() if row.returns])
def test_every_operation_may_stand_alone(op):
    """Its sizes have other names then. Small and large, of arrays and in blocks, of any size, for GPUs; with a text."""
    row = bb.sequence([bb.step(op, *(x.name for x in OPS[op].parameters))], name="alone").row
    kinds = [("st", 3), ("st", 17), ("bi", 3), ("st", None)]
    for layout, size, target in [*((*kind, "cpu") for kind in kinds), ("st", 5, "cuda")]:
        program = Program.of(KernelSpec.make(row, "d", layout, target=target, **dict.fromkeys(row.sizes, size)))
        schedule = choose(program, Isa.of(64))
    assert program.spec.symbol() in render(program, schedule).text


def test_parts_of_other_operations_are_in_no_list():
    hidden = OPS.keys() - {row.name for row in LISTED}
    assert {"trti2", "checkdiag"} <= hidden
    with pytest.raises(bb.SpecError) as refused:
        bb.step("inverse", "A")
    assert not hidden & set(str(refused.value).replace(",", "").split())
    assert not hidden & {row["name"] for row in json.loads(run("list", "--json"))}
