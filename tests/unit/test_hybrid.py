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
        ("bb_dposv_l_st_n9nrhs1", 32, {"lane"}),
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
        ("bb_dpotrf_l_st_n10", 64, "lane"),
        ("bb_dpotrf_l_st_n20_rm", 64, "lane"),
        ("bb_spotrf_l_st_n17", 64, "lane"),
        ("bb_dpotrf_l_st_n9", 32, "lane"),
        ("bb_spotrf_l_st_n24", 32, "lane"),
    ],
)
def test_the_model_takes_what_was_measured_to_be_faster(symbol, simd_bytes, form):
    assert choose(program(symbol), Isa.of(simd_bytes)).form == form


@pytest.mark.parametrize("overrides", [{"width": 1}, {"width": 2}, {"cols": 3}, {"rows": 2}, {"cols": 0}])
def test_schedules_that_cannot_be_are_refused(overrides):
    """Vectors without halves, tiles that are not whole in a block, a block that is all there is."""
    with pytest.raises(ValueError, match="is not available for bb_dpotrf_l_st_n12"):
        choose(program("bb_dpotrf_l_st_n12"), Isa.of(64), form="hybrid", **overrides)
