"""The golden sources are strict C: compilers that treat every warning as an error say nothing."""

from __future__ import annotations

import platform
import shutil
import subprocess

import pytest
from support import golden
from support.kernels import native

from bblas_gen.toolchain.compilers import find_cc

STRICT = ["-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-pedantic", "-c"]
OTHERS = [*(f"gcc-{version}" for version in (11, 13, 14)), *(f"clang-{version}" for version in (14, 16, 19))]
READ, ANALYSED = ["-fsyntax-only"], ["-O1", "-fopenmp"]
SHARES = [(READ, 0), (READ, 1), (ANALYSED, 0)]
SELDOM = [(ANALYSED, 1), *((["-O3", "-fopenmp"], share) for share in range(2))]
SHARES += [pytest.param(*some, marks=pytest.mark.thorough) for some in SELDOM]
"""What is asked of compilers, and of which half of the sources."""
NAMES = sorted(path.name for path in golden.FOLDER.glob("*.c"))


@pytest.mark.parametrize(("options", "share"), SHARES, ids=str)
@pytest.mark.parametrize("compiler", ["ours", pytest.param("clang", marks=pytest.mark.thorough)])
def test_strict_compilers_say_nothing(compiler, options, share, tmp_path):
    """Without optimisation and OpenMP, as an embedder's debug build reads them; and with these, whose analysis warns of
    more."""
    compiler = find_cc().path if compiler == "ours" else shutil.which("clang")
    if not compiler:
        pytest.skip("no clang")
    if "-fopenmp" in options:
        options = [*options, *native()]
    if "clang" in compiler:  # its OpenMP runtime is a package of its own
        options = [option for option in options if option != "-fopenmp"]
    files = [str(golden.FOLDER / name) for name in NAMES[share::2]]
    done = subprocess.run(
        [compiler, *STRICT, *options, *files], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(platform.machine() != "x86_64", reason="names of x86-64 levels")
@pytest.mark.parametrize("compiler", OTHERS)
def test_other_strict_compilers_say_nothing(compiler, tmp_path):
    """Each where it is installed, a third of the sources for each level; but for the first read, not translated."""
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    for share, isa in enumerate(["x86-64-v4", "x86-64-v2", "x86-64-v3"]):
        files = [str(golden.FOLDER / name) for name in NAMES[share::3]]
        how = "-O1" if isa == "x86-64-v4" else "-fsyntax-only"
        command = [compiler, *STRICT, how, f"-march={isa}", *files]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_a_warning_is_seen(tmp_path):
    text = (golden.FOLDER / NAMES[0]).read_text()
    (tmp_path / "bad.c").write_text(text + "\nstatic int unused(void) { return 0; }\n")
    done = subprocess.run([find_cc().path, *STRICT, "bad.c"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "unused" in done.stderr
    assert done.returncode
