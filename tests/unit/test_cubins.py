"""CUDA is compiled through the cache. nvcc is played by a script; ``gpu/`` has what needs a real one, or NVRTC."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bblas_gen import errors, warmup
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime.cubins import compile_ahead, compile_device
from bblas_gen.runtime.state import RUNTIME
from bblas_gen.toolchain import cuda

SPEC = KernelSpec.parse("bb_dgemm_nn_bi_m2n2k2", "cuda")
NAMES = [f"bb_dgemm_nn_bi_m2n2k2_{kinds}" for kinds in ("k10", "k11")]
RELEASE = "Cuda compilation tools, release 13.0, V13.0.88"
CALLED = (
    'case "$1" in --version) echo "Cuda compilation tools, release 13.0, V13.0.88"; exit;; esac\necho "$*" >> {log}'
)


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    for variable in ("NVCC", "CUDA_ARCH", "VERBOSE", "DISABLE_JIT"):
        monkeypatch.delenv(f"BBLAS_GEN_{variable}", raising=False)
    monkeypatch.setenv("BBLAS_GEN_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(cuda, "DEFAULT_NVCC", str(tmp_path / "cuda" / "nvcc"))
    RUNTIME.reset()
    yield
    RUNTIME.reset()


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An nvcc whose cubin is its source, and the file in which it writes down how it was called."""
    found = tmp_path / "log"
    nvcc = script(tmp_path / "nvcc", CALLED.format(log=found) + "\ncp kernel.cu kernel.cubin")
    monkeypatch.setenv("BBLAS_GEN_NVCC", str(nvcc))
    return found


def wheel(folder: Path) -> Path:
    """Python's packages with an NVRTC, which is found without being loaded."""
    library = folder / "nvidia/cu13/lib/libnvrtc.so.13"
    library.parent.mkdir(parents=True)
    library.write_text("")
    (folder / "nvidia_cuda_nvrtc-13.5.37.dist-info").mkdir()
    return library


# --- finding -----------------------------------------------------------------------------------------------------


def test_nvcc_is_found_named_or_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(sys, "path", [str(tmp_path / "packages")])
    assert cuda.find_nvcc() is None
    for place in ("packages/nvidia/cu13/bin", "cuda", "bin"):  # each one found before those made earlier
        path = script(tmp_path / place / "nvcc", f"echo '{RELEASE}'")
        found = cuda.find_nvcc()
        assert found is not None
        assert (found.path, found.family) == (str(path), "nvcc")
        assert "V13.0.88" in found.identity
    monkeypatch.setenv("BBLAS_GEN_NVCC", "/no/such/nvcc")
    with pytest.raises(errors.NoCompilerError, match="BBLAS_GEN_NVCC"):
        cuda.find_nvcc()


def test_nvrtc_is_what_there_is_without_nvcc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(sys, "path", ["", "relative", str(tmp_path / "packages")])
    with pytest.raises(errors.NoCompilerError, match=r"nor is NVRTC; install .*bblas_gen\[nvrtc\]"):
        cuda.find_cuda_compiler()
    path = wheel(tmp_path / "packages")
    found = cuda.find_cuda_compiler()
    assert (found.path, found.family, found.version) == (str(path), "nvrtc", "13.5.37")
    script(tmp_path / "bin" / "nvcc", f"echo '{RELEASE}'")
    assert cuda.find_cuda_compiler().family == "nvcc"


def test_nvcc_without_a_host_compiler_is_left_for_nvrtc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine that has a toolkit, but no gcc."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(sys, "path", [str(tmp_path / "packages")])
    fails = "echo 'gcc: No such file or directory\nnvcc fatal   : Failed to preprocess host compiler properties.' >&2"
    nvcc = script(tmp_path / "bin" / "nvcc", f"case $1 in --version) echo '{RELEASE}'; exit;; esac\n{fails}\nexit 1")
    with pytest.raises(errors.NoCompilerError, match=r"not compile: gcc: No such .*properties\.; install gcc, or pip"):
        cuda.find_cuda_compiler()
    wheel(tmp_path / "packages")
    assert cuda.find_cuda_compiler().family == "nvrtc"
    monkeypatch.setenv("BBLAS_GEN_NVCC", str(nvcc))
    with pytest.raises(errors.NoCompilerError, match="does not compile: gcc: No such file"):
        cuda.find_cuda_compiler()
    script(tmp_path / "bin" / "gcc", "")
    cuda.reset()
    assert cuda.find_cuda_compiler().path == str(nvcc)


def test_a_library_that_does_not_load_is_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(sys, "path", [str(tmp_path / "packages"), *sys.path])
    wheel(tmp_path / "packages")
    with pytest.raises(errors.NoCompilerError, match=r"libnvrtc.so.13 does not load"):
        compile_device([(SPEC, NAMES[0])], "sm_90")


def test_the_setting_names_the_architecture_before_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cuda.architecture("sm_100") == cuda.architecture("100") == "sm_100"
    with pytest.raises(ValueError, match="set BBLAS_GEN_CUDA_ARCH, such as sm_90"):
        cuda.architecture()
    monkeypatch.setenv("BBLAS_GEN_CUDA_ARCH", "90a")
    assert cuda.architecture("sm_80") == "sm_90a"
    for wrong in ("hopper", "sm_9", "sm_90 -o /tmp/x", "compute_90"):
        monkeypatch.setenv("BBLAS_GEN_CUDA_ARCH", wrong)
        with pytest.raises(ValueError, match=r"BBLAS_GEN_CUDA_ARCH=.* is not an architecture"):
            cuda.architecture("sm_80")


# --- compiling ---------------------------------------------------------------------------------------------------


def test_a_function_is_compiled_once_for_each_architecture(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [compile_device([(SPEC, NAMES[0])], arch) for arch in ("sm_90", "90", "sm_80")]
    assert found[0] == found[1] != found[2]
    assert [line.split()[:3] for line in log.read_text().splitlines()] == [
        ["-cubin", f"-arch={arch}", "-fmad=true"] for arch in ("sm_90", "sm_80")
    ]
    text = found[0].read_text()
    assert NAMES[0] in text
    assert NAMES[1] not in text
    assert found[0].stat().st_mode & 0o777 == 0o600
    monkeypatch.setenv("BBLAS_GEN_DISABLE_JIT", "1")
    assert compile_device([(SPEC, NAMES[0])], "sm_90") == found[0]
    with pytest.raises(errors.JitDisabledError, match=NAMES[1]):
        compile_device([(SPEC, NAMES[1])], "sm_90")


def test_functions_are_compiled_together(log: Path) -> None:
    other = KernelSpec.parse("bb_zpotrf_l_il_n2", "cuda")
    wanted = [(SPEC, NAMES[1]), (other, "bb_zpotrf_l_il_n2_k"), (SPEC, NAMES[0])]
    loaded = compile_device(wanted, "sm_90", lambda binary, place: binary.read_text())
    assert all(loaded.count(f"\n{name}(") == 1 for _, name in wanted)
    assert compile_device(wanted[::-1], "sm_90").read_text() == loaded
    assert len(log.read_text().splitlines()) == 1


def test_another_compiler_compiles_again(log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = compile_device([(SPEC, NAMES[0])], "sm_90")
    text = CALLED.format(log=log).replace("13.0.88", "13.1.2") + "\ncp kernel.cu kernel.cubin"
    monkeypatch.setenv("BBLAS_GEN_NVCC", str(script(tmp_path / "newer" / "nvcc", text)))
    assert compile_device([(SPEC, NAMES[0])], "sm_90") != first


def test_a_name_that_is_none_and_a_text_that_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusing = script(tmp_path / "nvcc", CALLED.format(log="/dev/null") + "\necho 'error: no' >&2; exit 2")
    monkeypatch.setenv("BBLAS_GEN_NVCC", str(refusing))
    with pytest.raises(ValueError, match=r"bb_dgemm_k is not a function of bb_dgemm_nn_bi_m2n2k2: .*_k10, .*_kxx"):
        compile_device([(SPEC, "bb_dgemm_k")], "sm_90")
    with pytest.raises(
        errors.CompileError, match=r"could not compile bb_dgemm_nn_bi_m2n2k2_k10[^$]*error: no"
    ) as caught:
        compile_device([(SPEC, NAMES[0])], "sm_90")
    assert caught.value.source_path is not None
    assert caught.value.source_path.is_file()


def _none() -> None:
    raise errors.CudaUnavailable("no driver")


def test_many_are_compiled_together_and_found_alone(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By another process too; what is there already is not compiled again."""
    monkeypatch.setattr("bblas_gen.runtime.gpu.core", _none)
    monkeypatch.setenv("BBLAS_GEN_CUDA_ARCH", "sm_90")
    warmup(["bb_dgemm_nn_bi_m2n2k2", "bb_spotrf_l_bi_n2"], target="cuda", device=7, jobs=1)
    RUNTIME.reset()
    before = log.read_text()
    assert len(before.splitlines()) == 1
    found = {compile_device([(SPEC, name)]) for name in NAMES}
    found.add(compile_device([(KernelSpec.parse("bb_spotrf_l_bi_n2", "cuda"), "bb_spotrf_l_bi_n2_k")]))
    assert len(found) == 1
    compile_ahead([SPEC], "sm_90")
    assert log.read_text() == before


def test_what_cannot_be_warmed_up_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(errors.SpecError, match="target = 'gpu': expected one of 'cpu', 'cuda'"):
        warmup(["bb_dgemm_nn_bi_m2n2k2"], target="gpu")
    monkeypatch.setattr("bblas_gen.runtime.gpu.core", _none)
    with pytest.raises(errors.CudaUnavailable, match="no driver"):
        warmup(["bb_dgemm_nn_bi_m2n2k2"], target="cuda", device=7)
