"""The forms of triangular solvers: which there are, and which the model takes."""

from __future__ import annotations

import itertools
import re

import pytest

from bblas_gen.codegen.render import source_of
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import Isa
from bblas_gen.schedule.choose import alternatives, choose, variations


def program(symbol):
    return Program.of(KernelSpec.parse(symbol))


@pytest.mark.parametrize(
    ("symbol", "forms"),
    [
        ("bb_dtrsm_rltn_st_m8n8", {"lane", "across"}),
        ("bb_dtrsm_llnn_st_m8n8", {"lane", "across", "columns"}),
        ("bb_dtrsm_llnn_st_m8n8_rm", {"lane", "across"}),
        ("bb_dtrsm_llnn_st_m8n1", {"lane", "columns"}),
        ("bb_dtrsm_rltn_st_m1n8", {"lane", "columns"}),
        ("bb_dtrsm_rltn_st_m1n8_ld", {"lane"}),
        ("bb_dtrsm_llnn_st_m8n8_rs", {"lane"}),
        ("bb_dtrsm_llnn_bi_m8n8", {"lane"}),
        ("bb_ztrsm_llnn_st_m8n8", {"lane"}),
        ("bb_dtrsv_lnn_pp_n8", {"lane", "columns"}),
        ("bb_dtrsv_ltn_pp_n8", {"lane"}),
        ("bb_dpotrs_l_st_n8nrhs8_rm", {"lane", "across"}),
        ("bb_dposv_l_st_n8nrhs8", {"lane"}),
        ("bb_dtrsm_llnn_st_m3n3", {"lane"}),
    ],
)
def test_there_is_a_form_where_vectors_are_whole(symbol, forms):
    assert {plan.form for _, plan in alternatives(program(symbol), Isa.of(32))} == forms


@pytest.mark.parametrize("simd_bytes", [32, 64])
@pytest.mark.parametrize(
    ("symbol", "form"),
    [
        ("bb_dtrsm_rltn_st_m16n16", "across"),
        ("bb_strsm_llnn_st_m16n16_rm", "across"),
        ("bb_dtrsm_llnn_st_m32n32", "across"),
        ("bb_dtrsm_llnn_st_m16n1", "columns"),
        ("bb_strsv_unn_st_n24", "columns"),
        ("bb_dtrsm_llnn_st_m4n1", "lane"),
    ],
)
def test_the_model_takes_what_was_measured_to_be_faster(symbol, form, simd_bytes):
    assert choose(program(symbol), Isa.of(simd_bytes)).form == form


def test_tiles_of_solvers_keep_to_the_registers():
    for m, n, simd_bytes, order in itertools.product(
        (4, 7, 8, 12, 32, 50), (1, 2, 5, 8, 32), (16, 32, 64), ("", "_rm")
    ):
        for symbol in (f"bb_dtrsm_llnn_st_m{m}n{n}{order}", f"bb_strsm_rutn_st_m{n}n{m}{order}"):
            isa = Isa.of(simd_bytes)
            for plan in variations(program(symbol), isa):
                if plan.form == "across":
                    assert plan.rows * plan.cols + plan.rows < isa.registers
                elif plan.form == "columns":
                    assert plan.rows == -(-m // plan.width)
                    assert plan.rows * plan.cols <= isa.registers


@pytest.mark.parametrize("overrides", [{"rows": 3}, {"form": "across", "width": 16}, {"form": "columns", "unroll": 0}])
def test_schedules_that_cannot_be_are_refused(overrides):
    with pytest.raises(ValueError, match="is not available for bb_dtrsm_llnn_st_m8n2"):
        choose(program("bb_dtrsm_llnn_st_m8n2"), Isa.of(64), **({"form": "columns"} | overrides))


@pytest.mark.parametrize(("side", "order"), [("L", 5), ("R", 9)])
def test_scratch_across_right_hand_sides_follows_the_order_of_a(side: str, order: int) -> None:
    spec = KernelSpec.make("trsm", "d", "st", side=side, m=5, n=9)
    text = source_of(spec, Isa.of(32), form="across").text
    arrays = {name: int(count) for name, count in re.findall(r"bb_real (P|inverse)\[(\d+)\]", text)}
    assert order <= arrays["inverse"] < order + 4
    told = re.search(r"Scratch: (\d+) bytes", text.replace("\n * ", " "))
    assert told
    assert int(told[1]) >= 8 * sum(arrays.values())
