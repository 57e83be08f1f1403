"""The hybrid form of factorizations: where it is, and where the model takes it."""

from __future__ import annotations

import pytest

from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import Isa
from bblas_gen.schedule.choose import alternatives, choose


def program(symbol):
    return Program.of(KernelSpec.parse(symbol))


@pytest.mark.parametrize(
    ("symbol", "simd_bytes", "forms"),
    [
        ("bb_dpotrf_l_st_n9", 32, {"lane", "hybrid"}),
        ("bb_dpotrf_l_st_n9_rm", 32, {"lane", "hybrid"}),
        ("bb_spotrf_u_pp_n9_ld", 32, {"lane", "hybrid"}),
        ("bb_spotrf_u_pp_n9_ld", 64, {"lane"}),
        ("bb_dpotrf_l_st_n8", 32, {"lane"}),
        ("bb_dpotrf_l_st_n9_rs", 32, {"lane"}),
        ("bb_dpotrf_l_bi_n9", 32, {"lane"}),
        ("bb_zpotrf_l_st_n9", 32, {"lane"}),
        ("bb_dposv_l_st_n9nrhs1", 32, {"lane", "hybrid"}),
        ("bb_dposv_l_pp_n9nrhs40_rmld", 64, {"lane", "hybrid"}),
        ("bb_dposv_l_st_n9nrhs0", 32, {"lane"}),
        ("bb_dposv_l_st_n9nrhs300", 64, {"lane"}),
        ("bb_dposv_l_stbi_n9nrhs1", 32, {"lane"}),
        ("bb_dposvk_l_st_n9nrhs1", 32, {"lane"}),
        ("bb_dpotrf_l_st_n9", 16, {"lane"}),
    ],
)
def test_blocks_go_to_lanes_where_there_are_several(symbol, simd_bytes, forms):
    assert {plan.form for _, plan in alternatives(program(symbol), Isa.of(simd_bytes))} == forms


@pytest.mark.parametrize(
    ("symbol", "simd_bytes", "form"),
    [
        ("bb_dpotrf_l_st_n16", 64, "hybrid"),
        ("bb_dpotrf_u_pp_n32_rm", 64, "hybrid"),
        ("bb_dpotrf_l_st_n32_rm", 64, "hybrid"),
        ("bb_spotrf_l_st_n32", 64, "hybrid"),
        ("bb_dpotrf_l_st_n32", 32, "hybrid"),
        ("bb_dposv_l_st_n16nrhs1", 64, "hybrid"),
        ("bb_dposv_l_st_n32nrhs4", 64, "hybrid"),
        ("bb_dposv_l_st_n32nrhs1_rm", 64, "hybrid"),
        ("bb_dposv_l_st_n32nrhs1", 32, "hybrid"),
        ("bb_sposv_l_st_n48nrhs1", 64, "hybrid"),
        ("bb_dposv_l_st_n12nrhs1", 64, "lane"),
        ("bb_dposv_l_st_n20nrhs4_rm", 64, "lane"),
        ("bb_dposv_l_st_n20nrhs4", 32, "lane"),
        ("bb_dpotrf_l_st_n10", 64, "lane"),
        ("bb_dpotrf_l_st_n20_rm", 64, "lane"),
        ("bb_spotrf_l_st_n17", 64, "lane"),
        ("bb_dpotrf_l_st_n9", 32, "lane"),
        ("bb_spotrf_l_st_n24", 32, "lane"),
    ],
)
def test_the_model_takes_what_was_measured_to_be_faster(symbol, simd_bytes, form):
    assert choose(program(symbol), Isa.of(simd_bytes)).form == form


def test_it_has_a_body_of_its_own():
    """Of an operation that is made of others, which lane kernels take one after another."""
    lanes = program("bb_dposv_l_st_n9nrhs1")
    assert [body.row.name for body in lanes.bodies] == ["potrf", "trsm", "trsm"]
    assert lanes.preserved == ("B",)
    whole = lanes.in_form("hybrid")
    assert [body.row.name for body in whole.bodies] == ["posv"]
    assert not whole.preserved
    assert whole.needs >= lanes.needs
    assert lanes.in_form("lane") == lanes


@pytest.mark.parametrize("overrides", [{"width": 1}, {"width": 2}, {"cols": 3}, {"rows": 2}, {"cols": 0}])
def test_schedules_that_cannot_be_are_refused(overrides):
    """Vectors without halves, tiles that are not whole in a block, a block that is all there is."""
    with pytest.raises(ValueError, match="is not available for bb_dpotrf_l_st_n12"):
        choose(program("bb_dpotrf_l_st_n12"), Isa.of(64), form="hybrid", **overrides)
