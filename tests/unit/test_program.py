"""The analysed program: what follows from a spec is worked out once, operations and targets are data."""

from __future__ import annotations

import ast
import json
import pickle
from pathlib import Path

import pytest
from click.testing import CliRunner

import bblas_gen as bb
from bblas_gen.cli.main import main
from bblas_gen.codegen.render import render, source_of
from bblas_gen.ir import program as program_module
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.operation import By, by, picked, same
from bblas_gen.ir.program import Program
from bblas_gen.ir.sizes import evaluate, renamed
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import TARGETS, Isa
from bblas_gen.ir.terms import Layout
from bblas_gen.schedule.choose import choose

PACKAGE = Path(bb.__file__).parent
SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if "bench" not in path.parts)
SYMBOLS = ("bb_dgemm_nn_st_m4n4k4", "bb_dposv_l_st_n4nrhs1_rm", "bb_zher2k_un_st_n12k2_rm", "bb_dpotri_l_bi_n5")


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_bodies_are_bound_once_for_a_source(symbol, monkeypatch):
    calls = []
    bound = program_module.bound_bodies
    monkeypatch.setattr(program_module, "bound_bodies", lambda spec: calls.append(spec) or bound(spec))
    source_of(KernelSpec.parse(symbol), Isa.of(64))
    assert len(calls) == 1


def test_stages_need_nothing_but_what_is_before_them():
    program = Program.of(KernelSpec.parse("bb_dposv_l_st_n4nrhs1_rm"))
    assert [body.row.name for body in program.bodies] == ["potrf", "trsm", "trsm"]
    assert program.preserved == ("B",)
    assert program.needs == {"algebra", "reciprocal", "root", "square"}
    schedule = choose(program, Isa.of(64))
    assert len(schedule.tiles) == 3
    assert render(program, schedule).symbol == program.spec.symbol()


def compared(tree):
    """What is compared with something: the constants, and the names of attributes on the other side."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            constants = {x.value for side in sides for x in ast.walk(side) if isinstance(x, ast.Constant)}
            names = {x.attr if isinstance(x, ast.Attribute) else getattr(x, "id", "") for x in sides}
            yield node.lineno, constants, names


def test_no_target_and_no_operation_is_asked_by_name():
    """What differs between two rows is a column."""
    for path in SOURCES:
        here = path.relative_to(PACKAGE).as_posix()
        for line, constants, names in compared(ast.parse(path.read_text())):
            assert not constants & {*TARGETS}, f"{here}:{line} asks for a target by its name"
            assert "target" not in names or "TARGETS" in names, f"{here}:{line} compares a target"
            assert not constants & {*OPS} or here == "ir/catalog.py", f"{here}:{line} asks for an operation by name"


def test_that_a_comparison_would_be_found():
    found = list(compared(ast.parse('x = spec.target == "cpu" or body.row.name in ("trsm", "trmm")')))
    assert [constants for _, constants, _ in found] == [{"cpu"}, {"trsm", "trmm"}]


def test_cuda_sources_do_not_depend_on_the_host():
    for symbol in ("bb_dgemm_nn_bi_m4n4k4", "bb_dpotrf_l_bi_n5"):
        spec = KernelSpec.parse(symbol, "cuda")
        assert len({source_of(spec, Isa.of(simd_bytes)).text for simd_bytes in (16, 32, 64)}) == 1


def test_teams_have_the_halves_of_a_solver():
    """Right-hand sides of matrices that fail are left by the second one, and nothing is fetched from elsewhere."""
    keeps = KernelSpec.make("gesvk", "d", "st", n=9, nrhs=2, target="cuda")
    alone, shared = Program.of(keeps), Program.of(keeps).in_form("team")
    assert [body.row.name for body in alone.bodies] == ["gesv"]
    assert [body.row.name for body in shared.bodies] == ["lacpy", "lacpy", "getrf", "laswp", "trsm", "trsm"]
    assert not any(body.sources for body in shared.bodies)
    assert shared.preserved == ("OUT",)
    assert shared.needs >= alone.needs


@pytest.mark.parametrize(
    ("symbol", "simd_bytes", "abreast"),
    [
        ("bb_dsyev_vl_st_n9", 64, 2),
        ("bb_dsyev_nl_pp_n9", 32, 2),
        ("bb_dsyev_vl_bi_n9", 64, 1),  # two blocks are not one
        ("bb_dsyev_vl_st_n6", 64, 1),  # in straight lines
        ("bb_zsyev_vl_st_n32", 64, 1),  # scratch for one
        ("bb_dsyev_vl_st_n", 64, 1),
        ("bb_dpotrf_l_st_n9", 64, 1),
    ],
)
def test_what_waits_for_its_own_results_is_done_abreast(symbol, simd_bytes, abreast):
    found = choose(Program.of(KernelSpec.parse(symbol)), Isa.of(simd_bytes))
    assert found.abreast == abreast
    assert (f"abreast {abreast}" in str(found)) == (abreast > 1)


def test_rows_are_data():
    for row in OPS.values():
        copy = pickle.loads(pickle.dumps(row))
        assert copy == row
        assert hash(copy) == hash(row)
        assert repr(copy) == repr(row)


def schur(alpha=-1):
    return bb.sequence(
        [bb.step("potrf", "A"), bb.step("trsm", "A", "B"), bb.step("syrk", "B", "C", trans="T", alpha=alpha, beta=1)]
    )


def test_equal_sequences_are_equal():
    one, two, other = schur(), schur(), schur(alpha=-2)
    assert one == two
    assert hash(one) == hash(two)
    assert pickle.loads(pickle.dumps(one)) == one
    assert one != other
    assert bb.OperationSequence.parse(repr(one)) == one
    assert bb.OperationSequence.parse(repr(other)) == other


def test_what_is_not_said_is_what_the_default_says():
    assert bb.step("trsm", "A", "B", side="L", uplo="L", alpha=1) == bb.step("trsm", "A", "B")


@pytest.mark.parametrize(
    "text",
    ["", "1 +", "sequence(steps)", "sequence([print('A')])", "sequence([step('potrf', open('A'))])", "other([])"],
)
def test_only_sequences_are_parsed(text):
    with pytest.raises(bb.SpecError):
        bb.OperationSequence.parse(text)


def spec_of(sequence):
    return KernelSpec(sequence.row.name, "d", (4, 3), (), (Layout.ST,) * 3, sequence=sequence.row)


def test_two_sequences_never_share_a_symbol():
    one, two, other = (spec_of(x) for x in (schur(), schur(), schur(alpha=-2)))
    assert one == two
    assert one.symbol() == two.symbol() != other.symbol()
    assert KernelSpec.parse(one.symbol(), sequence=schur().row) == one
    assert pickle.loads(pickle.dumps(one)) == one


def test_sizes_are_expressions():
    sizes = {"m": 7, "n": 3, "k": 2}
    assert evaluate("min(m, n)", sizes) == 3
    assert evaluate("(2*n**3 + 3*n**2 + n) // 6", sizes) == 14
    assert renamed("min(m, n) * k", {"m": "n", "n": "m"}) == "min(n, m) * k"
    for text in ("m.real", "open('x')", "m if n else k"):
        with pytest.raises((ValueError, KeyError)):
            evaluate(text, sizes)


def test_what_depends_on_letters_is_picked():
    rule = by("uplo", L="N", U="C")
    assert isinstance(rule, By)
    assert picked(rule, {"uplo": "U"}) == "C"
    assert same("trans").pick({"trans": "T"}) == "T"
    assert picked("T", {}) == "T"


def test_explain_shows_why():
    report = json.loads(CliRunner().invoke(main, ["explain", SYMBOLS[0], "--simd-bytes", "64", "--json"]).output)[0]
    assert {row["schedule"].split(",")[0] for row in report["weighed"]} == {"form lane", "form direct", "form flat"}
    assert report["schedule"] == report["weighed"][0]["schedule"]
    cycles = [row["cycles"] for row in report["weighed"]]
    assert cycles == sorted(cycles)
    assert (report["simd_bytes"], report["registers"]) == (64, 32)
    text = CliRunner().invoke(main, ["explain", SYMBOLS[1], "--simd-bytes", "32"]).output
    assert "potrf A; trsm A, B; trsm A, B" in text
    assert "nothing: this operation has one form" in text
