"""The second target: the same bodies as CUDA, compiled for sm_90 where nvcc is found. They are not run here."""

from __future__ import annotations

import subprocess

import pytest

from bblas_gen.codegen import emit
from bblas_gen.codegen.render import source_of, template_folder
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import Isa
from bblas_gen.toolchain.compilers import find_nvcc

EMPTY = ["bb_dgemm_nn_bi_m0n4k4", "bb_dposv_l_bi_n0nrhs2"]
SYMBOLS = [
    "bb_sgemm_tn_il_m5n6k7",
    "bb_dgemm_nn_bi_m8n8k8",
    "bb_dgemm_nn_bi32_m4n4k4",
    "bb_cgemm_cn_bi_m3n3k3",
    "bb_zgemm_rt_il_m2n3k4",
    "bb_zlacpy_c_bi_m3n4",
    "bb_dpotrf_l_bi_n5",
    "bb_spotrf_u_il_n6",
    "bb_zpotrf_u_bi_n4",
    "bb_dposv_u_il_n5nrhs2",
    "bb_zposv_l_bi_n4nrhs1",
    "bb_dposv_l_bi_n5nrhs0",
    "bb_dtrsm_llnn_bi_m6n4",
    "bb_ztrsm_rucn_bi_m4n3",
    "bb_dsyrk_lt_il_n5k4",
    "bb_zher2k_uc_bi_n3k3",
    "bb_dsymm_ru_bi_m5n4",
    "bb_zhemm_ll_bi_m3n3",
    "bb_dtrmm_lltu_il_m5n4",
    "bb_ztrtri_un_bi_n4",
    "bb_dtrtri_lu_il_n4",
    "bb_dpotri_l_il_n5",
    "bb_clauum_u_bi_n4",
    "bb_znrm2_bi_n5",
    "bb_dgemv_t_il_m5n4",
    "bb_cscal_il_n4",
    "bb_dgetrf_bi_m4n4",
    "bb_zgesv_bi_n3nrhs2",
    "bb_dgetri_il_n4",
    "bb_dgetrs_t_bi_n4nrhs1",
    *EMPTY,
]


def text(symbol):
    spec = KernelSpec.parse(symbol, "cuda")
    return source_of(spec, Isa.of(64))


@pytest.mark.skipif(find_nvcc() is None, reason="no nvcc on this machine")
@pytest.mark.parametrize("symbol", SYMBOLS)
def test_nvcc_compiles_it_without_spills(symbol, tmp_path):
    emit.emit([text(symbol)], tmp_path)
    strict = ["-Xptxas", "-warn-spills,-warn-lmem-usage", "-Werror", "all-warnings"]
    command = [find_nvcc().path, "-arch=sm_90", "-cubin", "-o", "out.cubin", *strict, f"{symbol}.cu"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.cubin").stat().st_size > 0


@pytest.mark.parametrize("symbol", [symbol for symbol in SYMBOLS if symbol not in EMPTY])
def test_the_launcher_is_plain_c_and_the_body_knows_no_cpu(symbol):
    made = text(symbol).text
    assert f'extern "C" int {symbol}(' in made
    assert "void *stream" in made
    for habit in ("vector_size", "_OPENMP", "__builtin", "num_threads"):
        assert habit not in made


def test_both_targets_use_one_body():
    bodies = {path.name for path in (template_folder() / "op").iterdir()}
    assert {"gemm.lane.c", "lacpy.lane.c"} <= bodies
    assert not any("cuda" in name or "cpu" in name for name in bodies)
