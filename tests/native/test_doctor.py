"""What a machine has for GPUs, and what is said where something is missing. The driver is emulated, or is not there."""

from __future__ import annotations

import contextlib
import ctypes
import json
import subprocess
import sys

import pytest
from click.testing import CliRunner
from support import emulated_nvcc, emulator

from bblas_gen.cli.main import main
from bblas_gen.errors import CudaUnavailable
from bblas_gen.runtime import devices, kernels
from bblas_gen.toolchain import cubins

SPEC = "bb_dscal_bi_n2"


def run(*arguments, code=0):
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == code, done.output + repr(done.exception)
    return done.output


@pytest.fixture
def nvcc(monkeypatch, tmp_path):
    """An emulated compiler and driver."""
    pytest.importorskip("cuda.core", reason="cuda-core is not installed")
    ctypes.CDLL(str(emulator.driver()))
    monkeypatch.setenv("BBLAS_GEN_NVCC", str(emulated_nvcc.compiler(tmp_path)))
    kernels.reset()
    yield
    kernels.reset()


def test_a_batch_does_not_go_to_a_gpu_without_the_packages():
    """In a process that has not found them before."""
    lines = ("import sys", "import bblas_gen as bb", "sys.modules['cuda'] = None")
    program = "; ".join((*lines, "bb.Interleaved.empty((1, 1, 1)).to('cuda')"))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "CudaUnavailable" in done.stderr
    assert "bblas-gen[cuda]" in done.stderr.splitlines()[-1]


def test_packages_that_are_too_old_are_named(monkeypatch):
    """As those that another package has brought may be."""
    monkeypatch.setattr(devices, "version", {"cuda-core": "0.5.1", "cuda-bindings": "13.0.3"}.get)
    with pytest.raises(CudaUnavailable, match=r"cuda-core 0\.5\.1 is too old, expected 1\.0 or newer: pip install -U"):
        devices.packages()


@pytest.mark.parametrize(
    ("core", "does"),
    [("1.10.0rc1", True), ("1.0rc1", True), ("1", True), ("1.0+local", True), ("0.9rc1", False), ("unknown", False)],
)
def test_a_pre_release_counts_as_what_it_comes_before(core, does, monkeypatch):
    monkeypatch.setattr(devices, "version", {"cuda-core": core, "cuda-bindings": "12.9.1"}.get)
    with contextlib.nullcontext() if does else pytest.raises(CudaUnavailable, match=f"cuda-core {core} is too old"):
        assert list(devices.packages().values()) == [core, "12.9.1"]


@pytest.fixture
def without_a_driver(monkeypatch):
    def missing(*_):
        raise CudaUnavailable("no driver: none")

    monkeypatch.setattr(devices, "_asked", missing)


def test_all_is_there(nvcc):
    text = run("doctor", "--target", "cuda")
    assert "ok  cuda  driver    13.0\n" in text
    assert "ok  cuda  devices   emulated device, sm_90, 80 GiB\n" in text
    assert ", right on GPU 0\n" in text
    assert text.endswith("cuda: all is there\n")
    report = json.loads(run("info", "--json"))["cuda"]
    assert (report["driver"], report["device 0"]) == ("13.0", "emulated device, sm_90, 132 multiprocessors, 80 GiB")


def test_a_kernel_that_the_gpu_does_not_load_is_missing(nvcc, monkeypatch, tmp_path):
    """As of a compiler that is newer than the driver."""
    other = tmp_path / "newer" / "nvcc"
    other.parent.mkdir()
    other.write_text('#!/bin/sh\ntest "$1" = --version && echo "release 99.0" && exit\necho > kernel.cubin\n')
    other.chmod(0o755)
    monkeypatch.setenv("BBLAS_GEN_NVCC", str(other))
    kernels.reset()
    report = json.loads(run("doctor", "--target", "cuda", "--json", code=1))
    assert report["missing"] == ["kernel"]
    said = report["checks"][-1]["said"]
    assert said.startswith(f"the driver, for CUDA 13.0, does not load {SPEC}_kx on GPU 0: ")
    assert said.endswith("it must be as new as the compiler of CUDA")


def test_a_kernel_that_computes_something_else_is_missing(nvcc, monkeypatch):
    monkeypatch.setattr("bblas_gen.cli.doctor.scal", lambda x, alpha: x)
    report = json.loads(run("doctor", "--target", "cuda", "--json", code=1))
    assert report["missing"] == ["kernel"]
    assert report["checks"][-1]["said"] == f"{SPEC} is wrong on GPU 0: 2 * 1.5 = 1.5 to 1.5"


def test_what_is_missing_counts_where_it_is_needed(nvcc, without_a_driver, monkeypatch):
    text = run("doctor")
    assert "--  cuda  driver    no driver: none\n" in text
    assert text.endswith("cpu: all is there\n")
    report = json.loads(run("doctor", "--target", "cuda", "--json", code=1))
    assert report["missing"] == ["driver", "devices", "kernel"]
    assert "set BBLAS_GEN_CUDA_ARCH" in report["checks"][-1]["said"]
    assert json.loads(run("info", "--json"))["cuda"]["missing"] == "no driver: none"
    monkeypatch.setenv("BBLAS_GEN_CC", "no-such-compiler")
    monkeypatch.setenv("BBLAS_GEN_CACHE_DIR", "relative")
    kernels.reset()
    assert json.loads(run("doctor", "--json", code=1))["missing"] == ["compiler", "cache", "kernel"]


def test_a_library_does_for_a_compiler(nvcc, without_a_driver, monkeypatch, tmp_path):
    run(
        "build",
        "--target",
        "cuda",
        "--ops",
        "scal",
        "--sizes",
        "2",
        "--layouts",
        "bi",
        "--arch",
        "90",
        "-o",
        str(tmp_path),
    )
    monkeypatch.setenv("BBLAS_GEN_NVCC", "/no/such/nvcc")
    monkeypatch.setenv("BBLAS_GEN_CUDA_ARCH", "sm_90")
    kernels.reset()
    missing = {"compiler", "driver", "devices", "kernel"}
    assert {*json.loads(run("doctor", "--target", "cuda", "--json", code=1))["missing"]} == missing
    monkeypatch.setenv(cubins.VARIABLE, str(tmp_path))
    kernels.reset()
    report = json.loads(run("doctor", "--target", "cuda", "--json", code=1))
    assert report["missing"] == ["driver", "devices"]
    assert json.loads(run("info", "--json"))["cuda"]["library"] == str(tmp_path)


def test_a_kernel_is_explained_without_a_gpu(nvcc, without_a_driver):
    """The emulated compiler leaves no notes."""
    (report,) = json.loads(run("explain", SPEC, "--target", "cuda", "--json"))
    assert report["unknown"].startswith("no GPU says what to compile for")
    assert "no cubin" in run("explain", SPEC, "--target", "cuda", "--arch", "sm_90")
    (report,) = json.loads(run("explain", SPEC, "--json"))
    assert "functions" not in report
