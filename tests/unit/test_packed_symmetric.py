"""Which large products with a symmetric factor are packed, and which are divided."""

from __future__ import annotations

import pytest

from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime.large import large
from bblas_gen.schedule.large import condition, form

DIVIDED = {"form": "recursive"}


@pytest.mark.parametrize(
    ("symbol", "expected"),
    [
        ("bb_dsymm_ll_st_m508n508", None),
        ("bb_dsymm_ll_st_m509n96", {}),
        ("bb_dsymm_ru_st_m96n509_ld", {}),
        ("bb_ssymm_ru_pp_m96n509_rmld", {}),
        ("bb_dsymm_ll_st_m96n509", None),
        ("bb_dsymm_ll_st_m509n95", DIVIDED),
        ("bb_dsymm_rl_st_m1n600", DIVIDED),
        ("bb_zhemm_ll_st_m63n64", None),
        ("bb_zhemm_ll_st_m64n64", {}),
        ("bb_dsymm_ll_st_m64n64_rs", {}),
        ("bb_csymm_ru_st_m1n512", {}),
        ("bb_dsymm_ll_bi_m600n600", None),
    ],
)
def test_what_is_large(symbol, expected):
    assert large(KernelSpec.parse(symbol)) == expected


def test_c_libraries_divide_what_is_narrow():
    """Kernels for any size pack the rest; complex matrices are packed whatever their shape."""
    spec = KernelSpec.parse("bb_dsymm_ru_st_mn_ld")
    assert form(spec) == "recursive"
    assert condition(spec, {"m": "m", "n": "n", "ka": "n"}) == "n >= 128 && (m < 96 || n < 96)"
    for symbol in ("bb_zhemm_ll_st_mn_ld", "bb_ssymm_ll_st_mn_rs"):
        assert form(KernelSpec.parse(symbol)) == ""
