"""Calls on a GPU while compute-sanitizer looks on: memory that belongs to nobody, races in shared memory."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import emulator

from bblas_gen.toolchain.cuda import DEFAULT_NVCC

PROGRAM = Path(__file__).resolve().parents[1] / "programs" / "gpu_calls.py"
SIZES = {"emulated": ["3"], "gpu": ["4", "8", "18", "34"]}
STAND_IN = """#!/bin/sh
case "$1 $2 $3 $4" in
"--tool memcheck --error-exitcode 9" | "--tool racecheck --error-exitcode 9") shift 4 && "$@" || exit 9 ;;
*) exit 64 ;;
esac
"""
"""What the tool does where it finds nothing, or the program fails."""
SANITIZER = shutil.which("compute-sanitizer") or shutil.which(str(Path(DEFAULT_NVCC).with_name("compute-sanitizer")))


@pytest.mark.parametrize(
    ("device", "tool"),
    [
        pytest.param("emulated", "memcheck", id="rehearsed"),
        pytest.param("gpu", "memcheck", marks=pytest.mark.gpu),
        pytest.param("gpu", "racecheck", marks=pytest.mark.gpu),
    ],
    indirect=["device"],
)
def test_nothing_is_found(device, tool, tmp_path):
    """Rehearsed with a tool that sees nothing."""
    environment, looks_on = dict(os.environ), SANITIZER
    if device == "emulated":
        environment |= {"LD_LIBRARY_PATH": str(emulator.driver().parent), "EMU_DRIVER_STRICT": "1"}
        looks_on = stand_in(tmp_path)
    if looks_on is None:
        pytest.skip("compute-sanitizer is not found: it comes with the CUDA toolkit")
    done = watched(looks_on, tool, [sys.executable, PROGRAM, *SIZES[device]], environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "right" in done.stdout


def test_what_is_found_is_told(tmp_path):
    """And a tool that there is not."""
    looks_on = stand_in(tmp_path)
    assert watched(looks_on, "racecheck", ["false"], dict(os.environ)).returncode == 9
    assert watched(looks_on, "nocheck", ["true"], dict(os.environ)).returncode == 64


def stand_in(folder):
    path = folder / "compute-sanitizer"
    path.write_text(STAND_IN)
    path.chmod(0o700)
    return path


def watched(looks_on, tool, command, environment):
    """What a command does while a tool looks on."""
    line = [looks_on, "--tool", tool, "--error-exitcode", "9", *command]
    return subprocess.run(line, capture_output=True, text=True, check=False, env=environment, timeout=500)
