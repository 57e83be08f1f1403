"""The examples run, and check their own results; small here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = (
    next(folder for folder in Path(__file__).resolve().parents if (folder / "pyproject.toml").is_file()) / "examples"
)
SMALL = {
    "kalman_bank": ["--filters", "50", "--steps", "3"],
    "block_jacobi": ["--grid", "5", "--fields", "3"],
    "finite_elements": ["--side", "3"],
}


def run(*command, **options):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, timeout=300, **options)


@pytest.mark.parametrize("name", SMALL)
def test_programs_check_themselves(name):
    done = run(sys.executable, EXAMPLES / f"{name}.py", *SMALL[name])
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(rf"{name}: .*per second.*\n", done.stdout)


def test_a_wrong_result_is_noticed(tmp_path):
    """Each program's check can fail: here the arithmetic is NumPy's, off by little."""
    spoiled = (
        (EXAMPLES / "finite_elements.py").read_text().replace("(b.mT @ d @ b).sum(axis=1)).max()", "0.999 * k).max()")
    )
    (tmp_path / "spoiled.py").write_text(spoiled)
    done = run(sys.executable, tmp_path / "spoiled.py", "--side", "2")
    assert "AssertionError" in done.stderr


def test_the_c_program_is_made_from_emitted_kernels(tmp_path):
    make = shutil.which("make")
    if make is None:
        pytest.skip("make is not installed")
    folder = shutil.copytree(EXAMPLES / "c_program", tmp_path / "c", ignore=shutil.ignore_patterns("kernels", "solve"))
    done = run(make, f"BBLAS_GEN={sys.executable} -m bblas_gen", cwd=folder, env=os.environ | {"MAKEFLAGS": ""})
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr
    assert (folder / "kernels" / "include" / "bblas_kernels.h").is_file()
    for batch in ("1", "7", "1000"):
        done = run(folder / "solve", batch)
        assert done.returncode == 0, done.stderr
        assert re.fullmatch(r"c_program: .*per second\n", done.stdout)


def test_every_example_is_told_of():
    listed = set(re.findall(r"^\| \[(?:\w+)(?:\.py)?\]\((.*?)\)", (EXAMPLES / "README.md").read_text(), re.MULTILINE))
    assert listed == {x.name for x in EXAMPLES.iterdir() if x.name not in ("README.md", "__pycache__")}
    assert {f"{name}.py" for name in SMALL} == {x.name for x in EXAMPLES.glob("*.py")}
