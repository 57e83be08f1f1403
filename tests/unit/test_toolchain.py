"""Finding, identifying and running compilers. Compilers are played by scripts; what needs
a real one is in ``native/test_compilers``."""

from __future__ import annotations

import dataclasses
import errno
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bblas_gen import errors
from bblas_gen.toolchain import compilers
from bblas_gen.toolchain.compilers import Compiler

CLANG_CC1 = (
    ' "/opt/llvm/bin/clang" -cc1 -triple x86_64-pc-linux-gnu -mframe-pointer=none -target-cpu znver4 '
    "-target-feature +avx2 -target-feature -sse4a -o - -x c -"
)


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for variable in ("CC", "ISA", "VERBOSE"):
        monkeypatch.delenv(f"BBLAS_GEN_{variable}", raising=False)
    compilers.reset()
    yield
    compilers.reset()


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def fake_clang(path: Path, macros: str = "__GNUC__ __clang__", cc1: str = CLANG_CC1, openmp: int = 0) -> Path:
    defines = "\\n".join(f"#define {macro} 1" for macro in macros.split())
    return script(
        path,
        f'case "$*" in *-fopenmp*) exit {openmp};; esac\n'
        f"printf '{defines}\\n'\n"
        f"printf 'Some clang version 18.1.0\\nTarget: x86_64-pc-linux-gnu\\n%s\\n' {shlex.quote(cc1)} >&2",
    )


# --- finding -----------------------------------------------------------------------------------------------------


def test_no_compiler_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        errors.NoCompilerError, match=r"apt install gcc.*xcode-select --install.*BBLAS_GEN_CC"
    ) as caught:
        compilers.find_cc()
    assert isinstance(caught.value, errors.BblasError)
    assert isinstance(caught.value, RuntimeError)


@pytest.mark.parametrize("value", ["gcc; rm -rf canary", "gcc -O0", "$(touch hacked)", "gcc\nrm canary", "no-such-cc"])
def test_a_command_line_is_not_a_compiler(value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "canary").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BBLAS_GEN_CC", value)
    with pytest.raises(errors.NoCompilerError, match="is not a program"):
        compilers.find_cc()
    assert [path.name for path in tmp_path.iterdir()] == ["canary"]


def test_a_relative_path_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_clang(tmp_path / "bin" / "evil")
    monkeypatch.chdir(tmp_path)
    for value in ("bin/evil", "./bin/evil"):
        monkeypatch.setenv("BBLAS_GEN_CC", value)
        with pytest.raises(errors.NoCompilerError, match="relative path"):
            compilers.find_cc()


@pytest.mark.parametrize("path", [".", "", ":", "bin"])
def test_the_current_directory_is_never_searched(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_clang(tmp_path / "cc")
    fake_clang(tmp_path / "bin" / "cc")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", path)
    with pytest.raises(errors.NoCompilerError):
        compilers.find_cc()
    monkeypatch.setenv("BBLAS_GEN_CC", "cc")
    with pytest.raises(errors.NoCompilerError):
        compilers.find_cc()


def test_a_compiler_in_the_current_directory_does_not_hide_the_real_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_clang(tmp_path / "cc")
    real = fake_clang(tmp_path / "bin" / "cc")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f".:{real.parent}")
    assert compilers.find_cc().path == str(real)


def test_a_broken_cc_gives_way_to_the_next_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "cc", "echo 'no developer tools' >&2; exit 1")
    clang = fake_clang(tmp_path / "clang")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert compilers.find_cc().path == str(clang)
    clang.unlink()
    compilers.reset()
    with pytest.raises(errors.NoCompilerError, match="no developer tools"):
        compilers.find_cc()


def test_a_program_that_is_no_compiler_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BBLAS_GEN_CC", "true")
    with pytest.raises(errors.NoCompilerError, match="neither gcc nor clang"):
        compilers.find_cc()


# --- the instruction set -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["native -O0", "x86;ls", "a/b", "$HOME", "-march=é"])
def test_an_isa_that_is_no_word_is_refused(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BBLAS_GEN_ISA", value)
    with pytest.raises(ValueError, match=r"^BBLAS_GEN_ISA=.* is not the name") as caught:
        compilers.find_cc()
    assert repr(value) in str(caught.value)


@pytest.mark.parametrize(
    ("macros", "width"),
    [
        ("__AVX512F__ __AVX512DQ__ __AVX512VL__ __AVX2__", 64),
        ("__AVX512F__ __AVX2__", 32),
        ("__AVX2__", 32),
        ("__AVX__", 16),
        ("__ARM_NEON __ARM_FEATURE_SVE", 16),
    ],
)
def test_simd_bytes_come_from_the_macros(
    macros: str, width: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BBLAS_GEN_CC", str(fake_clang(tmp_path / "clang", f"__GNUC__ __clang__ {macros}")))
    assert compilers.find_cc().simd_bytes == width


def test_clang_features_are_resolved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BBLAS_GEN_CC", str(fake_clang(tmp_path / "clang")))
    cc = compilers.find_cc()
    assert (cc.family, cc.version, cc.target) == ("clang", "Some clang version 18.1.0", "x86_64-pc-linux-gnu")
    assert cc.target_flags == ("-target-cpu=znver4", "-target-feature=+avx2", "-target-feature=-sse4a")


def test_unparsable_flags_still_tell_cpus_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    identities = set()
    for name, macros in (("a", ""), ("b", "__AVX2__")):
        path = fake_clang(tmp_path / name, f"__GNUC__ __clang__ {macros}", cc1=" something new")
        monkeypatch.setenv("BBLAS_GEN_CC", str(path))
        identities.add(compilers.find_cc().identity)
    assert len(identities) == 2


def test_the_identity_changes_with_each_part_but_not_with_the_path() -> None:
    cc = Compiler("/a/cc", "gcc", "gcc version 12", ("-mavx2",), 32, "x86_64-linux-gnu")
    other = {"family": "clang", "version": "gcc version 13", "target": "aarch64", "target_flags": ("-mavx512f",)}
    changed = {dataclasses.replace(cc, **{name: value}).identity for name, value in other.items()}  # type: ignore[arg-type]
    assert len(changed | {cc.identity}) == 5
    assert dataclasses.replace(cc, path="/b/cc").identity == cc.identity


# --- flags and OpenMP --------------------------------------------------------------------------------------------


def test_openmp_is_dropped_where_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, status in (("with", 0), ("without", 1)):
        monkeypatch.setenv("BBLAS_GEN_CC", str(fake_clang(tmp_path / name, openmp=status)))
        cc = compilers.find_cc()
        assert compilers.has_openmp(cc) is (status == 0)
        assert ("-fopenmp" in compilers.library_flags(cc)) is (status == 0)


def test_library_flags_are_not_for_nvcc() -> None:
    with pytest.raises(ValueError, match="nvcc"):
        compilers.library_flags(Compiler("/cuda/nvcc", "nvcc", "release 13"))


# --- surroundings ------------------------------------------------------------------------------------------------


def test_a_probe_runs_nothing_from_the_current_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """clang looks for its linker along PATH."""
    log = tmp_path / "log"
    spy = f'echo "$PWD|$PATH" >> {log}; ld 2>/dev/null\n'
    clang = fake_clang(tmp_path / "bin" / "clang")
    clang.write_text(clang.read_text().replace("#!/bin/sh\n", "#!/bin/sh\n" + spy))
    script(tmp_path / "here" / "ld", f"touch {tmp_path / 'attacked'}")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PATH", f".::{tmp_path / 'bin'}:../here:")
    cc = compilers.find_cc()
    assert cc.path == str(clang)
    assert compilers.has_openmp(cc)
    places = [line.split("|") for line in log.read_text().splitlines()]
    assert len(places) == 2
    for folder, path in places:
        assert path == str(tmp_path / "bin")
        assert tmp_path not in (Path(folder), *Path(folder).parents)
    assert not (tmp_path / "attacked").exists()


@pytest.mark.parametrize("value", [None, "", ".", "bin:"])
def test_without_a_path_there_is_that_of_the_system(value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty one would be the current directory to some, and gcc would find no assembler."""
    monkeypatch.delenv("PATH")
    if value is not None:
        monkeypatch.setenv("PATH", value)
    assert compilers._environment(Path("/"))["PATH"] == os.defpath


# --- running -----------------------------------------------------------------------------------------------------


def run(argv: list[str], folder: Path, timeout: float = 60) -> str:
    return compilers.run(argv, what="bb_dgemm_st_2x2x2", cwd=folder, source=folder / "kernel.c", timeout=timeout)


def test_a_compile_error_follows_its_folder(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    error = errors.CompileError("k", ["cc", f"-o{old}/k.so"], f"{old}/k.c:1: error", old / "k.c", old)
    error.relocate(old, new)
    assert error.source_path == new / "k.c"
    assert str(old) not in str(error)
    assert str(error).count(str(new)) == 4


def test_long_messages_are_cut_and_kept() -> None:
    error = errors.CompileError("k", ["cc"], "\n".join(f"line {n}" for n in range(1000)))
    assert "line 0\n" in str(error)
    assert "960 more lines" in str(error)
    assert len(error.stderr.splitlines()) == 1000


def test_no_shell_no_stdin_and_a_plain_locale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    program = "import os, sys; sys.stderr.write(f'{sys.argv[1]}|{sys.stdin.read()}|' + os.environ['LC_ALL'])"
    reading, writing = os.pipe()
    os.write(writing, b"typed by the user")
    os.close(writing)
    before = os.dup(0)
    os.dup2(reading, 0)
    try:
        assert run([sys.executable, "-c", program, "$HOME; ls"], tmp_path) == "$HOME; ls||C"
    finally:
        os.dup2(before, 0)
        os.close(before)
        os.close(reading)


def test_a_killed_compiler_is_reported(tmp_path: Path) -> None:
    with pytest.raises(errors.CompileError, match="killed by SIGKILL"):
        run(["sh", "-c", "kill -9 $$"], tmp_path)


def test_temporary_files_of_a_compiler_are_beside_its_output(tmp_path: Path) -> None:
    run(["sh", "-c", 'echo text > "$TMPDIR/temporary"'], tmp_path)
    assert (tmp_path / "temporary").exists()


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_full_disk_is_no_fault_of_the_source(code: int, tmp_path: Path) -> None:
    complaint = f"ld: final link failed: {os.strerror(code)}"
    with pytest.raises(OSError, match="says the compiler") as caught:
        run(["sh", "-c", f"echo '{complaint}' >&2; exit 1"], tmp_path)
    assert caught.value.errno == code
    assert run(["sh", "-c", f"echo '{complaint}' >&2"], tmp_path).strip() == complaint, "it did not fail"


def test_a_missing_compiler_is_reported(tmp_path: Path) -> None:
    with pytest.raises(errors.CompileError, match="could not be started"):
        run(["/no/such/compiler"], tmp_path)


def test_an_interrupt_of_a_compiler_that_has_just_ended_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(process: subprocess.Popen[str], timeout: float) -> None:
        process.wait()  # as subprocess does for a quarter of a second after Ctrl-C
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess.Popen, "communicate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(["true"], tmp_path)


def test_a_timeout_ends_the_whole_family(tmp_path: Path) -> None:
    start = time.monotonic()
    with pytest.raises(errors.CompileError, match=r"longer than 0\.5 seconds"):
        run(["sh", "-c", "sleep 60 & echo $! > child; wait"], tmp_path, timeout=0.5)
    assert time.monotonic() - start < 50
    child = int((tmp_path / "child").read_text())
    for _ in range(100):
        if not alive(child):
            break
        time.sleep(0.05)
    assert not alive(child)


def alive(pid: int) -> bool:
    """Whether a process runs; an orphan that nobody reaps yet does not."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


@pytest.mark.parametrize(("value", "shown"), [("1", True), ("TRUE", True), ("on", True), ("0", False), ("", False)])
def test_verbose_prints_the_command(
    value: str, shown: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BBLAS_GEN_VERBOSE", value)
    run(["true", "a b"], tmp_path)
    assert ("true 'a b'" in capsys.readouterr().err) is shown
