"""Arrays of a GPU without a compiler: kernels of a library that was built ahead. The device is emulated."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from support import emulated_nvcc, emulator
from support.emulated_gpu import GpuArray

import bblas_gen as bb
from bblas_gen.errors import NoCompilerError
from bblas_gen.runtime import gpu, kernels
from bblas_gen.toolchain import cubins

pytest.importorskip("cuda.core", reason="cuda-core is not installed")


def test_a_program_needs_no_compiler(monkeypatch, tmp_path):
    ctypes.CDLL(str(emulator.driver()))
    monkeypatch.setenv("BBLAS_GEN_NVCC", str(emulated_nvcc.compiler(tmp_path)))
    kernels.reset()
    a = np.tile(4 * np.eye(2) + 1, (130, 1, 1))
    with bb.record(tmp_path / "set.toml"):
        expected = bb.potrf(GpuArray(a.copy()))
    bb.build(tmp_path / "set.toml", tmp_path / "library", target="cuda", arch=["sm_90"])
    monkeypatch.setenv("BBLAS_GEN_NVCC", "/no/such/nvcc")
    monkeypatch.setenv("BBLAS_GEN_CACHE_DIR", str(tmp_path / "empty"))
    monkeypatch.setenv(cubins.VARIABLE, str(tmp_path / "library"))
    kernels.reset()
    found = bb.potrf(GpuArray(a.copy()))
    gpu.gpu(0).stream(None).sync()
    np.testing.assert_allclose(np.tril(found.array), np.linalg.cholesky(a), rtol=1e-12)
    np.testing.assert_array_equal(found.array, expected.array)
    with pytest.raises(NoCompilerError, match="bblas-gen build --target cuda --arch sm_90"):
        bb.potrf(GpuArray(a), uplo="U")
    kernels.reset()
