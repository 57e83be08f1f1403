"""Parcels for GPUs are built by their own files with the real nvcc; with ``--gpu`` they run, and pass their tests."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from support import devices

import bblas_gen as bb
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime import gpu
from bblas_gen.toolchain.cuda import find_nvcc

NVCC = find_nvcc()
pytestmark = pytest.mark.skipif(NVCC is None, reason="no nvcc on this machine")
CONSUMER = """cmake_minimum_required(VERSION 3.18)
project(consumer C)
find_package(kernels 0.1 REQUIRED)
add_executable(consumer ${example})
target_link_libraries(consumer PRIVATE kernels::kernels)
"""


def run(*command, cwd):
    return subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, check=False)


def good(*command, cwd):
    done = run(*command, cwd=cwd)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(params=["none", pytest.param("gpu", marks=pytest.mark.gpu)])
def device(request, monkeypatch, tmp_path):
    """The GPU that programs must run on; where there need be none, they pass or say that there is none."""
    wanted = request.config.getoption("--gpu")
    if request.param == "gpu":
        with devices.device("gpu", wanted, monkeypatch, tmp_path):
            yield "gpu"
    elif wanted:
        pytest.skip("runs without --gpu")
    else:
        yield "none"


@pytest.fixture
def architecture(device):
    """Its number."""
    return gpu.gpu(0).architecture.removeprefix("sm_") if device == "gpu" else "90"


def passes(program, cwd, device):
    done = run(program, cwd=cwd)
    without = device == "none" and done.returncode == 2 and "the GPU says: " in done.stderr
    assert done.returncode == 0 or without, done.stdout + done.stderr


@pytest.fixture(scope="module")
def parcel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parcel")
    bb.emit(KernelSpec.parse("bb_dposv_l_st_n3nrhs1", "cuda"), folder, name="kernels")
    return folder


def test_a_makefile(parcel, device, architecture):
    make = shutil.which("make")
    if not make:
        pytest.skip("no make")
    options = [f"NVCC={NVCC.path}", f"ARCH={architecture}", "NVCCFLAGS=-fmad=true -Werror all-warnings"]
    good(make, "build/selftest", "build/example_c", "build/example_cxx", *options, cwd=parcel)
    for name in ("selftest", "example_c", "example_cxx"):
        passes(f"build/{name}", parcel, device)


def test_a_package_for_cmake(parcel, device, architecture, tmp_path):
    """Programs in C use it, too, that know nothing of nvcc."""
    if not shutil.which("cmake"):
        pytest.skip("no cmake")
    good(
        "cmake",
        "-S",
        parcel,
        "-B",
        "b",
        f"-DCMAKE_CUDA_ARCHITECTURES={architecture}-real",
        f"-DCMAKE_CUDA_COMPILER={NVCC.path}",
        cwd=tmp_path,
    )
    good("cmake", "--build", "b", "--parallel", "2", cwd=tmp_path)
    passes("b/kernels_selftest", tmp_path, device)
    good("cmake", "--install", "b", "--prefix", tmp_path / "there", cwd=tmp_path)
    (tmp_path / "consumer").mkdir()
    (tmp_path / "consumer" / "CMakeLists.txt").write_text(CONSUMER)
    places = [f"-DCMAKE_PREFIX_PATH={tmp_path / 'there'}", f"-Dexample={parcel / 'examples' / 'example.c'}"]
    good("cmake", "-S", "consumer", "-B", "used", *places, cwd=tmp_path)
    good("cmake", "--build", "used", cwd=tmp_path)
    passes("used/consumer", tmp_path, device)
