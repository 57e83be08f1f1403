"""Arrays of a GPU without a compiler: kernels of a library that was built ahead. The device is emulated."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from support import emulated_nvcc, emulator
from support.emulated_gpu import GpuArray, large_from

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


def without_compiler(monkeypatch, tmp_path, program):
    """What a program makes with a library of what it records, and no compiler; first with one."""
    ctypes.CDLL(str(emulator.driver()))
    monkeypatch.setenv("BBLAS_GEN_CUBLAS", "none")
    monkeypatch.setenv("BBLAS_GEN_NVCC", str(emulated_nvcc.compiler(tmp_path)))
    kernels.reset()
    with bb.record(tmp_path / "set.toml"):
        expected = program()
    bb.build(tmp_path / "set.toml", tmp_path / "library", target="cuda", arch=["sm_90"])
    monkeypatch.setenv("BBLAS_GEN_NVCC", "/no/such/nvcc")
    monkeypatch.setenv("BBLAS_GEN_CACHE_DIR", str(tmp_path / "empty"))
    kernels.reset()
    with pytest.raises(NoCompilerError, match="bblas-gen build --target cuda --arch sm_90"):
        program()
    monkeypatch.setenv(cubins.VARIABLE, str(tmp_path / "library"))
    kernels.reset()
    found = program()
    kernels.reset()
    return found, expected


@pytest.mark.parametrize("name", ["posv", "gesv"])
def test_large_matrices_need_none(monkeypatch, tmp_path, name, rng):
    """Nor do what exchanges rows, what reports and what becomes of a matrix that fails, which are no kernels."""
    large_from(4, monkeypatch)
    a = rng.standard_normal((2, 9, 9))
    a = a @ a.swapaxes(1, 2) + 9 * np.eye(9)
    a[1, :, 6] = 0
    a[1, 6] = 0
    b = rng.standard_normal((2, 9, 5))

    def program():
        x, more = GpuArray(b.copy()), {"ipiv": GpuArray(np.zeros((2, 9), np.int32))} if name == "gesv" else {}
        getattr(bb, name)(GpuArray(a.copy()), x, check="nan", **more)
        gpu.gpu(0).stream(None).sync()
        return x.array

    found, expected = without_compiler(monkeypatch, tmp_path, program)
    np.testing.assert_allclose(found[0], np.linalg.solve(a[0], b[0]), rtol=1e-9)
    assert np.isnan(found[1]).all()
    np.testing.assert_array_equal(found, expected)
