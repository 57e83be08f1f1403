"""The compilers of this machine: found, asked, run. What needs none is in ``unit/test_toolchain``."""

from __future__ import annotations

import pickle
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from bblas_gen import errors
from bblas_gen.toolchain import compilers, machine


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for variable in ("CC", "ISA", "NVCC", "VERBOSE"):
        monkeypatch.delenv(f"BBLAS_GEN_{variable}", raising=False)
    compilers.reset()
    yield
    compilers.reset()


def run(argv: list[str], folder: Path, timeout: float = 60) -> str:
    return compilers.run(argv, what="bb_dgemm_st_2x2x2", cwd=folder, source=folder / "kernel.c", timeout=timeout)


x86_only = pytest.mark.skipif(machine.architecture() != "x86_64", reason="an x86 instruction set")


def test_a_compiler_is_found_and_knows_itself() -> None:
    cc = compilers.find_cc()
    assert Path(cc.path).is_absolute()
    assert cc.family in {"gcc", "clang"}
    assert any(character.isdigit() for character in cc.version)
    assert machine.architecture() in cc.target
    assert cc.target_flags
    assert cc.simd_bytes in {16, 32, 64}
    assert cc.path not in cc.identity


def test_a_name_and_an_absolute_path_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(shutil.which("gcc"))
    for value in ("gcc", path):
        monkeypatch.setenv("BBLAS_GEN_CC", value)
        assert compilers.find_cc().path == path


def test_an_isa_that_the_compiler_does_not_know_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BBLAS_GEN_ISA", "pdp11")
    with pytest.raises(ValueError, match=r"BBLAS_GEN_ISA='pdp11' is not known to .*error"):
        compilers.find_cc()


@x86_only
@pytest.mark.parametrize(("isa", "width"), [("x86-64-v2", 16), ("x86-64-v3", 32), ("x86-64-v4", 64)])
def test_the_isa_decides_the_vector_width(isa: str, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BBLAS_GEN_ISA", isa)
    cc = compilers.find_cc()
    assert cc.simd_bytes == width
    assert f"-march={isa}" in compilers.library_flags(cc)
    assert isa in cc.identity


@x86_only
def test_native_is_resolved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BBLAS_GEN_CC", "gcc")
    cc = compilers.find_cc()
    if cc.family != "gcc":
        pytest.skip("gcc is another compiler here")
    assert any(flag.startswith("-march=") for flag in cc.target_flags)
    assert "-march=native" not in cc.target_flags
    assert any(flag.startswith("--param=l1-cache-size=") for flag in cc.target_flags)


def test_a_compiler_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    ask = compilers.ask

    def counted(argv: list[str], stdin: str = "") -> subprocess.CompletedProcess[str]:
        calls.append(argv)
        return ask(argv, stdin)

    monkeypatch.setattr(compilers, "ask", counted)
    assert compilers.find_cc() is compilers.find_cc()
    assert len(calls) == 1


def test_where_no_process_may_be_started_there_is_no_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As in a subinterpreter by itself."""

    def refused(*_: object, **__: object) -> None:
        raise RuntimeError("subprocess not supported for isolated subinterpreters")

    monkeypatch.setattr(subprocess, "Popen", refused)
    with pytest.raises(errors.CompileError, match=r"could not be started: .*isolated"):
        run(["cc"], tmp_path)
    with pytest.raises(errors.NoCompilerError, match="isolated subinterpreters"):
        compilers.find_cc()


def test_library_flags_never_change_the_process() -> None:
    cc = compilers.find_cc()
    flags = compilers.library_flags(cc)
    contract = f"-ffp-contract={'on' if cc.family == 'clang' else 'fast'}"
    assert {"-O3", "-shared", "-fPIC", "-march=native", contract, "-fno-math-errno"} <= set(flags)
    assert not {"-Ofast", "-ffast-math", "-funsafe-math-optimizations"} & set(flags)
    assert "-fopenmp" not in compilers.library_flags(cc, openmp=False)


def test_a_compile_error_shows_everything(tmp_path: Path) -> None:
    (tmp_path / "kernel.c").write_text("int f(void) { return undeclared; }\n")
    with pytest.raises(errors.CompileError) as caught:
        run(["gcc", "-c", "kernel.c", "-o", "with space.o"], tmp_path)
    error, text = caught.value, str(caught.value)
    assert error.command == ("gcc", "-c", "kernel.c", "-o", "with space.o")
    assert "undeclared" in error.stderr
    assert error.source_path == tmp_path / "kernel.c"
    for part in (
        "bb_dgemm_st_2x2x2",
        f"cd {tmp_path} && gcc -c kernel.c -o 'with space.o'",
        "undeclared",
        "kernel.c:1",
    ):
        assert part in text
    again = subprocess.run(text.split("command: ")[1].splitlines()[0], shell=True, capture_output=True, text=True)
    assert "undeclared" in again.stderr, "the printed command reproduces the failure"
    assert str(pickle.loads(pickle.dumps(error))) == text, "it crosses a process pool"


def test_warnings_are_returned(tmp_path: Path) -> None:
    (tmp_path / "kernel.c").write_text("int f(void) { int unused; return 0; }\n")
    assert "unused" in run(["gcc", "-Wall", "-c", "kernel.c"], tmp_path)
