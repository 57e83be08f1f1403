"""NVRTC takes the text of device functions, without a toolkit and without a driver. They are not run here."""

from __future__ import annotations

import pytest

from bblas_gen import errors
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime import cubins
from bblas_gen.runtime.cubins import compile_device
from bblas_gen.runtime.nvrtc import compile_cubin
from bblas_gen.toolchain import cuda

SYMBOLS = ["zgemm_cn_bi_m2n2k2", "sposv_l_il_n3nrhs1", "dgetrf_bi_m2n2", "dlacpy_n_bipp_m2n2"]
SYMBOLS += ["dgemm_nn_st_m3n3k3", "cposv_u_pp_n20nrhs2", "dgetrf_st_m40n40", "dgemm_nt_st_mnk_ld", "dsyev_vl_bi_n4"]
"""Of a thread, of a team, of a block; copies, products of any size, reports."""
NVRTC = cuda.find_nvrtc()
pytestmark = pytest.mark.skipif(NVRTC is None, reason="the wheel of NVRTC is not installed")


def test_functions_become_a_cubin(tmp_path, monkeypatch):
    monkeypatch.setenv("BBLAS_GEN_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(cubins.cuda, "find_nvcc", lambda: None)
    specs = [KernelSpec.parse(f"bb_{symbol}", "cuda") for symbol in SYMBOLS]
    wanted = [(spec, one.name) for spec in specs for one in cubins.device_source(spec).functions]
    assert len(wanted) > len(specs)
    made = compile_device(wanted, "sm_90").read_bytes()
    assert made[:4] == b"\x7fELF"
    assert all(name.encode() in made for _, name in wanted)


def test_what_it_says_of_a_text_is_told(tmp_path):
    source = tmp_path / "kernel.cu"
    source.write_text("nonsense;")
    with pytest.raises(
        errors.CompileError, match=r"could not compile it[^$]*NVRTC_ERROR_COMPILATION[^$]*kernel.cu\(1\): error"
    ):
        compile_cubin(NVRTC.path, source, cuda.cubin_flags("sm_90"), "it")
