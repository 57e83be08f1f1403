"""Libraries of cubins: how they are built, where they are looked for, and which are refused. Nothing is loaded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import bblas_gen as bb
from bblas_gen import errors
from bblas_gen.cli.main import main
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime.cubins import compile_device, compile_text, functions_of
from bblas_gen.runtime.state import RUNTIME
from bblas_gen.toolchain import cubins
from bblas_gen.toolchain.cubins import CubinLibrary, runs

NAMES = ["bb_dposv_l_st_n2nrhs1_rm", "bb_dscal_bi_n3"]
WANTED = [(KernelSpec.parse(NAMES[0], "cuda"), f"{NAMES[0]}_k")]


@pytest.fixture(autouse=True)
def nvcc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A compiler whose cubin is its source and its command; what it is asked for is in a file."""
    for variable in ("CUDA_ARCH", "CUDA_LIBRARY", "DISABLE_JIT"):
        monkeypatch.delenv(f"BBLAS_GEN_{variable}", raising=False)
    monkeypatch.setenv("BBLAS_GEN_CACHE_DIR", str(tmp_path / "cache"))
    found, log = tmp_path / "nvcc", tmp_path / "log"
    found.write_text(
        '#!/bin/sh\ncase "$1" in --version) echo "tools, release 13.0, V13.0.88"; exit;; esac\n'
        f'echo "$*" >> {log}; (cat kernel.cu; echo "$*") > kernel.cubin\n'
    )
    found.chmod(0o755)
    monkeypatch.setenv("BBLAS_GEN_NVCC", str(found))
    RUNTIME.reset()
    yield log
    RUNTIME.reset()


@pytest.fixture
def built(tmp_path: Path) -> list[Path]:
    return bb.build(NAMES, tmp_path / "built", target="cuda", arch=["sm_80", "90"], jobs=1)


def test_a_library_has_all_functions_for_each_architecture(built: list[Path], nvcc: Path) -> None:
    index = json.loads(built[0].read_text())
    assert [path.name for path in built] == ["cubins.json", *index["files"]]
    kinds = [f"{NAMES[0]}_k", *(f"{NAMES[1]}_k{x}" for x in "01x")]
    others = [["bb_fill_nan"], ["bb_first_report", "bb_copy"], ["bb_dpanel", "bb_dexchange"]]
    assert sorted((one["arch"], sorted(one["functions"])) for one in index["files"].values()) == sorted(
        (arch, sorted(some)) for arch in ("sm_80", "sm_90") for some in (kinds, *others)
    )
    assert len(nvcc.read_text().splitlines()) == 8
    again = bb.build(NAMES[:1], built[0].parent, target="cuda", arch=["sm_80"], jobs=1)
    assert {*built[0].parent.iterdir()} == {*again}
    assert len(again) == 5


def test_what_gpus_have_no_kernels_for_is_left_out_of_a_set(nvcc: Path, tmp_path: Path) -> None:
    """A program that is recorded may work on both; products of any size GPUs have, too."""
    product, other = "bb_dherk_ln_st_nk_rmld", "bb_dpotrf_l_st_n"
    kernels = tmp_path / "set.toml"
    kernels.write_text("".join(f'[[kernel]]\nname = "{name}"\n' for name in (product, other, NAMES[1])))
    with pytest.warns(errors.KernelWarning, match=f"left out: .* that only run time knows: {other}$"):
        built = bb.build(kernels, tmp_path / "built", target="cuda", arch=["sm_90"], jobs=1)
    names = {name for one in json.loads(built[0].read_text())["files"].values() for name in one["functions"]}
    assert {name.rpartition("_")[0] for name in names} >= {product, NAMES[1]}
    assert not any(name.startswith(other) for name in names)
    with pytest.raises(errors.SpecError, match=f"that only run time knows: {other}$"):
        bb.build([other], tmp_path / "none", target="cuda", arch=["sm_90"])


def test_warmup_leaves_the_same_out(monkeypatch: pytest.MonkeyPatch) -> None:
    warmed = list[KernelSpec]()
    monkeypatch.setattr("bblas_gen.runtime.gpu.warm", lambda specs, *_: warmed.extend(specs))
    with pytest.warns(errors.KernelWarning, match=r"left out: .*: bb_dpotrf_l_st_n$"):
        found = bb.warmup([NAMES[1], "bb_dpotrf_l_st_n"], target="cuda")
    assert [spec.symbol() for spec in found] == [spec.symbol() for spec in warmed] == [NAMES[1]]


def test_the_command_puts_it_where_python_looks(nvcc: Path, tmp_path: Path) -> None:
    command = "build --target cuda --ops gemm --sizes 2 --layouts bi --arch sm_90 -j 1"
    done = CliRunner().invoke(main, command.split())
    assert done.exit_code == 0, done.output
    assert str(cubins.own_folder() / "cubins.json") in done.output.splitlines()
    (library,) = [cubins.find(lambda: "")]
    assert library is not None
    assert {f"bb_dgemm_{x}_bi_m2n2k2_kxx" for x in ("nn", "nt", "tn", "tt")} <= library.functions["sm_90"].keys()
    made = compile_device([(KernelSpec.parse("bb_dgemm_nt_bi_m2n2k2", "cuda"), "bb_dgemm_nt_bi_m2n2k2_k10")], "sm_90")
    assert made.parent == cubins.own_folder()


def test_a_refused_command_names_what_it_wants_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BBLAS_GEN_CACHE_DIR", str(tmp_path))
    done = CliRunner().invoke(main, ["build", "--target", "cuda", "--ops", "gemm", "--sizes", "2"])
    assert done.exit_code
    assert "give --arch, or set BBLAS_GEN_CUDA_ARCH" in done.output
    done = CliRunner().invoke(main, ["build", "--target", "cuda", "--ops", "gemm", "--sizes", "2", "--arch", "hopper"])
    assert "--arch='hopper' is not an architecture" in done.output
    assert not cubins.own_folder().exists()


def test_it_is_looked_into_before_anything_is_compiled(
    built: list[Path], nvcc: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BBLAS_GEN_NVCC", "/no/such/nvcc")
    monkeypatch.setenv(cubins.VARIABLE, str(built[0].parent))
    for arch, made in (("sm_80", "sm_80"), ("sm_86", "sm_80"), ("sm_90", "sm_90")):
        path = compile_device(WANTED, arch)
        assert path in built
        assert path.read_text().splitlines()[-1].startswith(f"-cubin -arch={made} ")
    other = [(KernelSpec.parse("bb_dscal_bi_n4", "cuda"), "bb_dscal_bi_n4_kx")]
    for wanted, arch in ((WANTED, "sm_100"), (other, "sm_90")):
        with pytest.raises(errors.NoCompilerError, match=rf"bblas-gen build --target cuda --arch {arch} makes"):
            compile_device(wanted, arch)


def test_a_gpu_with_less_shared_memory_does_not_take_what_needs_more(
    nvcc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though it takes cubins of its generation."""
    spec = KernelSpec.parse("bb_dpotrf_l_st_n140", "cuda")
    built = bb.build([spec], tmp_path / "built", target="cuda", arch=["sm_80", "sm_89"], jobs=1)
    monkeypatch.setenv(cubins.VARIABLE, str(built[0].parent))
    for arch, made in (("sm_80", "sm_80"), ("sm_86", ""), ("sm_87", "sm_80"), ("sm_89", "sm_89")):
        (wanted,) = functions_of(spec, arch)
        path = compile_device([wanted], arch)
        assert (path in built) == bool(made)
        assert path.read_text().splitlines()[-1].startswith(f"-cubin -arch={made or arch} ")


def test_what_is_explained_is_the_kernel_of_an_architecture() -> None:
    for arch, chosen in (("sm_90", "256 of 256 threads a matrix, staged"), ("sm_86", "1 of 128 threads a matrix, ")):
        command = f"explain bb_dpotrf_l_st_n160 --target cuda --arch {arch}"
        assert f"  chosen      {chosen}" in CliRunner().invoke(main, command.split()).output


@pytest.mark.parametrize(
    "said",
    ["nvcc fatal   : Unsupported gpu architecture 'compute_45'", "nvrtc: error: invalid value for --gpu-architecture"],
)
def test_an_architecture_that_the_compiler_does_not_have_is_refused(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler = tmp_path / "nvcc"
    compiler.write_text(f'#!/bin/sh\ntest "$1" = --version && echo "release 13.0" && exit\necho "{said}" >&2; exit 1\n')
    command = f"explain {NAMES[1]} --target cuda --arch sm_45"
    done = CliRunner().invoke(main, command.split())
    assert done.exit_code == 1
    assert f"--arch sm_45: nvcc release 13.0 does not have it: {said}\n" in done.output
    monkeypatch.setenv("BBLAS_GEN_CUDA_ARCH", "sm_45")
    done = CliRunner().invoke(main, command.split()[:-2])
    assert "architecture sm_45: nvcc release 13.0 does not have it" in done.output


@pytest.mark.parametrize(
    ("made", "arch", "fits"),
    [
        ("sm_80", "sm_89", True),
        ("sm_89", "sm_80", False),
        ("sm_90", "sm_100", False),
        ("sm_90a", "sm_90", False),
        ("sm_90", "sm_90a", False),
        ("sm_90a", "sm_90a", True),
        ("sm_100", "sm_103", True),
        ("sm_100", "sm_110", False),
    ],
)
def test_gpus_take_what_was_made_for_their_generation(made: str, arch: str, fits: bool) -> None:
    assert runs(made, arch) is fits


def test_the_newest_that_fits_is_taken(tmp_path: Path) -> None:
    functions = {arch: {"f": f"{arch}.cubin"} for arch in ("sm_80", "sm_86", "sm_90")}
    library = CubinLibrary(tmp_path, functions, {})
    with pytest.raises(OSError, match=r"sm_86\.cubin"):
        library.file("sm_89", ["f"])
    assert library.file("sm_89", ["g"]) is None
    assert library.file("sm_75", ["f"]) is None


def test_what_others_can_write_or_is_not_as_it_was_is_refused(
    built: list[Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(cubins.VARIABLE, str(built[0].parent))
    files = json.loads(built[0].read_text())["files"]
    for path in built:
        path.chmod(0o666)
        one = files.get(path.name) or files[built[1].name]
        with pytest.raises(errors.LibraryError, match="others can write"):
            compile_text("", "", one["arch"], one["functions"])
        path.chmod(0o644)
        RUNTIME.reset()
    for path in built[1:]:
        path.write_text("another")
    with pytest.raises(errors.LibraryError, match="does not match its checksum"):
        compile_device(WANTED, "sm_80")
    for text, why in (("{", "cannot be used"), ("{}", "damaged"), ('{"version": "0"}', "made by version 0")):
        built[0].write_text(text)
        RUNTIME.reset()
        with pytest.raises(errors.LibraryError, match=why):
            compile_device(WANTED, "sm_80")
    monkeypatch.setenv(cubins.VARIABLE, "relative")
    with pytest.raises(errors.LibraryError, match="relative"):
        compile_device(WANTED, "sm_80")


def test_one_that_nobody_asked_for_is_left_with_a_warning(nvcc: Path) -> None:
    bb.build(NAMES[:1], cubins.own_folder(), target="cuda", arch=["sm_80"])
    index = cubins.own_folder() / "cubins.json"
    index.write_text(index.read_text().replace('"generator": "', '"generator": "not'))
    with pytest.warns(errors.CacheWarning, match=r"another state of the generator; run bblas-gen build --target cuda"):
        found = compile_device(WANTED, "sm_80")
    assert found.parent != cubins.own_folder()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"target": "gpu"}, "target = 'gpu': expected one of 'cpu', 'cuda'"),
        ({"target": "cuda", "isa": ["native"]}, r"isa = \['native'\]: expected none for target 'cuda'"),
        ({"arch": ["sm_90"]}, r"arch = \['sm_90'\]: expected none for target 'cpu'"),
        ({"target": "cuda", "arch": ["hopper"]}, "arch='hopper' is not an architecture"),
        ({"target": "cuda"}, "give arch, or set BBLAS_GEN_CUDA_ARCH"),
        ({"target": "cuda", "arch": ["90"], "layouts": ["bl"]}, "layouts = 'bl': expected some of pp, st, il, bi"),
        ({"target": "cuda", "arch": ["90"], "ops": ["gemm"]}, "nothing to build: expected operations .* with sizes"),
    ],
)
def test_what_cannot_be_built_is_said(more: dict[str, object], message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        bb.build([], tmp_path / "x", **more)  # type: ignore[arg-type]
    with pytest.raises(errors.SpecError, match="sizes that only run time knows"):
        bb.build(["bb_dscal_bi_n"], tmp_path / "x", target="cuda", arch=["90"])
    assert not (tmp_path / "x").exists()
