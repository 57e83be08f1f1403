"""A machine without vectors."""

from __future__ import annotations

import pytest

from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import Isa
from bblas_gen.schedule.choose import choose


@pytest.mark.parametrize("symbol", ["bb_zgemm_nn_st_m5n4k3", "bb_ztrmm_llnn_st_m5n4", "bb_zherk_ln_pp_n4k3"])
def test_a_machine_without_vectors_takes_one_lane(symbol):
    plan = choose(Program.of(KernelSpec.parse(symbol)), Isa.of(8))
    assert (plan.form, plan.width) == ("lane", 1)
